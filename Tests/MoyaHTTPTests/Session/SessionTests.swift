import Foundation
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session sends requests with its configuration")
struct SessionTests {
    private func configuration(_ change: (URLSessionConfiguration) -> Void = { _ in }) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.withDefaultHeaders
        change(configuration)
        return configuration
    }

    private func echo(_ request: URLRequest, from session: Session) async throws -> PlainServer.Echo {
        try await JSONDecoder().decode(PlainServer.Echo.self, from: session.data(for: request).data)
    }

    @Test("facts 44, 45: the default headers are sent with every transport", arguments: TransportKind.allCases)
    func defaultHeaders(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            let echo = try await echo(URLRequest(url: server.url("/echo")), from: Session(transport: transport))
            #expect(echo.headers["accept-encoding"]?.hasPrefix("gzip, deflate") == true)
            #expect(echo.headers["accept-language"]?.contains("q=1.0") == true)
            #expect(echo.headers["user-agent"]?.hasSuffix(" Moya/\(LibraryVersion.current)") == true)
        }
    }

    @Test(
        "a request's header replaces the session's header with the same name, ignoring case",
        arguments: TransportKind.allCases
    )
    func headers(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            let session = Session(
                transport: transport,
                configuration: configuration { $0.headers = ["X-One": "session", "X-Two": "session"] }
            )
            var request = URLRequest(url: server.url("/echo"))
            request.setValue("request", forHTTPHeaderField: "x-one")
            let echo = try await echo(request, from: session)
            #expect(echo.headers["x-one"] == "request")
            #expect(echo.headers["x-two"] == "session")
        }
    }

    @Test("an invalid header of the session fails the request, and the error names the header")
    func badSessionHeader() async {
        let session = Session(configuration: configuration { $0.headers = ["X": "a\r\nb"] })
        await #expect(throws: RequestValidationError.invalidHeaderValue(name: "X")) {
            try await session.data(for: URLRequest(url: URL(fileURLWithPath: "/")))
        }
    }

    @Test("the configuration's timeout applies unless the request sets one", arguments: TransportKind.allCases)
    func timeouts(kind: TransportKind) async throws {
        try await kind.withMisbehavingServer { transport, server in
            let quick = Session(
                transport: transport,
                configuration: configuration { $0.timeoutIntervalForRequest = 0.2 }
            )
            let patient = Session(
                transport: transport,
                configuration: configuration { $0.timeoutIntervalForRequest = 300 }
            )
            let short = Session(
                transport: transport,
                configuration: configuration { $0.timeoutIntervalForResource = 0.2 }
            )
            var urgent = URLRequest(url: server.url(.neverResponds))
            urgent.timeoutInterval = 0.2
            let plain = URLRequest(url: server.url(.neverResponds))
            for (session, request) in [(quick, plain), (patient, urgent), (short, plain)] {
                let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
                #expect(error?.code == .timedOut)
            }
        }
    }

    @Test("concurrent requests share the connections that the configuration allows")
    func connections() async throws {
        try await PlainServer.run { server in
            let session = Session(configuration: configuration { $0.httpMaximumConnectionsPerHost = 2 })
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await session.data(for: URLRequest(url: server.url("/json"))).statusCode }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 100))
        }
    }

    @Test("the progress of a request counts received bytes", arguments: TransportKind.allCases)
    func progress(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            let session = Session(transport: transport)
            let counts = Locked<[Int64]>([])
            let totals = Locked<Set<Int64>>([])
            let response = try await session.data(for: URLRequest(url: server.url("/bytes/300000"))) { progress in
                counts.withLock { $0.append(progress.completedUnitCount) }
                totals.withLock { _ = $0.insert(progress.totalUnitCount) }
            }
            let seen = counts.withLock { $0 }
            #expect(response.data.count == 300_000)
            #expect(seen.last == 300_000)
            #expect(seen == seen.sorted())
            #expect(totals.withLock { $0 } == [300_000])
        }
    }

    @Test("a session's response is available as Foundation's HTTPURLResponse")
    func foundationResponse() async throws {
        try await PlainServer.run { server in
            let response = try await Session().data(for: URLRequest(url: server.url("/json")))
            let http = response.makeHTTPURLResponse()
            #expect(http?.statusCode == 200)
            #expect(http?.url == server.url("/json"))
            #expect(http?.value(forHTTPHeaderField: "content-type") == "application/json")
        }
    }

    @Test("a configuration that only URLSession supports creates a URLSession transport")
    func engineChoice() {
        class Own: URLProtocol {}
        let session = Session(configuration: configuration { $0.protocolClasses = [Own.self] })
        #expect(session.transport is URLSessionTransport)
        #if NIO && !canImport(Darwin)
        #expect(Session().transport is NIOTransport)
        #endif
    }

    @Test("a released session completes its running request", arguments: TransportKind.allCases)
    func sessionGoes(kind: TransportKind) async throws {
        try await PlainServer.run { server in
            var session: Session? = Session(transport: kind.make())
            let task = Task { [session] in try await session?.data(for: URLRequest(url: server.url("/chunks/500"))) }
            session = nil
            let response = try await task.value
            #expect(response?.data.count == 500_000)
        }
    }
}

@Suite("A request object represents one request")
struct PreparedRequestTests {
    @Test("a request object waits until it is resumed if startRequestsImmediately is false")
    func resume() async throws {
        let server = try await MisbehavingServer()
        let session = Session(configuration: .withDefaultHeaders, startRequestsImmediately: false)
        let request = session.request(URLRequest(url: server.url(.none)))
        let waiting = Task { try await request.value }
        // Another request is sent afterwards. If the first one had been sent, the server would have received it first.
        _ = try await session.data(for: URLRequest(url: server.url(.echoes)))
        request.resume()
        #expect(try await waiting.value.data == Data("ok".utf8))
        var paths: [String] = []
        for await event in server.events {
            if case .request(let path) = event { paths.append(path) }
            if paths.count == 2 { break }
        }
        #expect(paths == ["/echoes", "/none"])
        try await server.shutDown()
    }

    @Test("a request object starts when its response is awaited, and all callers get the same response")
    func immediately() async throws {
        let server = try await MisbehavingServer()
        let request = Session().request(URLRequest(url: server.url()))
        async let first = request.value
        async let second = request.value
        #expect(try await first.data == Data("ok".utf8))
        #expect(try await second.data == Data("ok".utf8))
        try await server.shutDown()
    }

    @Test("a request object is not sent if it was cancelled before its start")
    func cancelled() async throws {
        let request = Session(startRequestsImmediately: false)
            .request(URLRequest(url: try #require(URL(string: "http://127.0.0.1:9/"))))
        request.cancel()
        #expect(request.isCancelled)
        let error = await #expect(throws: URLError.self) { try await request.value }
        #expect(error?.code == .cancelled)
    }

    @Test("a request object closes its connection if it is cancelled during the exchange")
    func cancelledOnTheWay() async throws {
        let server = try await MisbehavingServer()
        let request = Session().request(URLRequest(url: server.url(.neverResponds)))
        let waiting = Task { try await request.value }
        #expect(await server.wait(for: .request(path: "/neverResponds")))
        request.cancel()
        let error = await #expect(throws: URLError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        #expect(await server.wait(for: .closed(path: "/neverResponds")))
        try await server.shutDown()
    }

    @Test("a request object is released completely if it never starts")
    func dropped() {
        weak var dropped: Request?
        do {
            let request = Session(startRequestsImmediately: false).request(URLRequest(url: URL(fileURLWithPath: "/")))
            dropped = request
        }
        #expect(dropped == nil)
    }

    @Test("a request object throws the conversion's error when the response is awaited")
    func unconvertible() async {
        struct Nonsense: URLRequestConvertible {
            func asURLRequest() throws -> URLRequest { throw URLError(.badURL) }
        }
        let request = Session().request(Nonsense())
        #expect(request.request == nil)
        await #expect(throws: URLError(.badURL)) { try await request.value }
    }
}
