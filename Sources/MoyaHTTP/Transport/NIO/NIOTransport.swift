#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat
    import NIOHTTP1

    /// Sends requests over connections of its own: HTTP/1.1 and, where TLS negotiates it, HTTP/2.
    ///
    /// It is the default on Linux. It is there when the package trait `AsyncHTTPClient` is on (it is unless you say
    /// `traits: []`), and not on Apple's platforms.
    ///
    /// Responses coded in gzip or deflate are decoded. Connections are kept alive and shared by all requests to one
    /// origin: scheme, host and port. The messages are written and read by SwiftNIO's codecs for HTTP/1.1 (RFC 9112) and
    /// HTTP/2 (RFC 9113). An application that sets up a tracer of swift-distributed-tracing before it makes the transport gets
    /// a span of each exchange.
    public final class NIOTransport: HTTPTransport {
        private let pools: NIOPools
        private let tracer = ExchangeTracer()

        /// Makes a transport, whose connections are closed when it goes.
        ///
        /// All settings are honoured, with these limits: a SOCKS proxy has no credentials, an HTTP proxy is asked for a
        /// tunnel (`CONNECT`) for `http` URLs too, and of the certificates that a server presents, the evaluators of
        /// the ``TransportConfiguration/serverTrustManager`` see its own only.
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
        /// A connection that was kept alive may be closed by the server in the moment it is used again. A request with
        /// an idempotent method whose connection is lost before anything came back is therefore sent once more
        /// (RFC 9112, section 9.3.1). So is one of any method that the server refuses by HTTP/2 before it has done anything
        /// with it (RFC 9113, section 8.7).
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
            let message = NIOMessage(
                head: HTTPRequestHead(request, body, hostHeader: pool.hostHeader),
                body: body,
                exchange: exchange,
                pool: pool
            )
            return try await exchange.response { pool.start(message) }
        }

        /// Closes all connections, and cancels what is running.
        public func shutdown() async { await pools.shutDown() }
    }

    extension HTTPRequestHead {
        private static let host = HTTPField.Name("Host")

        fileprivate init(_ request: TransportRequest, _ body: NIOMessage.Body, hostHeader: String) {
            var headers = NIOHTTP1.HTTPHeaders()
            headers.reserveCapacity(request.headers.count + 2)
            var hasHost = false
            for field in request.headers {
                // The framing is the body's.
                if field.name == .contentLength || field.name == .transferEncoding { continue }
                if field.name == Self.host { hasHost = true }
                headers.add(name: field.name.rawName, value: field.value)
            }
            if !hasHost { headers.add(name: "Host", value: hostHeader) }
            switch body {
            case .none:
                // RFC 9110, section 8.6: a server may wait for a body where the method usually has one.
                if request.body != nil || [.post, .put, .patch].contains(request.method) {
                    headers.add(name: "Content-Length", value: "0")
                }
            case .bytes(let bytes):
                headers.add(name: "Content-Length", value: String(bytes.readableBytes))
            case .reader(let reader):
                if let length = reader.length {
                    headers.add(name: "Content-Length", value: String(length))
                } else {
                    headers.add(name: "Transfer-Encoding", value: "chunked")
                }
            }
            self.init(
                version: .http1_1,
                method: NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue),
                uri: request.url.requestTarget,
                headers: headers
            )
        }
    }
#endif
