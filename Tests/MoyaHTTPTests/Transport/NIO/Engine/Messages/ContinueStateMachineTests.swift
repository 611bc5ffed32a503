import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

#if NIO && !canImport(Darwin)
@Suite("A state machine decides when a body that expects 100 is sent")
struct ContinueStateMachineTests {
    enum Event: Sendable { case interim(Int), head(Int), timeout }
    enum Outcome: Sendable { case waits, sends, never }

    @Test(
        "the first response of the server decides about a body that expects 100 (RFC 9110, section 10.1.1)",
        arguments: [
            ([], .waits),
            ([.interim(100)], .sends),
            ([.interim(100), .interim(100)], .sends),
            ([.interim(103)], .waits),
            ([.interim(102), .interim(100)], .sends),
            ([.timeout], .sends),
            ([.timeout, .interim(100)], .sends),
            ([.head(200)], .sends),
            ([.head(204)], .sends),
            ([.head(307)], .never),
            ([.head(401)], .never),
            ([.head(413)], .never),
            ([.head(417)], .never),
            ([.head(500)], .never),
            ([.head(413), .timeout], .never),
            ([.head(413), .interim(100)], .never),
            ([.interim(100), .head(413)], .sends),
            ([.timeout, .head(413)], .sends),
        ] as [([Event], Outcome)]
    )
    func decision(events: [Event], outcome: Outcome) {
        var state = ContinueStateMachine()
        for event in events {
            switch event {
            case .interim(let status): state.receivedInterim(status: status)
            case .head(let status): state.receivedHead(status: status)
            case .timeout: state.timedOut()
            }
        }
        #expect(state.isWaiting == (outcome == .waits))
        #expect(state.isAllowed == (outcome == .sends))
    }
}
#endif
