import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("An event sequence continues over several connections")
struct EventSequenceTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let target = TaskTarget(method: .get, task: .requestPlain)

    @Test("an event sequence reconnects with the last event's ID after an end or a loss, and ends with 204")
    func reconnects() async {
        let server = ScriptedServer([
            .events(["id: 1\ndata: a\n\n", "data: b\n\n", "data: cut off"]),
            .events(["data: c\nid: 2\n\nid: 3\ndata: lost"], then: .error(.networkConnectionLost)),
            .error(.cannotConnectToHost),
            .events(["id\n\n"]),
            .response(204, type: nil),
        ])
        let (events, error) = await server.events(waits: [.seconds(3), .seconds(3), .seconds(3), .seconds(3)])
        #expect(error == nil, "\(String(describing: error))")
        #expect(
            events == [
                ServerSentEvent(id: "1", data: "a"), ServerSentEvent(id: "1", data: "b"),
                ServerSentEvent(id: "2", data: "c"),
            ]
        )
        // The last stream has reset the ID.
        #expect(server.sent("Last-Event-ID") == [nil, "1", "2", "2", nil])
    }

    @Test("an event sequence waits for the delay of the policy or the server, and longer after consecutive failures")
    func times() async {
        let server = ScriptedServer([
            .events(["data: a\n\n"]),
            .events(["retry: 500\n\ndata: b\n\n"]),
            .error(.networkConnectionLost),
            .error(.timedOut),
            .events(["data: c\n\n"]),
            .response(204, type: nil),
        ])
        let (events, error) = await server.events(
            reconnection: ReconnectionPolicy(initialDelay: .seconds(7), backoffFactor: 2),
            waits: [.seconds(7), .milliseconds(500), .milliseconds(500), .seconds(1), .milliseconds(500)]
        )
        #expect(error == nil)
        #expect(events.map(\.data) == ["a", "b", "c"])
        #expect(server.requests.values.count == 6)
    }

    @Test(
        "an event sequence of given events returns them unchanged with any content",
        arguments: [
            "a\u{2028}b", "a\u{2029}b", "a\u{85}b", "a\u{B}b\u{C}c", "a\nb", "a\r\nb", "a\rb", "\n", "", "e\u{301}",
        ]
    )
    func given(text: String) async throws {
        let events = [ServerSentEvent(id: text, event: text, data: text), ServerSentEvent(data: "last")]
        var seen: [ServerSentEvent] = []
        for try await event in EventSequence(events) { seen.append(event) }
        #expect(seen == events)
    }

    @Test("the loop over an event sequence sends the request, and each further loop sends a new request")
    func cold() async throws {
        let server = ScriptedServer([.events(["id: 9\ndata: a\n\n"]), .events(["data: b\n\n"])])
        let sequence = Provider(session: server.session, clock: ManualClock()).events(Self.target)
        #expect(server.requests.values.isEmpty)
        for expected in ["a", "b"] {
            for try await event in sequence {
                #expect(event.data == expected)
                break
            }
        }
        #expect(server.sent("Last-Event-ID") == [nil, nil])
    }

    @Test(
        "event requests have the standard's Accept and Cache-Control unless the target sets them, and plugins see both"
    )
    func headers() async {
        let server = ScriptedServer([.events(["id: 1\ndata: a\n\n"]), .response(204, type: nil)])
        _ = await server.events(waits: [.seconds(3)])
        #expect(server.sent("Accept") == ["text/event-stream", "text/event-stream"])
        #expect(server.sent("Cache-Control") == ["no-store", "no-store"])
        let own = ScriptedServer([.response(204, type: nil)])
        var target = Self.target
        target.headers = ["accept": "a/b", "cache-control": "no-cache", "last-event-id": "7"]
        _ = await own.events(of: target, waits: [])
        #expect(own.sent("Accept") == ["a/b"])
        #expect(own.sent("Cache-Control") == ["no-cache"])
        // The target sets an initial ID, which continues an earlier stream.
        #expect(own.sent("Last-Event-ID") == ["7"])
    }

    @Test("plugins see the request of each connection of an event sequence and may change it")
    func plugins() async throws {
        let server = ScriptedServer([.events(["id: 1\ndata: a\n\n"]), .response(204, type: nil)])
        let clock = ManualClock()
        let calls = Recorder<String>()
        let provider = Provider(
            session: server.session,
            plugins: [RecordingPlugin(calls: calls, header: ("X-Token", "t"))],
            clock: clock
        )
        let reader = Task {
            var count = 0
            for try await _ in provider.events(Self.target) { count += 1 }
            return count
        }
        await clock.someoneSleeps()
        clock.advance(by: .seconds(3))
        #expect(try await reader.value == 1)
        #expect(server.sent("X-Token") == ["t", "t"])
        #expect(
            calls.values == ["prepare", "willSend", "didReceive", "process"] + [
                "prepare", "willSend", "didReceive", "process",
            ]
        )
    }

    @Test("an event request with POST sends its body on each connection")
    func post() async {
        let server = ScriptedServer([.events(["data: a\n\n"]), .response(204, type: nil)])
        let (events, error) = await server.events(
            of: TaskTarget(task: .requestJSONEncodable(["a": 1])),
            reconnection: ReconnectionPolicy(repeatsUnsafeRequests: true),
            waits: [.seconds(3)]
        )
        #expect(error == nil)
        #expect(events.map(\.data) == ["a"])
        #expect(server.requests.values.map { $0.body?.data } == Array(repeating: Data(#"{"a":1}"#.utf8), count: 2))
    }
}
