#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("The state of an HTTP/1.1 connection decides about its reuse (RFC 9112, section 9)")
struct HTTP1ConnectionStateMachineTests {
    enum Event: Sendable { case sent, bytes, head(Int, isLong: Bool), end(isPersistent: Bool), excess, close }

    @Test(
        "an exchange's outcome decides whether the HTTP/1.1 connection is reused",
        arguments: [
            ([.sent, .bytes, .end(isPersistent: true)], false, true),
            ([.sent, .bytes, .end(isPersistent: false)], false, false),
            ([.sent, .bytes, .end(isPersistent: true)], true, false),
            ([.bytes, .end(isPersistent: true), .sent], false, true),
            ([.bytes, .end(isPersistent: true)], false, false),
            ([.sent, .bytes, .end(isPersistent: true), .excess], false, false),
            ([.sent, .bytes, .head(413, isLong: true), .end(isPersistent: true)], false, false),
            ([.bytes, .head(401, isLong: true), .sent, .end(isPersistent: true)], false, false),
            ([.sent, .bytes, .head(307, isLong: true), .end(isPersistent: true)], false, false),
            ([.sent, .bytes, .head(413, isLong: false), .end(isPersistent: true)], false, true),
            ([.bytes, .head(413, isLong: false), .sent, .end(isPersistent: true)], false, false),
            ([.sent, .bytes, .head(201, isLong: true), .end(isPersistent: true)], false, true),
            ([.sent, .bytes], false, nil), ([.sent], false, nil),
            ([.sent, .bytes, .end(isPersistent: true), .close], false, nil),
        ] as [([Event], Bool, Bool?)]
    )
    func end(events: [Event], closesAfter: Bool, isReusable: Bool?) {
        var state = HTTP1ConnectionStateMachine()
        #expect(state.admission == .now)
        state.begin(closesAfter: closesAfter)
        #expect(!state.isReused)
        for event in events { apply(event, to: &state) }
        #expect(state.endExchange() == (isReusable ?? false))
        #expect(!state.isExpectingBytes || isReusable == nil)
        if isReusable != true || events.isEmpty { return }
        #expect(state.phase == .endingRead)
        #expect(state.admission == .afterRead)
        state.readEnded()
        #expect(state.admission == .now)
        state.begin(closesAfter: false)
        #expect(state.isReused && state.isBeforeResponse && state.isExpectingBytes)
    }

    private func apply(_ event: Event, to state: inout HTTP1ConnectionStateMachine) {
        switch event {
        case .sent: state.requestEnded()
        case .bytes: state.receivedBytes()
        case .head(let status, let isLong): state.receivedHead(status: status, ofLongRequest: isLong)
        case .end(let isPersistent): state.receivedEnd(isPersistent: isPersistent)
        case .excess: state.receivedExcess()
        case .close: #expect(state.endConnection() == true)
        }
    }

    @Test("an HTTP/1.1 connection serves one exchange at a time and none after it is closed, and closes once")
    func begin() {
        var state = HTTP1ConnectionStateMachine()
        #expect(!state.isExpectingBytes)
        #expect(state.admission == .now)
        state.begin(closesAfter: false)
        #expect(state.admission == .refused)
        #expect(state.endConnection() == true)
        #expect(state.endConnection() == false)
        #expect(state.admission == .refused)
        #expect(!state.isExpectingBytes && !state.isOpen)
    }
}
#endif
