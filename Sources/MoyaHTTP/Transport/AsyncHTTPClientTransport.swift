#if AsyncHTTPClient && !canImport(Darwin)
    import AsyncHTTPClient
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat
    import NIOHTTP1

    /// Sends requests through AsyncHTTPClient: HTTP/1.1 and, where TLS negotiates it, HTTP/2, without URLSession.
    ///
    /// It is the default on Linux. It is there when the package trait `AsyncHTTPClient` is on (it is unless you say
    /// `traits: []`), and not on Apple's platforms.
    ///
    /// Responses coded in gzip or deflate are decoded. Connections are kept alive and shared by all requests to one
    /// host.
    public final class AsyncHTTPClientTransport: HTTPTransport {
        private let hosts: AsyncHTTPClientHosts
        let settings: AsyncHTTPClientSettings?

        /// Makes a transport with clients of its own, which are shut down when the transport goes.
        ///
        /// All settings are honoured, with these limits: a SOCKS proxy has no credentials, an HTTP proxy is asked for a
        /// tunnel (`CONNECT`) for `http` URLs too, and of the certificates that a server presents, the evaluators of
        /// the ``TransportConfiguration/serverTrustManager`` see its own only.
        ///
        /// - Throws: ``TransportConfigurationError``.
        public init(configuration: TransportConfiguration) throws(TransportConfigurationError) {
            let settings = try AsyncHTTPClientSettings(configuration)
            self.settings = settings
            hosts = AsyncHTTPClientHosts(settings)
        }

        /// Makes a transport with a client of its own, which is shut down when the transport goes.
        ///
        /// - Parameter maximumConnectionsPerHost: How many HTTP/1.1 connections one host gets; further requests wait
        ///   for a free one. At least one.
        public init(maximumConnectionsPerHost: Int = 6) {
            let settings = AsyncHTTPClientSettings(maximumConnectionsPerHost: max(1, maximumConnectionsPerHost))
            self.settings = settings
            hosts = AsyncHTTPClientHosts(settings)
        }

        /// Makes a transport over a client that the application has made, keeps, and shuts down itself.
        ///
        /// The client's own settings hold, its time-outs besides those of each request. Make it with
        /// `redirectConfiguration: .disallow`, as a redirect that the client follows is one that the session doesn't see, and
        /// with `decompression: .disabled`, as the transport decodes by itself.
        public init(client: HTTPClient) {
            settings = nil
            hosts = AsyncHTTPClientHosts(client)
        }

        /// Does one exchange.
        ///
        /// A connection that was kept alive may be closed by the server in the moment it is used again. A request with
        /// an idempotent method whose connection is lost before anything came back is therefore sent once more
        /// (RFC 9112, section 9.3.1).
        ///
        /// - Throws: `URLError`; ``RequestBodyError``; or ``RequestValidationError`` for a TRACE with a body.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            if request.body != nil, request.method == .trace {
                throw RequestValidationError.bodyNotAllowed(method: request.method.rawValue)
            }
            let exchange = Exchange(request)
            do {
                return try await start(request, exchange)
            } catch let error as URLError
                where request.method.isIdempotent && error.isFromClosedConnection && !exchange.hasReceivedHead
                && request.body?.isRepeatable != false
            {
                var request = request
                request.totalTimeout -= exchange.elapsed
                return try await start(request, Exchange(request))
            }
        }

        /// What is larger, in bytes, may not fit into the socket's buffer. It is streamed, also where it is all there, as a
        /// server may answer before it has read it.
        private static let longestBodyAtOnce = 32 * 1024

        private func start(_ request: TransportRequest, _ exchange: Exchange) async throws -> TransportResponse {
            let host: AsyncHTTPClientHost
            do {
                host = try hosts.client(for: request.url)
            } catch {
                throw URLError(engineError: error, url: request.url)
            }
            let response: TransportResponse
            if let body = request.body, (body.data?.count ?? .max) > Self.longestBodyAtOnce {
                response = try await start(request, uploading: body.open(), through: host, exchange)
            } else {
                response = try await start(clientRequest(for: request), through: host, exchange)
            }
            return try response.decoded(
                limits: request.decodingLimits,
                bufferLimit: request.responseBufferLimit,
                url: request.url
            )
        }

        private func start(
            _ request: HTTPClient.Request,
            through host: AsyncHTTPClientHost,
            _ exchange: Exchange
        ) async throws -> TransportResponse {
            try await exchange.response {
                // The client hands everything that it is told to its event loop, one by one: told there, it does it at once.
                let loop = host.client.eventLoopGroup.any()
                loop.execute {
                    guard !exchange.isOver else { return }
                    let task = host.client.execute(
                        request: request,
                        delegate: Delegate(exchange),
                        eventLoop: .delegate(on: loop)
                    )
                    // Not the delegate's didReceiveError: a client that is shut down does not call it.
                    task.futureResult.whenFailure { exchange.failed(host.error($0, url: exchange.url)) }
                    exchange.began(
                        Exchange.Engine(
                            cancel: { task.cancel() },
                            schedule: { time, body in
                                // It fails where the loop is shut down, and nothing is run any more.
                                let timer = try? loop.scheduleCallback(in: TimeAmount(time), handler: Alarm(ring: body))
                                return { timer?.cancel() }
                            }
                        )
                    )
                }
            }
        }

        /// Shuts down clients of its own, and cancels what they have running; leaves one handed in as it is.
        public func shutdown() async { await hosts.shutdown() }

        /// Where a request goes in the engine, and its headers there.
        func target(of request: TransportRequest) throws -> (url: URL, headers: NIOHTTP1.HTTPHeaders) {
            // NIO traps on a port of more than 16 bits.
            guard request.url.hasValidPort,
                let url = settings.map({ $0.engineURL(for: request.url) }) ?? request.url
            else { throw URLError.exchange(.badURL, url: request.url) }
            var headers = NIOHTTP1.HTTPHeaders(request.headers)
            if let host = settings?.host(for: request.url), !headers.contains(name: "Host") {
                headers.add(name: "Host", value: host)
            }
            return (url, headers)
        }

        private func clientRequest(for request: TransportRequest) throws -> HTTPClient.Request {
            let (url, headers) = try target(of: request)
            do {
                return try HTTPClient.Request(
                    url: url,
                    method: NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue),
                    headers: headers,
                    body: request.body?.data.map { .byteBuffer(ByteBuffer(data: $0)) }
                )
            } catch {
                throw URLError(engineError: error, url: request.url)
            }
        }

        /// A timer of the event loop's that is no future as well: it is made and thrown away with each request.
        private struct Alarm: NIOScheduledCallbackHandler, Sendable {
            let ring: @Sendable () -> Void

            func handleScheduledCallback(eventLoop: some EventLoop) { ring() }
        }

        /// Carries what the client calls back into the exchange.
        private final class Delegate: HTTPClientResponseDelegate {
            typealias Response = Void

            private let exchange: Exchange

            init(_ exchange: Exchange) { self.exchange = exchange }

            func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) { exchange.sentSomething() }

            func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) { exchange.sentSomething() }

            func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
                exchange.receivedHead(
                    ResponseHead(status: Int(head.status.code), headers: HTTPFields(head.headers))
                )
                return task.eventLoop.makeSucceededVoidFuture()
            }

            func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
                let taken = task.eventLoop.makePromise(of: Void.self)
                exchange.received(Data(buffer: buffer)) { taken.succeed() }
                return taken.futureResult
            }

            func didFinishRequest(task: HTTPClient.Task<Void>) throws { exchange.finished() }
        }
    }

    extension NIOHTTP1.HTTPHeaders {
        init(_ fields: HTTPFields) {
            self.init()
            reserveCapacity(fields.count + 2)
            for field in fields { add(name: field.name.rawName, value: field.value) }
        }
    }

    extension HTTPFields {
        init(_ headers: NIOHTTP1.HTTPHeaders) {
            self.init()
            reserveCapacity(headers.count)
            for (name, value) in headers {
                // The parser has refused what is no token.
                guard let name = HTTPField.Name(name) else { continue }
                append(HTTPField(name: name, value: value))
            }
        }
    }
#endif
