#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import MoyaHTTP
import TestServers
import Testing

@Suite("An exchange works over HTTP/2", .timeLimit(.minutes(5)))
struct HTTP2ExchangeTests {
    private func run(
        _ body: @Sendable (NIOTransport, SecureServer) async throws -> Void
    ) async throws {
        let authority = try TestAuthority()
        let transport = try NIOTransport(connection: TransportConfiguration(trusting: authority))
        try await SecureExchanges.withServer(try authority.issue(), http2: true) { server in
            try await transport.shutDown(after: { try await body(transport, server) })
        }
    }

    @Test("many concurrent exchanges use one HTTP/2 connection")
    func multiplexed() async throws {
        try await run { transport, server in
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let request = TransportRequest(method: .get, url: server.url("/\(number)"))
                        return try await SecureExchanges.text(of: transport.send(request))
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts == Set((0..<50).map { "GET /\($0) 2" }))
            await transport.shutdown()
            #expect(await server.waitUntilClosed()?.events.count == 50)
        }
    }

    @Test("bodies of every kind are echoed unchanged over HTTP/2", arguments: [0, 1_000, 100_000, 3_000_000])
    func echo(length: Int) async throws {
        try await run { transport, server in
            let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 / 7) })
            let request = TransportRequest(method: .put, url: server.url("/echo"), body: .data(data))
            let response = try await transport.send(request)
            var all = Data()
            switch response.body {
            case .complete(let data): all = data
            case .stream(let stream): for try await chunk in stream { all.append(chunk) }
            }
            #expect(all == data)
        }
    }

    @Test(
        "after GOAWAY, running requests end normally, and new requests use another connection (RFC 9113, section 6.8)"
    )
    func goesAway() async throws {
        try await run { transport, server in
            let never = Task { try await transport.send(TransportRequest(method: .get, url: server.url("/never"))) }
            #expect(await server.waitForEvent { $0.isRequest(of: "/never") })
            for path in ["/goAway", "/next"] {
                let response = try await transport.send(TransportRequest(method: .get, url: server.url(path)))
                #expect(try await SecureExchanges.text(of: response) == "GET \(path) 2")
            }
            never.cancel()
            _ = await never.result
            // The first connection closes with its last request, and the next one stays in use.
            #expect(await server.waitUntilClosed() != nil)
            _ = try await transport.send(TransportRequest(method: .get, url: server.url("/last")))
            await transport.shutdown()
            #expect(await server.waitUntilClosed()?.events.contains { $0.isRequest(of: "/last") } == true)
        }
    }

    @Test(
        "an unprocessed HTTP/2 request is sent again, with any method (RFC 9113, section 8.7)",
        arguments: ["/refusedOnce", "/goneOnce"],
        [HTTPMethod.get, .post]
    )
    func refusedOnce(_ path: String, _ method: HTTPMethod) async throws {
        try await run { transport, server in
            let body: HTTPBody? = method == .post ? .data(Data(repeating: 1, count: 100_000)) : nil
            let request = TransportRequest(method: method, url: server.url(path), body: body)
            let text = try await SecureExchanges.text(of: transport.sendAsSession(request))
            #expect(text == "\(method.rawValue) \(path) 2")
            await transport.shutdown()
            for _ in 0..<(path == "/goneOnce" ? 2 : 1) { #expect(await server.waitUntilClosed() != nil) }
        }
    }

    @Test(
        "a body that can be read only once is not sent again over HTTP/2, and any other body is sent at most a hundred times"
    )
    func refused() async throws {
        try await run { transport, server in
            let once = HTTPBody.sequence(AsyncStream<Data> { $0.finish() })
            for (path, body) in [("/refused", nil), ("/refusedOnce", once)] {
                let request = TransportRequest(method: .post, url: server.url(path), body: body)
                // The delays take half of the minute after which no request is resent.
                let error = await #expect(throws: URLError.self) {
                    try await transport.sendAsSession(request, clock: WaitClock())
                }
                #expect(error?.isRequestUnprocessed == true)
            }
            await transport.shutdown()
            let events = try #require(await server.waitUntilClosed()?.events)
            #expect(events.count { $0.isRequest(of: "/refused") } == 101)
            #expect(events.count { $0.isRequest(of: "/refusedOnce") } == 1)
        }
    }

    @Test("cancellation of an exchange closes the HTTP/2 stream and not the connection")
    func cancelled() async throws {
        try await run { transport, server in
            let task = Task { try await transport.send(TransportRequest(method: .get, url: server.url("/never"))) }
            #expect(await server.waitForEvent { $0.isRequest(of: "/never") })
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            try await expectStreamOnlyEnds("GET /never", transport, server)
        }
    }

    @Test("releasing a response closes the HTTP/2 stream and not the connection")
    func letGo() async throws {
        try await run { transport, server in
            let request = TransportRequest(method: .get, url: server.url("/endless"))
            do {
                let response = try await transport.send(request)
                guard case .stream(let stream) = response.body else {
                    Issue.record("\(response)")
                    return
                }
                for try await chunk in stream where !chunk.isEmpty { break }
            }
            try await expectStreamOnlyEnds("GET /endless", transport, server)
        }
    }

    @Test("a timeout closes the HTTP/2 stream and not the connection", arguments: [false, true])
    func timedOut(isTotal: Bool) async throws {
        try await run { transport, server in
            // This request makes the connection, which takes time.
            _ = try await transport.send(TransportRequest(method: .get, url: server.url("/first")))
            var request = TransportRequest(method: .get, url: server.url("/never"))
            if isTotal {
                request.exchangeTimeout = .seconds(3)
            } else {
                request.idleTimeout = .seconds(3)
            }
            let never = Task { [request] in _ = try await transport.send(request) }
            #expect(await server.waitForEvent { $0.isRequest(of: "/never") })
            // A response meanwhile shows that the server is alive, so that the pool need not wait for the response to a PING.
            _ = try await transport.send(TransportRequest(method: .get, url: server.url("/meanwhile")))
            let error = await #expect(throws: URLError.self) { try await never.value }
            #expect(error?.code == .timedOut)
            try await expectStreamOnlyEnds("GET /never", transport, server)
        }
    }

    private func expectStreamOnlyEnds(
        _ request: String,
        _ transport: NIOTransport,
        _ server: SecureServer
    ) async throws {
        #expect(await server.waitForEvent { $0 == .brokenOff(request) })
        let next = try await transport.send(TransportRequest(method: .get, url: server.url("/next")))
        #expect(try await SecureExchanges.text(of: next) == "GET /next 2")
        await transport.shutdown()
        // The request used the same connection, which had not been closed.
        #expect(await server.waitUntilClosed()?.events.map { $0.isRequest(of: "/next") } == [true])
    }
}

extension SecureServer.Event {
    fileprivate func isRequest(of path: String) -> Bool {
        if case .request(let text, _, _) = self { text.hasSuffix(" \(path)") } else { false }
    }
}
#endif
