import Foundation
import Testing

@testable import MoyaHTTP

@Suite("An event stream is read, reconnects or ends (WHATWG HTML, section 9.2.3)")
struct EventStreamReconnectionTests {
    private typealias Action = EventStreamReconnection.Action

    private func connected(
        status: Int,
        contentType: String?,
        policy: ReconnectionPolicy = ReconnectionPolicy()
    ) -> Action {
        var state = EventStreamReconnection(policy: policy)
        return state.handleResponse(status: status, contentType: contentType)
    }

    @Test(
        "an event stream is read from a response with status 200 and the correct type",
        arguments: [
            "text/event-stream", "Text/Event-Stream", "TEXT/EVENT-STREAM", "text/event-stream;charset=utf-8",
            "text/event-stream; charset=UTF-8", "text/event-stream ; charset=latin1; x=\"a;b\"", "text/event-stream;",
            " text/event-stream\t",
        ]
    )
    func read(_ contentType: String) {
        #expect(connected(status: 200, contentType: contentType) == .read)
    }

    @Test(
        "an event stream's response with another type, or without a type, is an error",
        arguments: [
            nil, "", ";", "text/html", "text/plain; x=text/event-stream", "application/json", "text/event-streams",
            "text/event-stream, text/html", "xtext/event-stream", "text /event-stream", "event-stream",
            "text/event-stream\u{A0}",
        ]
    )
    func wrongType(_ contentType: String?) {
        #expect(
            connected(status: 200, contentType: contentType)
                == .fail(.unexpectedContentType(contentType))
        )
    }

    @Test(
        "the status 204 ends an event stream, with any type",
        arguments: [nil, "text/event-stream", "text/html"]
    )
    func noMore(_ contentType: String?) {
        #expect(connected(status: 204, contentType: contentType) == .stop)
    }

    @Test(
        "any other status of an event stream is an error, with any type",
        arguments: [
            100, 199, 201, 202, 203, 205, 206, 300, 301, 302, 304, 307, 400, 401, 404, 410, 429, 500, 502, 503, 0, -1,
        ]
    )
    func wrongStatus(_ status: Int) {
        for type in ["text/event-stream", "text/html", nil] {
            #expect(
                connected(status: status, contentType: type)
                    == .fail(.unexpectedStatus(status))
            )
        }
    }

    @Test(
        "statuses from 500 to 599 are transient failures of an event stream only with reconnectsAfterServerErrors",
        arguments: [(500, true), (503, true), (599, true), (499, false), (600, false), (404, false), (429, false)]
    )
    func serverErrors(_ status: Int, _ reconnects: Bool) {
        let policy = ReconnectionPolicy(initialDelay: .seconds(7), reconnectsAfterServerErrors: true)
        for type in ["text/event-stream", "text/html", nil] {
            #expect(
                connected(status: status, contentType: type, policy: policy)
                    == (reconnects
                        ? .reconnect(after: .seconds(7), lastEventID: nil) : .fail(.unexpectedStatus(status)))
            )
        }
        #expect(
            EventStreamReconnection(policy: policy).failure(status: status) == (reconnects ? .transient : .permanent)
        )
        #expect(EventStreamReconnection(policy: ReconnectionPolicy()).failure(status: status) == .permanent)
    }

    @Test("a status from 500 to 599 counts as a consecutive failure of an event stream")
    func serverErrorsInARow() {
        var state = EventStreamReconnection(
            policy: ReconnectionPolicy(
                initialDelay: .seconds(1),
                maximumFailures: 2,
                backoffFactor: 2,
                reconnectsAfterServerErrors: true
            )
        )
        let actions = (0..<3).map { _ in state.handleResponse(status: 502, contentType: nil) }
        #expect(
            actions == [
                .reconnect(after: .seconds(1), lastEventID: nil), .reconnect(after: .seconds(2), lastEventID: nil),
                .fail(.tooManyFailures(3)),
            ]
        )
    }

    // MARK: - Sequences of events

    enum Step: Sendable {
        case event(String)
        case idOnly(String)
        case retry(Int)
        case ends
        case breaks
        case breaksForGood
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: ReconnectionPolicy
        let steps: [Step]
        /// The steps that end a connection.
        let actions: [EventStreamReconnection.Action]

        init(_ rule: String, _ policy: ReconnectionPolicy, _ steps: [Step], _ actions: [EventStreamReconnection.Action])
        {
            testDescription = rule
            self.policy = policy
            self.steps = steps
            self.actions = actions
        }
    }

    private static func again(_ seconds: Int, _ id: String? = nil) -> EventStreamReconnection.Action {
        .reconnect(after: .seconds(seconds), lastEventID: id)
    }

    private static let standard = ReconnectionPolicy()
    private static let doubling = ReconnectionPolicy(initialDelay: .seconds(1), backoffFactor: 2)
    private static let three = ReconnectionPolicy(maximumFailures: 3)

    static let table: [Row] = [
        Row("a stream reconnects after an end", standard, [.ends], [again(3)]),
        Row("a stream reconnects after a transient failure", standard, [.breaks], [again(3)]),
        Row(
            "a stream reconnects any number of times",
            standard,
            .init(repeating: .breaks, count: 100),
            .init(repeating: again(3), count: 100)
        ),
        Row("a stream does not reconnect after a permanent failure", standard, [.breaksForGood], [.failWithCause]),
        Row(
            "a stream does not reconnect after events and a permanent failure",
            standard,
            [.event("1"), .breaksForGood],
            [.failWithCause]
        ),
        // These rows are about the last event ID.
        Row("the last event's ID is sent", standard, [.event("1"), .event("2"), .ends], [again(3, "2")]),
        Row(
            "the ID is sent after each of several failures",
            standard,
            [.event("1"), .breaks, .breaks],
            [again(3, "1"), again(3, "1")]
        ),
        Row("an empty ID is not sent", standard, [.event("1"), .event(""), .ends], [again(3)]),
        Row("a block without data sets the ID", standard, [.event("1"), .idOnly("2"), .breaks], [again(3, "2")]),
        Row("a block without data clears the ID", standard, [.event("1"), .idOnly(""), .breaks], [again(3)]),
        // These rows are about the reconnection time.
        Row(
            "the server's time applies to all later delays",
            standard,
            [.retry(5), .ends, .breaks, .ends],
            [again(5), again(5), again(5)]
        ),
        Row(
            "the last of several times applies",
            standard,
            [.retry(5), .ends, .retry(1), .retry(9), .breaks],
            [again(5), again(9)]
        ),
        Row("the policy's maximum limits the server's time", standard, [.retry(100_000), .ends], [again(300)]),
        // These rows are about the back-off.
        Row(
            "each failure in a row multiplies the delay",
            doubling,
            [.breaks, .breaks, .breaks],
            [again(1), again(2), again(4)]
        ),
        Row(
            "an event resets the delay",
            doubling,
            [.breaks, .breaks, .event(""), .breaks, .breaks],
            [again(1), again(2), again(1), again(2)]
        ),
        Row(
            "a block that sets the ID resets the delay",
            doubling,
            [.breaks, .breaks, .idOnly("1"), .breaks],
            [again(1), again(2), again(1, "1")]
        ),
        Row(
            "a time of the server does not reset the back-off",
            doubling,
            [.breaks, .breaks, .retry(3), .breaks],
            [again(1), again(2), again(12)]
        ),
        Row(
            "an end neither counts as a failure nor resets the delay",
            doubling,
            [.ends, .ends, .breaks, .breaks, .ends, .breaks],
            [again(1), again(1), again(1), again(2), again(2), again(4)]
        ),
        // These rows are about the limit.
        Row(
            "the stream fails after one failure more than the limit",
            three,
            [.breaks, .breaks, .breaks, .breaks],
            [again(3), again(3), again(3), .fail(.tooManyFailures(4))]
        ),
        Row(
            "an event resets the number of failures",
            three,
            [.breaks, .breaks, .breaks, .event("1"), .breaks, .breaks, .breaks, .breaks],
            [again(3), again(3), again(3), again(3, "1"), again(3, "1"), again(3, "1"), .fail(.tooManyFailures(4))]
        ),
        Row(
            "the number of ends is not limited",
            three,
            .init(repeating: .ends, count: 50),
            .init(repeating: again(3), count: 50)
        ),
        Row(
            "an end does not reset the number of failures",
            three,
            [.breaks, .ends, .breaks, .ends, .breaks, .ends, .breaks],
            .init(repeating: again(3), count: 6) + [.fail(.tooManyFailures(4))]
        ),
        Row(
            "a limit of zero allows no failure",
            ReconnectionPolicy(maximumFailures: 0),
            [.ends, .event("1"), .breaks],
            [again(3), .fail(.tooManyFailures(1))]
        ),
        Row(
            "a negative limit allows no failure",
            ReconnectionPolicy(maximumFailures: .min),
            [.breaks],
            [.fail(.tooManyFailures(1))]
        ),
    ]

    @Test(
        "the end of an event stream's connection leads to a reconnection or to the end of the stream",
        arguments: table
    )
    func actions(_ row: Row) {
        var reconnection = EventStreamReconnection(policy: row.policy)
        var actions: [Action] = []
        for step in row.steps {
            switch step {
            case .event(let id): reconnection.handleOutput(.event("data", id: id))
            case .idOnly(let id): reconnection.handleOutput(.lastEventID(id))
            case .retry(let seconds): reconnection.handleOutput(.retry(.seconds(seconds)))
            case .ends: actions.append(reconnection.handleEnd())
            case .breaks: actions.append(reconnection.handleFailure(.transient))
            case .breaksForGood: actions.append(reconnection.handleFailure(.permanent))
            }
        }
        #expect(actions == row.actions)
    }

    @Test("the random number of the reconnection jitter is injected")
    func jitter() {
        let policy = ReconnectionPolicy(initialDelay: .seconds(4), jitter: 0.5)
        var reconnection = EventStreamReconnection(policy: policy)
        #expect(reconnection.handleEnd { 1 } == Self.again(6))
        #expect(reconnection.handleFailure(.transient) { 0.5 } == Self.again(5))
        // The default random number is within its bounds.
        guard case .reconnect(let delay, nil) = reconnection.handleEnd() else { return #expect(Bool(false)) }
        #expect((.seconds(4) ... .seconds(6)).contains(delay))
    }

    // MARK: - Last-Event-ID

    @Test(
        "the last event ID is sent without surrounding whitespace",
        arguments: [
            ("1", "1"), ("a b", "a b"), ("a\tb", "a\tb"), (" a ", "a"), ("\ta", "a"), ("é日本😀", "é日本😀"),
            ("e\u{301}", "e\u{301}"), (":;,\"", ":;,\""), ("\u{FFFD}", "\u{FFFD}"),
            ("\u{85}\u{2028}", "\u{85}\u{2028}"),
        ]
    )
    func header(_ id: String, value: String) {
        let reconnection = EventStreamReconnection(lastEventID: id)
        #expect(reconnection.lastEventIDHeader?.utf8.elementsEqual(value.utf8) == true)
        #expect(reconnection.handleEnd() == Self.again(3, value))
    }

    @Test(
        "an event ID that a header cannot contain is not sent, and the request is sent without it",
        arguments: [
            "", " ", "\t \t", "\u{1}", "a\u{1}b", "\u{0}", "a\r\nX: y", "a\nb", "a\rb", "\u{7F}", "\u{1B}[m", "a\n",
        ]
    )
    func noHeader(_ id: String) {
        var reconnection = EventStreamReconnection(lastEventID: id)
        #expect(reconnection.lastEventIDHeader == nil)
        #expect(reconnection.handleEnd() == Self.again(3))
        // The reader still receives it, and the next ID is sent.
        #expect(reconnection.lastEventID.utf8.elementsEqual(id.utf8))
        reconnection.handleOutput(.event("data", id: "2"))
        #expect(reconnection.handleEnd() == Self.again(3, "2"))
    }

    @Test("an event stream can continue from the ID of an earlier stream with its first request")
    func initialID() {
        var reconnection = EventStreamReconnection(lastEventID: "7")
        #expect(reconnection.lastEventIDHeader == "7")
        #expect(reconnection.handleFailure(.transient) == Self.again(3, "7"))
    }
}

extension EventStreamReconnection {
    fileprivate init(lastEventID: String = "") { self.init(policy: ReconnectionPolicy(), lastEventID: lastEventID) }
}
