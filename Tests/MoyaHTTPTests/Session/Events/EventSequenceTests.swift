import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The events of a request have a fixed order", .timeLimit(.minutes(5)))
struct EventSequenceTests {
    private func check(
        _ kind: TransportKind,
        _ expected: [String],
        interceptor: (any RequestInterceptor)? = nil,
        _ react: @escaping @Sendable (ReactingServer.Received) async -> ReactingServer.Reaction,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (Session, ReactingServer) async throws -> Void
    ) async throws {
        let monitor = EventLog()
        try await kind.withReactingServer(react) { transport, server in
            let session = Session(
                transport: transport,
                interceptor: interceptor,
                eventMonitors: [monitor],
                options: SessionOptions(clock: WaitClock())
            )
            try await body(session, server)
            monitor.expect(expected, kind, sourceLocation: sourceLocation)
        }
    }

    static let exchange = ["sending GET /", "connected"]

    @Test("a successful request is reported as events in order", arguments: TransportKind.allCases)
    func success(kind: TransportKind) async throws {
        let expected = ["queued"] + Self.exchange + ["head 200", "body 2", "finished 200"]
        try await check(kind, expected, { _ in .respond(200) }) { session, server in
            _ = try await session.data(for: server.request())
        }
    }

    @Test("a successful request without a body is reported as events in order", arguments: TransportKind.allCases)
    func noBody(kind: TransportKind) async throws {
        let expected = ["queued"] + Self.exchange + ["head 204", "body 0", "finished 204"]
        try await check(kind, expected, { _ in .respond(204, body: Data()) }) { session, server in
            _ = try await session.data(for: server.request())
        }
    }

    @Test("a failure of the exchange is reported as events in order", arguments: TransportKind.allCases)
    func failure(kind: TransportKind) async throws {
        let expected = ["queued", "sending POST /", "connected", "failed -1005"]
        try await check(kind, expected, { _ in .cut }) { session, server in
            await #expect(throws: URLError.self) { try await session.data(for: server.request(method: "POST")) }
        }
    }

    @Test("a failure before the exchange is reported as events in order", arguments: TransportKind.allCases)
    func failureBefore(kind: TransportKind) async throws {
        let interceptor = TestInterceptor(onAdapt: { _, _ in throw TestFailure() })
        try await check(
            kind,
            ["queued", "failed TestFailure()"],
            interceptor: interceptor,
            { _ in .respond(200) }
        ) { session, server in
            await #expect(throws: TestFailure()) { try await session.data(for: server.request()) }
        }
    }

    @Test("two retries and a success are reported as events in order", arguments: TransportKind.allCases)
    func retry(kind: TransportKind) async throws {
        let first = Self.exchange + ["head 503", "retrying 2.0 seconds 503 #0"]
        // The body of a failed attempt is neither read nor reported.
        let second = Self.exchange.map { "\($0) #1" } + ["head 200 #1", "retrying 2.0 seconds -1005 #1"]
        let third = Self.exchange.map { "\($0) #2" } + ["head 200 #2", "body 2 #2", "finished 200 #2"]
        try await check(
            kind,
            ["queued"] + first + second + third,
            interceptor: TestInterceptor.repeating(2, .retryWithDelay(2)),
            { received in
                [.respond(503), .cutInBody, .respond(200)][min(received.number, 2)]
            }
        ) { session, server in
            // A progress handler makes the body arrive piece by piece.
            _ = try await session.data(for: server.request(), progress: { _ in })
        }
    }

    @Test("a redirect is reported as events in order", arguments: TransportKind.allCases)
    func redirect(kind: TransportKind) async throws {
        let expected =
            ["queued"] + Self.exchange + ["head 302", "redirecting /there"]
            + ["sending GET /there ->1", "connected ->1", "head 200 ->1", "body 2 ->1", "finished 200 ->1"]
        try await check(
            kind,
            expected,
            { $0.head.path == "/" ? .respond(302, headers: ["Location: /there"]) : .respond(200) }
        ) { session, server in
            _ = try await session.data(for: server.request())
        }
    }

    @Test("a challenge is reported as events in order", arguments: TransportKind.allCases)
    func challenge(kind: TransportKind) async throws {
        let expected =
            ["queued"] + Self.exchange + ["head 401", "authenticating Basic"] + Self.exchange
            + ["head 200", "body 2", "finished 200"]
        try await check(
            kind,
            expected,
            { received in
                received.head["authorization"] == nil
                    ? .respond(401, headers: ["WWW-Authenticate: Basic realm=\"a\""]) : .respond(200)
            }
        ) { session, server in
            let record = RequestRecord()
            record.setCredential(URLCredential(user: "a", password: "b", persistence: .none))
            _ = try await session.data(for: server.request(), record: record)
        }
    }

    @Test("a challenge without a response is reported as events in order", arguments: TransportKind.allCases)
    func challengeLeft(kind: TransportKind) async throws {
        let expected = ["queued"] + Self.exchange + ["head 401", "body 2", "finished 401"]
        for scheme in ["Basic", "Digest"] {
            let challenge = "WWW-Authenticate: \(scheme) realm=\"a\", nonce=\"b\""
            try await check(kind, expected, { _ in .respond(401, headers: [challenge]) }) { session, server in
                let response = try await session.data(for: server.request())
                #expect(response.data == Data("ok".utf8))
            }
        }
    }

    @Test("a stream that is read to its end is reported as events in order", arguments: TransportKind.allCases)
    func stream(kind: TransportKind) async throws {
        let expected = ["queued"] + Self.exchange + ["head 200", "body 2", "finished 200"]
        try await check(kind, expected, { _ in .respond(200) }) { session, server in
            let (_, body) = try await session.stream(for: server.request())
            for try await _ in body {}
        }
    }

    @Test(
        "a stream that is abandoned, unread or broken is reported as events in order",
        arguments: TransportKind.allCases
    )
    func streamLeft(kind: TransportKind) async throws {
        let long = Data(count: 20_000_000)
        let head = ["queued"] + Self.exchange + ["head 200"]
        try await check(kind, head + ["body", "failed -999"], { _ in .respond(200, body: long) }) { session, server in
            let (_, body) = try await session.stream(for: server.request())
            for try await _ in body { break }
            withExtendedLifetime(body) {}
        }
        try await check(kind, head + ["failed -999"], { _ in .respond(200, body: long) }) { session, server in
            _ = try await session.stream(for: server.request())
        }
        // URLSession on Linux may report the end before the head.
        if kind == .urlSession, foundationIsOnLinux { return }
        try await check(kind, head + ["body", "failed -1005"], { _ in .cutInBody }) { session, server in
            let (_, body) = try await session.stream(for: server.request())
            await #expect(throws: URLError.self) { for try await _ in body {} }
        }
    }

    @Test("a download and its resumption are reported as events in order", arguments: TransportKind.allCases)
    func download(kind: TransportKind) async throws {
        let folder = try TemporaryFolder()
        let expected = ["queued"] + Self.exchange + ["head 200", "finished 200"]
        try await check(kind, expected, { _ in .respond(200) }) { session, server in
            _ = try await session.download(server.request(), to: { _, _ in (folder.file("a"), []) })
        }
        let server = try await DownloadServer(.init(length: 300_000) { $0.breaksOffAfter = [100_000] })
        let resumed =
            ["queued", "sending GET /file.bin", "connected", "head 200"]
            + ["sending GET /file.bin", "connected", "head 206", "finished 200"]
        try await kind.withTransport { transport in
            let monitor = EventLog()
            _ = try await Session(transport: transport, eventMonitors: [monitor])
                .download(
                    URLRequest(url: server.url()),
                    to: { _, _ in (folder.file("b"), .resumesWhenInterrupted) }
                )
            monitor.expect(resumed, kind)
        }
        await server.shutDown()
    }

    @Test("the events of a request share a number, and other requests have other numbers")
    func numbers() async throws {
        let kind = TransportKind.allCases[0]
        try await kind.withReactingServer({ $0.number % 2 == 0 ? .respond(503) : .respond(200) }) { transport, server in
            let monitor = EventLog()
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor.repeating(3),
                eventMonitors: [monitor, monitor]
            )
            let records = (0..<20).map { _ in RequestRecord() }
            for record in records {
                _ = try await session.data(for: server.request(), record: record)
            }
            var ids = monitor.events.map(\.id)
            // The monitors are called one after the other.
            #expect(stride(from: 0, to: ids.count, by: 2).allSatisfy { ids[$0] == ids[$0 + 1] })
            ids = ids.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
            #expect(ids == records.map(\.id))
            #expect(Set(ids).count == records.count)
            let instants = monitor.events.map(\.instant)
            #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }
}
