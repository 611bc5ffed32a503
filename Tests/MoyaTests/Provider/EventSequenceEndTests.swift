import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("An event sequence ends or fails")
struct EventSequenceEndTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let target = TaskTarget(method: .get, task: .requestPlain)

    private func cause<Cause: Error>(of error: MoyaError?, as type: Cause.Type) -> Cause? {
        guard case .underlying(let cause, _) = error else { return nil }
        return cause as? Cause
    }

    @Test(
        "an unexpected status or content type fails the events with EventStreamError and the response, without a reconnection"
    )
    func refusals() async {
        let rows: [(Int, String?, EventStreamError)] = [
            (500, "text/event-stream", .unexpectedStatus(500)), (404, "text/html", .unexpectedStatus(404)),
            (206, "text/event-stream", .unexpectedStatus(206)), (200, "text/html", .unexpectedContentType("text/html")),
            (200, nil, .unexpectedContentType(nil)),
        ]
        for (status, type, expected) in rows {
            let server = ScriptedServer([
                .events(["data: a\n\n"]), .response(status, type: type, "data: never\n\n"),
            ])
            let (events, error) = await server.events(waits: [.seconds(3)])
            #expect(events.map(\.data) == ["a"])
            #expect(cause(of: error, as: EventStreamError.self) == expected)
            #expect(error?.response?.statusCode == status)
            #expect(error?.response?.headers["Content-Type"] == type)
            #expect(server.requests.values.count == 2)
            // The body is closed unread.
            await server.watches[1].closed.wait()
            #expect(server.watches[1].pulls.values.isEmpty)
        }
    }

    @Test(
        "an event sequence with reconnectsAfterServerErrors reconnects after a server error, even if validation rejects the status",
        arguments: [ValidationType.none, .successCodes]
    )
    func serverErrors(_ validation: ValidationType) async {
        let server = ScriptedServer([
            .response(502, type: "text/html", "<html>"),
            .events(["id: 1\ndata: a\n\n"], then: .error(.networkConnectionLost)),
            .response(503, type: nil),
            .response(500, type: nil),
            .events(["data: b\n\n"]),
            .response(204, type: nil),
        ])
        let (events, error) = await server.events(
            of: TaskTarget(method: .get, task: .requestPlain, validationType: validation),
            reconnection: ReconnectionPolicy(
                initialDelay: .seconds(1),
                backoffFactor: 2,
                reconnectsAfterServerErrors: true
            ),
            waits: [1, 1, 2, 4, 1].map { .seconds($0) }
        )
        #expect(events.map(\.data) == ["a", "b"] && error == nil)
        #expect(server.sent("Last-Event-ID") == [nil, nil, "1", "1", "1", "1"])
    }

    @Test("consecutive failures up to the policy's limit end an event sequence, and an event resets the count")
    func tooManyFailures() async {
        let server = ScriptedServer([
            .error(.cannotConnectToHost),
            .error(.timedOut),
            .events(["data: a\n\n"], then: .error(.networkConnectionLost)),
            .error(.cannotConnectToHost),
            .error(.cannotFindHost),
        ])
        let (events, error) = await server.events(
            reconnection: ReconnectionPolicy(initialDelay: .seconds(1), maximumFailures: 2),
            waits: Array(repeating: .seconds(1), count: 4)
        )
        #expect(events.map(\.data) == ["a"])
        #expect(cause(of: error, as: EventStreamError.self) == .tooManyFailures(3))
        #expect(server.requests.values.count == 5)
        let none = ScriptedServer([.error(.cannotConnectToHost)])
        let failed = await none.events(reconnection: ReconnectionPolicy(maximumFailures: 0), waits: [])
        #expect(cause(of: failed.error, as: EventStreamError.self) == .tooManyFailures(1))
    }

    @Test(
        "a permanent error of an event sequence is thrown immediately",
        arguments: [URLError.Code.badURL, .serverCertificateUntrusted, .unsupportedURL, .cancelled]
    )
    func permanent(code: URLError.Code) async {
        let server = ScriptedServer([.error(code)])
        let (events, error) = await server.events(waits: [])
        #expect(events.isEmpty)
        #expect(cause(of: error, as: URLError.self)?.code == code)
        #expect(server.requests.values.count == 1)
    }

    @Test("an invalid target, or a status that is not accepted, ends an event sequence")
    func misuse() async {
        let server = ScriptedServer([.response(503, type: "text/event-stream", "busy")])
        let form = await server.events(of: TaskTarget(task: .uploadMultipart([])), waits: [])
        guard case .parameterEncoding(is TargetMisuse) = form.error else {
            Issue.record("\(form)")
            return
        }
        #expect(server.requests.values.isEmpty)
        var strict = Self.target
        strict.validationType = .successCodes
        let refused = await server.events(of: strict, waits: [])
        #expect(refused.error?.response?.data == Data("busy".utf8))
        #expect(server.requests.values.count == 1)
    }

    @Test("an event beyond the limit ends the event sequence with StreamLimitError")
    func limit() async {
        let server = ScriptedServer([.events(["data: \(String(repeating: "x", count: 2_000))\n\n"])])
        let (events, error) = await server.events(maximumSize: 1_000, waits: [])
        #expect(events.isEmpty)
        #expect(cause(of: error, as: StreamLimitError.self) == .lineTooLong(limit: 1_000))
        #expect(error?.response?.statusCode == 200)
    }

    @Test("no event follows the end or an error of an event sequence")
    func over() async throws {
        let ended = Provider(session: ScriptedServer([.response(204, type: nil)]).session, clock: ManualClock())
        var iterator = ended.events(Self.target).makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        let refused = Provider(session: ScriptedServer([.response(500, type: nil)]).session, clock: ManualClock())
        var failing = refused.events(Self.target).makeAsyncIterator()
        await #expect(throws: MoyaError.self) { try await failing.next() }
        #expect(try await failing.next() == nil)
    }

    @Test("a cancelled task that waits for the reconnection of an event sequence ends immediately")
    func cancelledWhileWaiting() async {
        let server = ScriptedServer([.events(["data: a\n\n"])])
        let clock = ManualClock()
        let provider = Provider(session: server.session, clock: clock)
        let reader = Task { for try await _ in provider.events(Self.target) {} }
        await clock.someoneSleeps()
        reader.cancel()
        let error = await #expect(throws: MoyaError.self) { try await reader.value }
        #expect(cause(of: error, as: URLError.self)?.code == .cancelled)
        #expect(server.requests.values.count == 1)
    }

    @Test("a cancelled task that reads events closes the connection and does not reconnect")
    func cancelledWhileReading() async {
        let server = ScriptedServer([.events(["data: a\n\n"], then: .never)])
        let provider = Provider(session: server.session, clock: ManualClock())
        let reader = Task { for try await _ in provider.events(Self.target) {} }
        while server.watches[0].pulls.values.count < 2 { await Task.yield() }
        reader.cancel()
        await server.watches[0].closed.wait()
        let error = await #expect(throws: MoyaError.self) { try await reader.value }
        #expect(cause(of: error, as: URLError.self)?.code == .cancelled)
        #expect(server.requests.values.count == 1)
    }

    @Test("leaving the loop of an event sequence closes the connection")
    func leaving() async throws {
        let server = ScriptedServer([.events(["data: a\n\ndata: b\n\n"], then: .never)])
        let provider = Provider(session: server.session, clock: ManualClock())
        for try await event in provider.events(Self.target) {
            #expect(event.data == "a")
            break
        }
        await server.watches[0].closed.wait()
        #expect(server.requests.values.count == 1)
    }
}
