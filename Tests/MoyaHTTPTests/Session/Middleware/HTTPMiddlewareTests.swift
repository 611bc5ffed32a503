import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Middleware of the application can change, answer and repeat requests", .timeLimit(.minutes(5)))
struct HTTPMiddlewareTests {
    /// A middleware that is a function.
    struct Middleware: HTTPMiddleware {
        let respond: @Sendable (TransportRequest, RequestContext, Next) async throws -> TransportResponse

        init(_ respond: @escaping @Sendable (TransportRequest, RequestContext, Next) async throws -> TransportResponse)
        {
            self.respond = respond
        }

        func respond(
            to request: TransportRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> TransportResponse {
            try await respond(request, context, next)
        }
    }

    /// Records exchanges.
    private func noting(_ name: String, _ log: TestLog) -> Middleware {
        Middleware { request, _, next in
            log.note("> \(name) \(request.method.rawValue) \(request.url.path)")
            do {
                let response = try await next(request)
                log.note("< \(name) \(response.status)")
                return response
            } catch {
                log.note("! \(name)")
                throw error
            }
        }
    }

    @Test(
        "a request passes `middleware` once, and `exchangeMiddleware` once for each exchange",
        arguments: TransportKind.allCases
    )
    func places(kind: TransportKind) async throws {
        try await kind.withReactingServer({ received in
            switch (received.head.path, received.number) {
            case ("/", _): .respond(302, headers: ["Location: /there"])
            case (_, 1): .respond(503)
            default: .respond(200)
            }
        }) { transport, server in
            let log = TestLog()
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor.repeating(1),
                middleware: [noting("a", log), noting("b", log)],
                exchangeMiddleware: [noting("c", log)]
            )
            let response = try await session.data(for: server.request())
            #expect(response.statusCode == 200)
            let attempt = { (status: Int) in
                ["> c GET /", "< c 302", "> c GET /there", "< c \(status)"]
            }
            let expected = ["> a GET /", "> b GET /"] + attempt(503) + attempt(200) + ["< b 200", "< a 200"]
            #expect(log.lines == expected)
        }
    }

    @Test(
        "a middleware's changes to the whole request pass the adapters and reach the server",
        arguments: TransportKind.allCases
    )
    func changes(kind: TransportKind) async throws {
        try await kind.withReactingServer({ _ in .respond(200) }) { transport, server in
            let adapted = TestLog()
            let other = server.url("/other?x=1")
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor(onAdapt: { request, _ in
                    adapted.note("\(request.httpMethod ?? "") \(request.url?.path ?? "")")
                    adapted.note(request.allHTTPHeaderFields?.keys.sorted().joined(separator: " ") ?? "")
                    return request
                }),
                middleware: [
                    Middleware { request, _, next in
                        var request = request
                        request.method = .post
                        request.url = other
                        request.headers[HTTPField.Name("X-New")!] = "new"
                        request.headers[HTTPField.Name("X-Old")!] = nil
                        request.body = .data(Data("changed".utf8))
                        return try await next(request)
                    }
                ]
            )
            var request = server.request("/first")
            request.setValue("old", forHTTPHeaderField: "X-Old")
            request.setValue("kept", forHTTPHeaderField: "X-Kept")
            let response = try await session.data(for: request)
            #expect(response.statusCode == 200)
            #expect(response.url == other)
            #expect(adapted.lines == ["POST /other", "X-Kept X-New"])
            let received = try #require(server.requests.first)
            #expect(server.count == 1)
            #expect(received.head.method == "POST")
            #expect(received.head.target == "/other?x=1")
            #expect(received.head["x-new"] == "new")
            #expect(received.head["x-old"] == nil)
            #expect(received.head["x-kept"] == "kept")
            // The exchange also has the session's fields.
            #expect(received.head["user-agent"] != nil)
            #expect(received.text == "changed")
        }
    }

    @Test("a request that a middleware does not change keeps its body of any kind", arguments: TransportKind.allCases)
    func unchanged(kind: TransportKind) async throws {
        try await kind.withReactingServer({ _ in .respond(200) }) { transport, server in
            let pass = Middleware { request, _, next in try await next(request) }
            let session = Session(transport: transport, middleware: [pass], exchangeMiddleware: [pass])
            _ = try await session.data(for: server.request(method: "PUT"), body: .data(Data("one".utf8)))
            var request = server.request(method: "PUT")
            request.httpBody = Data("two".utf8)
            _ = try await session.data(for: request)
            request.httpBody = nil
            request.httpBodyStream = InputStream(data: Data("three".utf8))
            _ = try await session.data(for: request)
            #expect(server.requests.map(\.text) == ["one", "two", "three"])
        }
    }

    @Test("timeouts that a middleware sets apply")
    func limits() async throws {
        try await TransportKind.allCases[0].withReactingServer({ _ in .stall }) { transport, server in
            let session = Session(
                transport: transport,
                middleware: [
                    Middleware { request, _, next in
                        var request = request
                        request.idleTimeout = .milliseconds(200)
                        return try await next(request)
                    }
                ]
            )
            let error = await #expect(throws: URLError.self) { try await session.data(for: server.request()) }
            #expect(error?.code == .timedOut)
        }
    }

    @Test("timeouts that a middleware leaves unset come from the adapters")
    func adaptersLimits() async throws {
        try await TransportKind.allCases[0].withReactingServer({ _ in .stall }) { transport, server in
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor(onAdapt: { request, _ in
                    var request = request
                    request.timeoutInterval = 0.2
                    return request
                }),
                middleware: [Middleware { request, _, next in try await next(request) }]
            )
            let error = await #expect(throws: URLError.self) { try await session.data(for: server.request()) }
            #expect(error?.code == .timedOut)
        }
    }

    @Test(
        "an exchange in a middleware has all its fields, its body and the request target",
        arguments: TransportKind.allCases
    )
    func exchanges(kind: TransportKind) async throws {
        try await kind.withReactingServer({ _ in .respond(200) }) { transport, server in
            let jar = CookieJar()
            jar.store(setCookie: ["a=1"], from: server.url(), context: CookieContext())
            let log = TestLog()
            let session = Session(
                transport: transport,
                exchangeMiddleware: [
                    Middleware { request, context, next in
                        log.note("\(request.headers[.cookie] ?? "-") \(request.headers[.userAgent] == nil)")
                        log.note("\(context.target ?? "-") \(context.id) \(context.retryCount)")
                        var body = Data()
                        let reader = try request.body?.open()
                        while let piece = try await reader?.next() { body += piece }
                        log.note(String(decoding: body, as: UTF8.self))
                        return try await next(request)
                    }
                ],
                options: SessionOptions(cookieStorage: jar)
            )
            let record = RequestRecord()
            _ = try await session.data(
                for: server.request(method: "POST"),
                body: .data(Data("body".utf8)),
                record: record,
                settings: RequestSettings(target: "target")
            )
            #expect(log.lines == ["a=1 false", "target \(record.id) 0", "body"])
            #expect(server.requests.map(\.text) == ["body"])
        }
    }

    @Test("the request of a middleware has the target of its provider", arguments: [true, false])
    func target(isAroundExchange: Bool) async throws {
        let own = Middleware { request, _, _ in
            TransportResponse(status: 200, headers: [.server: "\(request.target ?? "-")"], body: .complete(Data()))
        }
        let session = Session(
            transport: NoTransport(),
            middleware: isAroundExchange ? [] : [own],
            exchangeMiddleware: isAroundExchange ? [own] : []
        )
        let response = try await session.data(
            for: URLRequest.some(),
            record: RequestRecord(),
            settings: RequestSettings(target: "target")
        )
        #expect(response.headers[.server] == "target")
    }

    @Test(
        "the response of a middleware that does not call next reaches the caller, and nothing is sent",
        arguments: [true, false]
    )
    func responds(isAroundExchange: Bool) async throws {
        let own = Middleware { _, _, _ in
            TransportResponse(status: 203, headers: [.server: "own"], body: .complete(Data("own".utf8)))
        }
        let session = Session(
            transport: NoTransport(),
            middleware: isAroundExchange ? [] : [own],
            exchangeMiddleware: isAroundExchange ? [own] : []
        )
        let request = URLRequest.some()
        let response = try await session.data(for: request)
        #expect(response.statusCode == 203)
        #expect(response.headers[.server] == "own")
        #expect(response.data == Data("own".utf8))
        #expect(response.url == request.url)

        let (head, body) = try await session.stream(for: request)
        #expect(head.statusCode == 203)
        var streamed = Data()
        for try await piece in body { streamed += piece }
        #expect(streamed == Data("own".utf8))

        let folder = try TemporaryFolder()
        let file = folder.file("a")
        let saved = try await session.download(request, to: { _, _ in (file, []) })
        #expect(saved.statusCode == 203)
        #expect(try Data(contentsOf: file) == Data("own".utf8))
    }

    @Test("a response that a middleware has kept from a download cannot be used for another download")
    func keepsDownload() async throws {
        let kept = Locked<TransportResponse?>(nil)
        let keeping = Middleware { request, _, next in
            if let response = kept.withLock({ $0 }) { return response }
            let response = try await next(request)
            kept.withLock { $0 = response }
            return response
        }
        let session = Session(transport: ReplyTransport(), middleware: [keeping])
        let folder = try TemporaryFolder()
        let (first, second) = (folder.file("a"), folder.file("b"))
        _ = try await session.download(URLRequest.some(), to: { _, _ in (first, []) })
        #expect(try Data(contentsOf: first) == Data("reply".utf8))
        let error = await #expect(throws: URLError.self) {
            try await session.download(URLRequest.some(), to: { _, _ in (second, []) })
        }
        #expect(error?.code == .resourceUnavailable)
        #expect(!FileManager.default.fileExists(atPath: second.path))
    }

    @Test("the size limit applies to a response that a middleware creates")
    func limitsOwnBody() async throws {
        let own = Middleware { _, _, _ in TransportResponse(status: 200, body: .complete(Data(count: 11))) }
        let session = Session(
            transport: NoTransport(),
            middleware: [own],
            options: SessionOptions(maximumBodySize: 10)
        )
        let error = await #expect(throws: URLError.self) { try await session.data(for: URLRequest.some()) }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }

    @Test(
        "a middleware's error reaches the caller, and a cancellation becomes URLError.cancelled",
        arguments: [true, false]
    )
    func throwing(isAroundExchange: Bool) async throws {
        for error in [TestFailure(), CancellationError()] as [any Error] {
            let failing = Middleware { _, _, _ in throw error }
            let session = Session(
                transport: NoTransport(),
                middleware: isAroundExchange ? [] : [failing],
                exchangeMiddleware: isAroundExchange ? [failing] : []
            )
            let thrown = await #expect(throws: (any Error).self) { try await session.data(for: URLRequest.some()) }
            if error is TestFailure { #expect(thrown is TestFailure) } else { #expect(isCancelled(thrown)) }
        }
    }

    @Test("an error of a middleware around an exchange may be retried, and an error around the whole request may not")
    func retried() async throws {
        let count = Locked(0)
        let failing = Middleware { _, _, _ in
            count.withLock { $0 += 1 }
            throw TestFailure()
        }
        let interceptor = TestInterceptor.repeating(2)
        await #expect(throws: TestFailure.self) {
            try await Session(transport: NoTransport(), interceptor: interceptor, exchangeMiddleware: [failing])
                .data(for: URLRequest.some())
        }
        #expect(count.withLock { $0 } == 3)
        await #expect(throws: TestFailure.self) {
            try await Session(transport: NoTransport(), interceptor: interceptor, middleware: [failing])
                .data(for: URLRequest.some())
        }
        #expect(count.withLock { $0 } == 4)
    }

    @Test("a middleware may send a request several times", arguments: TransportKind.allCases)
    func repeats(kind: TransportKind) async throws {
        try await kind.withReactingServer({ .respond($0.number == 0 ? 429 : 200) }) { transport, server in
            let again = Middleware { request, _, next in
                let response = try await next(request)
                return response.status == 429 ? try await next(request) : response
            }
            for session in [
                Session(transport: transport, middleware: [again]),
                Session(transport: transport, exchangeMiddleware: [again]),
            ] {
                let response = try await session.data(for: server.request())
                #expect(response.statusCode == 200)
            }
            #expect(server.count == 3)
        }
    }

    @Test(
        "a body that passes a middleware stays a stream if the caller reads a stream",
        arguments: TransportKind.allCases
    )
    func streams(kind: TransportKind) async throws {
        try await kind.withReactingServer({ _ in .respond(200, body: Data("abc".utf8)) }) { transport, server in
            let upper = Middleware { request, _, next in
                var response = try await next(request)
                let iterator = Locked(TransportBodyStream(response.body).makeAsyncIterator())
                response.body = .stream(
                    TransportBodyStream {
                        var reader = iterator.withLock { $0 }
                        return try await reader.next().map {
                            Data(String(decoding: $0, as: UTF8.self).uppercased().utf8)
                        }
                    }
                )
                return response
            }
            for session in [
                Session(transport: transport, middleware: [upper]),
                Session(transport: transport, exchangeMiddleware: [upper]),
            ] {
                let (_, body) = try await session.stream(for: server.request())
                var streamed = Data()
                for try await piece in body { streamed += piece }
                #expect(streamed == Data("ABC".utf8))
                #expect(try await session.data(for: server.request()).data == Data("ABC".utf8))
            }
        }
    }

    @Test("monitors see requests that a middleware ends", arguments: [true, false])
    func monitors(isAroundExchange: Bool) async throws {
        let monitor = EventNames()
        let own = Middleware { _, _, _ in TransportResponse(status: 200, body: .complete(Data("own".utf8))) }
        let session = Session(
            transport: NoTransport(),
            eventMonitors: [monitor],
            middleware: isAroundExchange ? [] : [own],
            exchangeMiddleware: isAroundExchange ? [own] : []
        )
        _ = try await session.data(for: URLRequest.some())
        #expect(monitor.log.lines == ["queued", "body", "finished"])
    }

    @Test("cancellation ends the request even if its middleware continues")
    func cancelled() async throws {
        let began = Promise<Void>()
        let session = Session(
            transport: ReplyTransport(),
            middleware: [
                Middleware { request, _, next in
                    began.fulfill(())
                    while !Task.isCancelled { await Task.yield() }
                    return try await next(request)
                }
            ]
        )
        let task = Task { try await session.data(for: URLRequest.some()) }
        await began.wait()
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}

/// A transport that responds immediately.
private struct ReplyTransport: HTTPTransport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        TransportResponse(status: 200, body: .complete(Data("reply".utf8)))
    }

    func shutdown() async {}
}

/// Records the names of events.
private struct EventNames: EventMonitor {
    let log = TestLog()

    func record(_ event: RequestEvent) { log.note(String("\(event.kind)".prefix { $0 != "(" })) }
}
