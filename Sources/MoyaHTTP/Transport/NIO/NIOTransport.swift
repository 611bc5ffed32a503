#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    /// Sends requests over connections of its own: HTTP/1.1 and, where TLS negotiates it, HTTP/2.
    ///
    /// It is the default on Linux. It is there when the package trait `AsyncHTTPClient` is on (it is unless you say
    /// `traits: []`), and not on Apple's platforms.
    ///
    /// Responses coded in gzip or deflate are decoded. Connections are kept alive and shared by all requests to one
    /// origin: scheme, host and port. HTTP/1.1 is RFC 9112, HTTP/2 is RFC 9113. An application that sets up a tracer of swift-distributed-tracing before it makes the transport gets
    /// a span of each exchange.
    public final class NIOTransport: HTTPTransport {
        private let pools: NIOPools
        private let tracer = ExchangeTracer()

        /// Makes a transport, whose connections are closed when it goes.
        ///
        /// All settings are honored, with these limits: an HTTP proxy is asked for a tunnel (`CONNECT`) for `http` URLs too,
        /// and of the certificates that a server presents, the evaluators of the
        /// ``TransportConfiguration/serverTrustManager`` see its own only.
        ///
        /// - Throws: ``TransportConfigurationError``.
        public init(configuration: TransportConfiguration) throws(TransportConfigurationError) {
            pools = NIOPools(try NIOSettings(configuration))
        }

        /// Makes a transport, whose connections are closed when it goes.
        ///
        /// - Parameter maximumConnectionsPerHost: How many HTTP/1.1 connections one host gets; further requests wait
        ///   for a free one. At least one.
        public init(maximumConnectionsPerHost: Int = 6) {
            pools = NIOPools(NIOSettings(maximumConnectionsPerHost: max(1, maximumConnectionsPerHost)))
        }

        /// Does one exchange.
        ///
        /// - Throws: `URLError`; ``RequestBodyError``; or ``RequestValidationError`` for a TRACE with a body.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard let tracer else { return try await request.exchange(start) }
            return try await tracer.send(request) { try await $0.exchange(start) }
        }

        private func start(_ request: TransportRequest, _ exchange: Exchange) async throws -> TransportResponse {
            let pool: NIOPool
            do {
                pool = try pools.pool(for: request.url)
            } catch {
                throw URLError(engineError: error, url: request.url)
            }
            let body: NIOMessage.Body
            if let data = request.body?.dataAtOnce {
                body = data.isEmpty ? .none : .bytes(ByteBuffer(data: data))
            } else {
                body = try request.body.map { .reader(try $0.open()) } ?? .none
            }
            let message = try NIOMessage(request, body, exchange, pool)
            return try await exchange.response { pool.start(message) }
        }

        /// Closes all connections, and cancels what is running.
        public func shutdown() async { await pools.shutDown() }
    }
#endif
