#if NIO && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat
    import Tracing

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
        let pools: ConnectionPoolManager
        private let expectContinue: ExpectContinue
        private let tracer = ExchangeTracer()
        private let running = RunningRequests()

        /// Creates a transport, whose connections are closed on deinitialization.
        ///
        /// All settings are supported.
        ///
        /// - Parameter connection: How connections are established.
        /// - Throws: ``TransportConfigurationError``.
        public init(connection: TransportConfiguration) throws(TransportConfigurationError) {
            pools = ConnectionPoolManager(try NIOSettings(connection))
            expectContinue = ExpectContinue(connection)
        }

        /// Creates a transport, whose connections are closed on deinitialization.
        ///
        /// - Parameter maximumConnectionsPerHost: The maximum number of HTTP/1.1 connections to a host, at least 1.
        ///   Further requests wait for a free connection.
        public init(maximumConnectionsPerHost: Int = 6) {
            pools = ConnectionPoolManager(NIOSettings(maximumConnectionsPerHost: max(1, maximumConnectionsPerHost)))
            expectContinue = ExpectContinue(TransportConfiguration())
        }

        /// Performs one exchange.
        ///
        /// - Parameter request: The request.
        /// - Returns: The response.
        /// - Throws: `URLError`; ``RequestBodyError``; or ``RequestValidationError`` for a TRACE with a body.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard running.begin() else { throw URLError.refusedAfterShutdown(url: request.url) }
            defer { running.end() }
            guard let tracer else { return try await sendByRoute(request) }
            return try await send(request, by: tracer)
        }

        // What is seldom needed is in functions of its own: each value that is kept while a request runs takes room in the
        // usual case, too.

        @inline(never)
        private nonisolated(nonsending) func send(
            _ request: TransportRequest,
            by tracer: ExchangeTracer
        ) async throws -> TransportResponse {
            try await tracer.send(request) { try await sendByRoute($0) }
        }

        @inline(__always)
        private nonisolated(nonsending) func sendByRoute(_ request: TransportRequest) async throws -> TransportResponse
        {
            guard let proxy = pools.forwardingProxy(for: request.url) else { return try await exchange(request) }
            return try await send(request, through: proxy)
        }

        @inline(never)
        private nonisolated(nonsending) func send(
            _ request: TransportRequest,
            through proxy: HTTPProxy
        ) async throws -> TransportResponse {
            try await proxy.send(request) { try await exchange($0) }
        }

        private nonisolated(nonsending) func exchange(_ request: TransportRequest) async throws -> TransportResponse {
            let exchange = try request.makeExchange()
            let pool: ConnectionPool
            do {
                pool = try pools.pool(for: request.url)
            } catch {
                throw URLError(engineError: error, url: request.url)
            }
            let (body, expectation) = try expectContinue.open(request)
            let outbound = try OutboundRequest(request, body, exchange, pool, expectation)
            guard expectation == nil else { return try await ExpectContinue.send(outbound, for: request, running) }
            let response = try await exchange.response { pool.start(outbound) }
            running.countBody(of: response, exchange)
            return response
        }

        /// Opens connections to the server of a URL, with the TLS handshake and the tunnel of a proxy, unless there are
        /// as many.
        ///
        /// Connections that no request uses are closed after ``TransportConfiguration/idleConnectionTimeout``.
        ///
        /// - Parameters:
        ///   - url: An `http` or `https` URL; only its scheme, host and port matter.
        ///   - connections: The number of connections, of which there are at most
        ///     ``TransportConfiguration/maximumConnectionsPerHost``. Over HTTP/2 there is one.
        /// - Throws: `URLError`.
        public func preconnect(to url: URL, connections: Int) async throws {
            guard connections > 0 else { return }
            guard !running.isClosed else { throw URLError.refusedAfterShutdown(url: url) }
            do {
                // NIO traps on a port of more than 16 bits.
                guard url.hasValidPort else { throw URLError.make(.badURL, url: url, reason: URL.invalidPortText) }
                try await pools.pool(for: url).preconnect(connections, to: url)
            } catch {
                throw URLError(engineError: error, url: url)
            }
        }

        /// Closes all connections, and cancels running requests.
        ///
        /// Later requests fail with a `URLError` for which `isShutdown` is true.
        public func shutdown() async {
            running.close()
            await pools.shutDown()
        }

        /// Refuses new requests, waits for the end of running ones, and then closes all connections.
        ///
        /// - Parameter grace: The maximum time to wait, after which running requests are cancelled.
        /// - Returns: The number of requests that have ended by themselves, and of those that were cancelled.
        @discardableResult
        public func shutdown(grace: Duration) async -> ShutdownResult {
            let result = await running.drain(atMost: grace)
            await pools.shutDown()
            return result
        }
    }

    /// A tracer that creates a span for each exchange, if the application has set up a tracer
    /// (swift-distributed-tracing).
    ///
    /// Names are those of OpenTelemetry's semantic conventions for HTTP clients. The query of a URL is omitted,
    /// since it may contain secrets.
    struct ExchangeTracer: Sendable {
        private let tracer: any Tracer

        /// Creates a tracer; nil if the application has none, since unused spans have a cost.
        init?() {
            let tracer = InstrumentationSystem.tracer
            guard !(tracer is NoOpTracer) else { return nil }
            self.tracer = tracer
        }

        /// Sends a request in a span, with trace headers for the server.
        ///
        /// The span ends when the response is returned.
        func send(
            _ request: TransportRequest,
            by send: (TransportRequest) async throws -> TransportResponse
        ) async throws -> TransportResponse {
            let span = tracer.startAnySpan(request.method.rawValue, ofKind: .client)
            defer { span.end() }
            span.attributes["http.request.method"] = request.method.rawValue
            span.attributes["url.scheme"] = request.url.scheme
            span.attributes["url.path"] = request.url.path
            span.attributes["server.address"] = request.url.host
            span.attributes["server.port"] = request.url.port
            var request = request
            tracer.inject(span.context, into: &request.headers, using: HeaderInjector())
            do {
                let response = try await send(request)
                span.attributes["http.response.status_code"] = response.status
                if response.status >= 400 { span.setStatus(SpanStatus(code: .error)) }
                return response
            } catch {
                span.recordError(error)
                span.setStatus(SpanStatus(code: .error))
                throw error
            }
        }

        private struct HeaderInjector: Injector {
            func inject(_ value: String, forKey key: String, into headers: inout HTTPFields) {
                if let name = HTTPField.Name(key), HTTPField.isValidValue(value) { headers[name] = value }
            }
        }
    }

    extension Exchange.Engine {
        /// Creates an engine with timers on an event loop.
        package init(
            on loop: any EventLoop,
            wait: (@Sendable () -> ConnectionWait)? = nil,
            cancel: @escaping @Sendable (Exchange) -> Void
        ) {
            self.init(
                cancel: cancel,
                schedule: { time, body in
                    // It fails if the loop is shut down, in which case no timer is needed.
                    let timer = try? loop.scheduleCallback(in: TimeAmount(time), handler: ScheduledCallback(body: body))
                    return { timer?.cancel() }
                },
                wait: wait
            )
        }
    }

    /// A timer without a future.
    private struct ScheduledCallback: NIOScheduledCallbackHandler, Sendable {
        let body: @Sendable () -> Void

        func handleScheduledCallback(eventLoop: some EventLoop) { body() }
    }
#endif
