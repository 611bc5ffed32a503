#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaNIOTransport

@Suite("A value decides when a PING asks whether an HTTP/2 server responds")
struct HTTP2ResponsivenessStateTests {
    /// Events with their times in seconds.
    enum Event: Sendable {
        case bytes(Int)
        case sent(Int)
        case timeout(Int, sent: Int)
        case check(Int, hasRequests: Bool = true, hasInput: Bool = false)
    }

    private typealias Action = HTTP2Responsiveness.Action

    private static func check(_ seconds: Int) -> Action { .check(at: time(seconds)) }
    private static func ping(_ seconds: Int) -> Action { .ping(checkAt: time(seconds)) }
    private static func time(_ seconds: Int) -> Duration { .seconds(seconds) }

    @Test("a PING is sent after 30 seconds of silence, and the connection ends 20 seconds later")
    func silence() {
        expect([
            // One check is scheduled for all requests.
            (.sent(1), Self.check(30)), (.sent(2), .none),
            (.bytes(10), .none), (.check(30), Self.check(40)),
            (.check(40), Self.ping(60)), (.sent(41), .none),
            (.check(60), .endConnection),
        ])
        // A check that comes early is repeated.
        expect([(.sent(30), Self.ping(50)), (.check(40), Self.check(50)), (.check(50), .endConnection)])
    }

    @Test(
        "a late check of a PING does not end a connection whose input is pending, and is repeated with growing delays"
    )
    func pendingInput() {
        func later(_ seconds: Int, _ milliseconds: Int) -> Action {
            .check(at: Self.time(seconds) + .milliseconds(milliseconds))
        }
        expect([
            // Before its time, the check does not look at the input.
            (.sent(30), Self.ping(50)), (.check(49, hasInput: true), Self.check(50)),
            (.check(50, hasInput: true), later(50, 1)), (.check(51, hasInput: true), later(51, 2)),
            (.check(52, hasInput: true), later(52, 4)), (.check(53, hasInput: true), later(53, 8)),
            (.check(54, hasInput: true), later(54, 16)), (.check(55, hasInput: true), later(55, 32)),
            (.check(56, hasInput: true), later(56, 64)), (.check(57, hasInput: true), later(57, 64)),
            (.bytes(58), .none), (.check(58), Self.check(88)), (.check(88), Self.ping(108)),
            (.check(108, hasInput: true), later(108, 1)), (.check(109), .endConnection),
        ])
    }

    @Test("bytes of the server answer a PING")
    func response() {
        expect([
            (.sent(35), Self.ping(55)), (.bytes(40), .none), (.check(55), Self.check(70)),
            (.check(70), Self.ping(90)),
        ])
    }

    @Test("an idle HTTP/2 connection sends no PING before its next request")
    func idle() {
        expect([
            (.sent(0), Self.check(30)), (.check(30, hasRequests: false), .none), (.sent(100), Self.ping(120)),
        ])
    }

    @Test("a request that times out sends a PING, and its server is in doubt until it responds")
    func timeout() {
        expect([
            (.timeout(5, sent: 0), Self.ping(25)), (.timeout(6, sent: 1), .none), (.bytes(7), .none),
            (.check(25), Self.check(37)),
        ])
        // The PING that has been sent before is enough.
        expect([(.sent(30), Self.ping(50)), (.timeout(31, sent: 30), .none), (.check(50), .endConnection)])
        var state = HTTP2Responsiveness()
        #expect(state.receivedBytes(at: Self.time(1)) == false)
        _ = state.requestTimedOut(sentAt: Self.time(1), at: Self.time(2))
        #expect(state.receivedBytes(at: Self.time(3)) == true)
        #expect(state.receivedBytes(at: Self.time(4)) == false)
    }

    @Test("a request that times out does not put the server in doubt if anything was received since it was sent")
    func timeoutBesideOthers() {
        expect([
            (.sent(1), Self.check(30)), (.bytes(2), .none), (.timeout(3, sent: 1), .none), (.check(30), Self.check(32)),
            (.check(32), Self.ping(52)), (.timeout(33, sent: 1), .none), (.timeout(34, sent: 2), .none),
        ])
        var state = HTTP2Responsiveness()
        _ = state.receivedBytes(at: Self.time(2))
        _ = state.requestTimedOut(sentAt: Self.time(1), at: Self.time(3))
        #expect(!state.isInDoubt)
        _ = state.requestTimedOut(sentAt: Self.time(2), at: Self.time(3))
        #expect(state.isInDoubt)
    }

    /// Passes events to a connection that was opened at 0, and compares the actions.
    private func expect(_ rows: [(Event, Action)], sourceLocation: SourceLocation = #_sourceLocation) {
        var state = HTTP2Responsiveness()
        for (event, expected) in rows {
            let action: Action
            switch event {
            case .bytes(let time):
                _ = state.receivedBytes(at: Self.time(time))
                action = .none
            case .sent(let time): action = state.sentRequest(at: Self.time(time))
            case .timeout(let time, let sent):
                action = state.requestTimedOut(sentAt: Self.time(sent), at: Self.time(time))
            case .check(let time, let hasRequests, let hasInput):
                action = state.checkDue(
                    at: Self.time(time),
                    hasRequests: hasRequests,
                    hasPendingInput: hasInput
                )
            }
            #expect(action == expected, "\(event)", sourceLocation: sourceLocation)
        }
    }
}
#endif
