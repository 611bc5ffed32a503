#if NIO && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    /// A transport with its own connections over SwiftNIO: HTTP/1.1 (RFC 9112) and, if negotiated in TLS, HTTP/2
    /// (RFC 9113).
    ///
    /// It is the default on Linux. It is available if the package trait `NIO` is on (the default;
    /// `traits: []` turns it off), and not on Apple platforms.
    ///
    /// Responses in gzip and deflate are decoded. Connections are kept alive and shared by all requests to an
    /// origin: scheme, host and port. If the application sets up a tracer of swift-distributed-tracing before it
    /// creates the transport, each exchange has a span.
    public final class NIOTransport: HTTPTransport {
        private let pools: ConnectionPoolManager
        private let tracer = ExchangeTracer()

        /// Creates a transport, whose connections are closed on deinitialization.
        ///
        /// All settings are supported, with two limitations: an HTTP proxy is used with a tunnel (`CONNECT`) also
        /// for `http` URLs, and the evaluators of the ``TransportConfiguration/serverTrustManager`` get only the
        /// server's own certificate.
        ///
        /// - Parameter configuration: The configuration.
        /// - Throws: ``TransportConfigurationError``.
        public init(configuration: TransportConfiguration) throws(TransportConfigurationError) {
            pools = ConnectionPoolManager(try NIOSettings(configuration))
        }

        /// Creates a transport, whose connections are closed on deinitialization.
        ///
        /// - Parameter maximumConnectionsPerHost: The maximum number of HTTP/1.1 connections to a host, at least 1.
        ///   Further requests wait for a free connection.
        public init(maximumConnectionsPerHost: Int = 6) {
            pools = ConnectionPoolManager(NIOSettings(maximumConnectionsPerHost: max(1, maximumConnectionsPerHost)))
        }

        /// Performs one exchange.
        ///
        /// - Parameter request: The request.
        /// - Returns: The response.
        /// - Throws: `URLError`; ``RequestBodyError``; or ``RequestValidationError`` for a TRACE with a body.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard let tracer else { return try await request.exchange(start) }
            return try await tracer.send(request) { try await $0.exchange(start) }
        }

        private func start(_ request: TransportRequest, _ exchange: Exchange) async throws -> TransportResponse {
            let pool: ConnectionPool
            do {
                pool = try pools.pool(for: request.url)
            } catch {
                throw URLError(engineError: error, url: request.url)
            }
            let body: OutboundRequest.Body
            if let data = request.body?.inlineData {
                body = data.isEmpty ? .none : .bytes(ByteBuffer(data: data))
            } else {
                body = try request.body.map { .reader(try $0.open()) } ?? .none
            }
            let outbound = try OutboundRequest(request, body, exchange, pool)
            return try await exchange.response { pool.start(outbound) }
        }

        /// Closes all connections, and cancels running requests.
        public func shutdown() async { await pools.shutDown() }
    }
#endif
