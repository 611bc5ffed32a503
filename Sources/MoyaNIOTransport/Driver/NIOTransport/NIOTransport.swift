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
    /// A session decodes the responses (``ContentCoding``). Connections are kept alive and shared by all requests to an
    /// origin: scheme, host and port. If the application sets up a tracer of swift-distributed-tracing before it
    /// creates the transport, each exchange has a span.
    public final class NIOTransport: HTTPTransport {
        let poolManager: ConnectionPoolManager
        private let expectContinue: ExpectContinue
        private let tracer = ExchangeTracer()
        let running = RunningRequests()

        /// Creates a transport, whose connections are closed on deinitialization.
        ///
        /// All settings are supported.
        ///
        /// - Parameter connection: The settings of the connections.
        /// - Throws: ``TransportConfigurationError``.
        public init(connection: TransportConfiguration) throws(TransportConfigurationError) {
            poolManager = ConnectionPoolManager(try ConnectionSettings(connection))
            expectContinue = ExpectContinue(connection)
        }

        /// Creates a transport, whose connections are closed on deinitialization.
        ///
        /// - Parameter maximumConnectionsPerHost: The maximum number of connections to a host, at least 1.
        ///   Further requests wait for a free connection.
        public init(maximumConnectionsPerHost: Int = 6) {
            poolManager = ConnectionPoolManager(
                ConnectionSettings(maximumConnectionsPerHost: max(1, maximumConnectionsPerHost))
            )
            expectContinue = ExpectContinue(TransportConfiguration())
        }

        /// Performs one exchange.
        ///
        /// - Parameter request: The request.
        /// - Returns: The response.
        /// - Throws: `URLError`; ``RequestBodyError``; or ``RequestValidationError`` for a TRACE with a body, and for a method, a URL or
        ///   a `Host` field that could break the message.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard running.begin() else { throw URLError.refusedAfterShutdown(url: request.url) }
            defer { running.end() }
            let proxy = poolManager.forwardingProxy(for: request.url)
            // Rare branches are separate functions, because an async frame reserves space for every branch.
            guard tracer == nil, proxy == nil else { return try await sendTracedOrForwarded(request, through: proxy) }
            return try await performExchange(of: request)
        }

        /// Lets the pool of the origin send a request on a connection, and waits for the response.
        private nonisolated(nonsending) func performExchange(of request: TransportRequest) async throws
            -> TransportResponse
        {
            let exchange = try request.makeExchange()
            let pool = try poolManager.pool(for: request.url)
            let (body, expectation) = try OutboundMessage.Body.open(for: request, expecting: expectContinue)
            if case .bytes = body { exchange.reportInlineBodyOnConnect(request.body) }
            let outbound = try pool.makeRequest(request, body: body, exchange: exchange, expectation: expectation)
            guard expectation == nil else {
                return try await sendExpectingContinue(outbound, for: request, on: pool)
            }
            return try await perform(outbound, on: pool)
        }

        /// Sends a request, and returns its response, whose body counts among the running requests.
        ///
        /// The body counts until it is received. Its reader may still have buffered data then, but needs no connection for it. A
        /// session counts a body until it is read.
        @inline(__always)
        nonisolated(nonsending) func perform(
            _ outbound: OutboundRequest,
            on pool: ConnectionPool
        ) async throws -> TransportResponse {
            let response = try await outbound.exchange.perform { pool.start(outbound) }
            running.countBody(of: response, outbound.exchange)
            return response
        }

        /// Sends a request in a span, in the form for a proxy, or both.
        @inline(never)
        private nonisolated(nonsending) func sendTracedOrForwarded(
            _ request: TransportRequest,
            through proxy: HTTPProxy?
        ) async throws -> TransportResponse {
            func perform(_ request: TransportRequest) async throws -> TransportResponse {
                guard let proxy else { return try await performExchange(of: request) }
                return try await proxy.send(request) { try await performExchange(of: $0) }
            }
            guard let tracer else { return try await perform(request) }
            return try await tracer.trace(request, by: perform)
        }

        /// Opens connections to the server of a URL, with the TLS handshake and the tunnel of a proxy, unless that many exist
        /// already.
        ///
        /// Connections that no request uses are closed after ``TransportConfiguration/idleConnectionTimeout``.
        ///
        /// - Parameters:
        ///   - url: An `http` or `https` URL; only its scheme, host and port matter.
        ///   - connections: The number of connections, of which there are at most
        ///     ``TransportConfiguration/maximumConnectionsPerHost``. Over HTTP/2 one is opened; requests open further ones.
        /// - Throws: `URLError`.
        public func preconnect(to url: URL, connections: Int) async throws {
            guard connections > 0 else { return }
            guard !running.isClosed else { throw URLError.refusedAfterShutdown(url: url) }
            do {
                // NIO traps on a port of more than 16 bits.
                guard url.hasValidPort else { throw URLError.make(.badURL, url: url, reason: URL.invalidPortText) }
                try await poolManager.pool(for: url).preconnect(connections, to: url)
            } catch {
                throw URLError(connectionError: error, url: url)
            }
        }

        /// Closes all connections, and cancels running requests.
        ///
        /// Later requests fail with a `URLError` for which `isShutdown` is true.
        public func shutdown() async {
            running.close()
            await poolManager.shutDown()
        }

        /// Refuses new requests, waits for the end of running ones, and then closes all connections.
        ///
        /// - Parameter grace: The maximum time to wait, after which running requests are cancelled.
        /// - Returns: The number of requests that have ended by themselves, and of those that were cancelled.
        @discardableResult
        public func shutdown(grace: Duration) async -> ShutdownResult {
            let result = await running.drain(atMost: grace)
            await poolManager.shutDown()
            return result
        }
    }
#endif
