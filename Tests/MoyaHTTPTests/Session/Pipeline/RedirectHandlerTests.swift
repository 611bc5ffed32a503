import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Redirect handlers and interceptors work over a real connection", .timeLimit(.minutes(5)))
struct RedirectHandlerTests {
    struct Refusal: Error, Equatable {}

    private static let answer: @Sendable (HandlerServer.ReceivedRequest) -> HandlerServer.Response = { seen in
        switch seen.head.path {
        case "/a": .redirect(to: "/b")
        case "/b": .redirect(to: "/c")
        default: .ok("end")
        }
    }

    @Test("a redirect at which the handler stops is the response with its body", arguments: TransportKind.allCases)
    func stopping(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer) { transport, server in
            for handler in [Redirector.doNotFollow, Redirector(behavior: .modify { _ in nil })] {
                let session = Session.alone(on: transport, redirectHandler: handler)
                let response = try await session.data(for: URLRequest(url: server.url("/a")))
                #expect(response.statusCode == 302)
                #expect(response.text == "moved")
                #expect(response.headers[.location] == "/b")
                #expect(response.url == server.url("/a"))
            }
            #expect(server.lines == ["GET /a", "GET /a"])
        }
    }

    @Test("a redirect handler sees each redirect and may change it", arguments: TransportKind.allCases)
    func changing(kind: TransportKind) async throws {
        let counts = Locked<[Int]>([])
        try await kind.withHandlerServer(Self.answer) { transport, server in
            let handler = Redirector(
                behavior: .modify { redirect in
                    counts.withLock { $0.append(redirect.count) }
                    var next = redirect.request
                    if redirect.count == 2 { next.url = server.url("/other") }
                    if let name = HTTPField.Name("X-Hop") { next.headers[name] = "\(redirect.count)" }
                    return next
                }
            )
            let session = Session.alone(on: transport, redirectHandler: handler)
            let response = try await session.data(for: URLRequest(url: server.url("/a")))
            #expect(response.url == server.url("/other"))
            #expect(server.lines == ["GET /a", "GET /b", "GET /other"])
            #expect(server.seen.map { $0["X-Hop"] } == [nil, "1", "2"])
            #expect(counts.withLock { $0 } == [1, 2])
        }
    }

    @Test("a redirect handler's error is the request's error", arguments: TransportKind.allCases)
    func throwing(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer) { transport, server in
            let handler = Redirector(behavior: .modify { _ in throw Refusal() })
            await #expect(throws: Refusal()) {
                _ = try await Session.alone(on: transport, redirectHandler: handler)
                    .data(for: URLRequest(url: server.url("/a")))
            }
            #expect(server.lines == ["GET /a"])
        }
    }

    @Test(
        "interceptors adapt each redirect within the origin and no redirect to another origin",
        arguments: TransportKind.allCases
    )
    func adapting(kind: TransportKind) async throws {
        try await HandlerServer.run { seen in
            seen.head.path == "/d" ? .redirect(to: "/e") : .ok("end")
        } _: { other in
            let location = other.url("/d").absoluteString
            try await kind.withHandlerServer { seen in
                seen.head.path == "/a" ? .redirect(to: "/b") : .redirect(to: location)
            } _: { transport, server in
                let adapter = NotingAdapter(["X-Adapted": "yes"])
                let record = RequestRecord()
                let response = try await Session.alone(on: transport, interceptor: adapter)
                    .data(for: URLRequest(url: server.url("/a")), record: record)
                #expect(adapter.adapted == ["0 /a", "1 /b"])
                #expect(server.seen.map { $0["X-Adapted"] } == ["yes", "yes"])
                #expect(other.lines == ["GET /d", "GET /e"])
                #expect(response.url == other.url("/e"))
                #expect(response.request.url == server.url("/a"))
                #expect(response.request.value(forHTTPHeaderField: "X-Adapted") == "yes")
                #expect(record.currentRequest?.url == other.url("/e"))
            }
        }
    }

    /// Records the time limit of each exchange.
    private final class Timed: HTTPTransport {
        let transport: any HTTPTransport
        private let times = Locked<[Duration]>([])

        init(_ transport: any HTTPTransport) { self.transport = transport }

        var noted: [Duration] { times.withLock { $0 } }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            times.withLock { $0.append(request.exchangeTimeout) }
            return try await transport.send(request)
        }

        func shutdown() async { await transport.shutdown() }
    }

    @Test("the attempt timeout covers all redirects", arguments: TransportKind.allCases)
    func exchangeTimeout(kind: TransportKind) async throws {
        try await kind.withHandlerServer { seen in
            seen.head.path == "/3" ? .ok() : .redirect(to: "/\(seen.number + 1)")
        } _: { transport, server in
            let timed = Timed(transport)
            let session = Session.alone(on: timed) { $0.timeoutIntervalForResource = 600 }
            let response = try await session.data(for: URLRequest(url: server.url("/0")))
            #expect(response.statusCode == 200)
            #expect(timed.noted.allSatisfy { $0 <= .seconds(600) })
            #expect(timed.noted == timed.noted.sorted(by: >))
            #expect(Set(timed.noted).count == timed.noted.count)
            #expect(timed.noted.count == 4)
        }
    }

    @Test("cancellation during the exchange after a redirect closes the connection", arguments: TransportKind.allCases)
    func cancelling(kind: TransportKind) async throws {
        try await HandlerServer.run { _ in
            .missing
        } _: { other in
            let location = other.url("/b").absoluteString
            try await kind.withHandlerServer { _ in
                .redirect(to: location)
            } _: { transport, server in
                let session = Session.alone(on: transport)
                let task = Task { try await session.data(for: URLRequest(url: server.url("/a"))) }
                await other.waiting.wait()
                task.cancel()
                let error = await #expect(throws: URLError.self) { _ = try await task.value }
                #expect(error?.code == .cancelled)
                await other.abandoned.wait()
            }
        }
    }
}
