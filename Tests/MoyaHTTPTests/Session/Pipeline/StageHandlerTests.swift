import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Each stage alone, with a function in place of the later stages.
@Suite("The stages of the pipeline perform their steps")
struct StageHandlerTests {
    private let url = URL(string: "http://example.com/a")!

    /// Passes a request through one stage.
    private func send(
        _ request: UncheckedRequest,
        through stage: some RequestStage,
        context: RequestContext,
        next: @escaping @Sendable (UncheckedRequest, RequestContext) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        try await stage.respond(to: request, context: context, next: .last(next))
    }

    private func send(
        _ request: TransportRequest,
        through stage: some ExchangeStage,
        context: RequestContext,
        next: @escaping @Sendable (TransportRequest, RequestContext) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        try await stage.respond(to: request, context: context, next: .last(next))
    }

    private func context(
        _ record: RequestRecord = RequestRecord(),
        session: Session = .default
    ) -> RequestContext {
        RequestContext(session: session, settings: RequestSettings(), record: record)
    }

    @Test("the stages of the pipeline run from the first to the last and back")
    func order() async throws {
        struct Noting: ExchangeStage {
            let name: String
            let log: TestLog

            func respond(
                to request: TransportRequest,
                context: RequestContext,
                next: ExchangeHandler
            ) async throws -> TransportResponse {
                log.note("> \(name)")
                defer { log.note("< \(name)") }
                return try await next(request, context)
            }
        }
        let log = TestLog()
        let stages: [any ExchangeStage] = ["a", "b"].map { Noting(name: $0, log: log) }
        let send = stages.handler(
            endingWith: .last { _, _ in
                log.note("end")
                return TransportResponse(status: 204)
            }
        )
        #expect(try await send(TransportRequest(method: .get, url: url), context()).status == 204)
        #expect(log.lines == ["> a", "> b", "end", "< b", "< a"])
    }

    @Test("a request fails if the last stage of the pipeline passes it on")
    func end() async throws {
        let request = UncheckedRequest(URLRequest(url: url))
        let exchange = TransportRequest(method: .get, url: url)
        await #expect {
            try await RequestHandler(EventStage())(request, context())
        } throws: { ($0 as? URLError)?.code == .unknown }
        await #expect {
            try await ExchangeHandler(ContentDecodingStage())(exchange, context())
        } throws: { ($0 as? URLError)?.code == .unknown }
    }

    @Test("the resend stage sends an unprocessed request again, and monitors see the resend")
    func resends() async throws {
        struct Reasons: EventMonitor {
            let log = TestLog()
            func record(_ event: RequestEvent) {
                if case .resending(let reason) = event.kind { log.note("\(reason)") }
            }
        }
        let monitor = Reasons()
        let session = Session(transport: NoTransport(), eventMonitors: [monitor])
        let sent = Locked<[Bool]>([])
        let response = try await send(
            TransportRequest(method: .post, url: url, body: .data(Data("a".utf8))),
            through: ResendStage(clock: WaitClock()),
            context: context(session: session)
        ) { request, _ in
            let count = sent.withLock { sent in
                sent.append(request.isResent)
                return sent.count
            }
            guard count > 2 else {
                throw URLError.make(.networkConnectionLost, url: request.url, cause: RequestNotProcessedError())
            }
            return TransportResponse(status: 200)
        }
        #expect(response.status == 200)
        #expect(sent.withLock { $0 } == [false, true, true])
        #expect(monitor.log.lines == ["notProcessed", "notProcessed"])
    }

    @Test("the resend stage does not send a body again that is not repeatable")
    func doesNotResend() async throws {
        let count = Locked(0)
        await #expect(throws: URLError.self) {
            try await send(
                TransportRequest(method: .put, url: url, body: .stream(InputStream(data: Data("a".utf8)))),
                through: ResendStage(clock: WaitClock()),
                context: context()
            ) { request, _ in
                count.withLock { $0 += 1 }
                throw URLError.make(.networkConnectionLost, url: request.url, cause: RequestNotProcessedError())
            }
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test("the cookie stage adds cookies and stores the cookies of the response")
    func cookies() async throws {
        let jar = CookieJar()
        let stage = CookieStage(cookies: SessionCookies(jar, configuration: .ephemeral))
        let seen = Locked<[String?]>([])
        for _ in 1...2 {
            _ = try await send(
                TransportRequest(method: .get, url: url),
                through: stage,
                context: context()
            ) { request, _ in
                seen.withLock { $0.append(request.headers[.cookie]) }
                return TransportResponse(status: 200, headers: [.setCookie: "a=1"])
            }
        }
        #expect(seen.withLock { $0 } == [nil, "a=1"])
    }

    @Test(
        "the authentication stage responds to a challenge once with the request's credential, and not at another origin",
        arguments: [true, false]
    )
    func authentication(hasCrossedOrigin: Bool) async throws {
        var context = context(RequestRecord.user("u", "p"))
        context.attemptScope.hasCrossedOrigin = hasCrossedOrigin
        let seen = Locked<[String?]>([])
        let response = try await send(
            TransportRequest(method: .get, url: url),
            through: AuthenticationStage(credentials: SessionCredentials(nil)),
            context: context
        ) { request, _ in
            let value = request.headers[.authorization]
            seen.withLock { $0.append(value) }
            return value == nil
                ? TransportResponse(status: 401, headers: [.wwwAuthenticate: "Basic realm=\"r\""])
                : TransportResponse(status: 200)
        }
        #expect(response.status == (hasCrossedOrigin ? 401 : 200))
        let value = HTTPHeader.authorization(username: "u", password: "p").value
        // Credentials of the request are sent before a challenge only if they were accepted before.
        #expect(seen.withLock { $0 } == (hasCrossedOrigin ? [nil] : [nil, value]))
    }

    @Test("the decoding stage decodes content unless the transport has decoded it", arguments: [true, false])
    func decoding(isDecoded: Bool) async throws {
        let plain = Data("the quick brown fox".utf8)
        let coded = try GzipEncoder.encode(plain)
        let response = try await send(
            TransportRequest(method: .get, url: url),
            through: ContentDecodingStage(),
            context: context()
        ) { _, _ in
            var response = TransportResponse(
                status: 200,
                headers: [.contentEncoding: "gzip"],
                body: .complete(isDecoded ? plain : coded)
            )
            response.isDecoded = isDecoded
            return response
        }
        #expect(try await response.collected() == plain)
    }

    @Test("the redirect stage sends an exchange for each redirect, with the adapters within the origin")
    func redirects() async throws {
        let adapted = TestLog()
        let interceptor = TestInterceptor(onAdapt: { request, state in
            adapted.note("\(request.url?.path ?? "") \(state.redirectCount)")
            return request
        })
        let session = Session(transport: NoTransport(), interceptor: interceptor)
        let seen = Locked<[String]>([])
        let exchange = ExchangeHandler.last { request, _ in
            seen.withLock { $0.append(request.url.absoluteString) }
            switch request.url.path {
            case "/a": return TransportResponse(status: 302, headers: [.location: "/b"])
            case "/b": return TransportResponse(status: 302, headers: [.location: "http://other.example/c"])
            default: return TransportResponse(status: 200)
            }
        }
        let handler = RequestHandler(RedirectStage(redirectHandler: session.redirectHandler, sendExchange: exchange))
        let response = try await handler(UncheckedRequest(URLRequest(url: url)), context(session: session))
        #expect(response.status == 200)
        let urls = ["http://example.com/a", "http://example.com/b", "http://other.example/c"]
        #expect(seen.withLock { $0 } == urls)
        #expect(adapted.lines == ["/b 1"])
    }

    @Test("the resumption stage sends the last exchange of a download again, with other fields")
    func resumption() async throws {
        let session = Session(transport: NoTransport())
        let seen = Locked<[String]>([])
        let exchange = ExchangeHandler.last { request, _ in
            seen.withLock { $0.append("\(request.url.path) \(request.headers[.range] ?? "")") }
            return request.url.path == "/a"
                ? TransportResponse(status: 302, headers: [.location: "/b"]) : TransportResponse(status: 200)
        }
        let redirectStage = RedirectStage(redirectHandler: session.redirectHandler, sendExchange: exchange)
        let handler = RequestHandler(
            ResumptionStage(sendExchange: exchange, redirectStage: redirectStage),
            next: RequestHandler(redirectStage)
        )
        let request = URLRequest(url: url)
        let file = Download(request, to: { file, _ in (file, []) }, canBeRetried: false, progress: nil)
        let download = RequestContext(
            session: session,
            settings: RequestSettings(),
            record: RequestRecord(),
            bodyHandling: .save(file)
        )
        let rest = try #require(try await handler(UncheckedRequest(request), download).rest)
        #expect(rest.request.url.path == "/b")
        _ = try await rest.send([.range: "bytes=5-"])
        #expect(seen.withLock { $0 } == ["/a ", "/b ", "/b bytes=5-"])
        #expect(try await handler(UncheckedRequest(request), context(session: session)).rest == nil)
    }

    @Test("the retry stage drops the body of a retried response and reads the last response's body")
    func retries() async throws {
        let session = Session(transport: NoTransport(), interceptor: TestInterceptor.repeating(1))
        let bodyReader = ResponseBodyReader(
            maximumSize: 100,
            clock: WaitClock(),
            transport: SessionTransport(NoTransport())
        )
        let reads = TestLog()
        let count = Locked(0)
        let response = try await send(
            UncheckedRequest(URLRequest(url: url)),
            through: RetryStage(bodyReader: bodyReader, clock: WaitClock()),
            context: context(session: session)
        ) { _, _ in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let rest = Locked(1)
            let body = TransportBodyStream {
                reads.note("\(number)")
                return rest.withLock { rest in
                    defer { rest = 0 }
                    return rest > 0 ? Data("body".utf8) : nil
                }
            }
            return TransportResponse(status: number == 0 ? 503 : 200, body: .stream(body))
        }
        #expect(try await response.collected() == Data("body".utf8))
        // A short body is read to its end, so that its connection can be reused.
        #expect(reads.lines == ["0", "0", "1", "1"])
        #expect(count.withLock { $0 } == 2)
    }
}

/// A transport that no request reaches.
struct NoTransport: HTTPTransport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        Issue.record("A request has reached the transport: \(request.url)")
        throw URLError(.unknown)
    }

    func shutdown() async {}
}
