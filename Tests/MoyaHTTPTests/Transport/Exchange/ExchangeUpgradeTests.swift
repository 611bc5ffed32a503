import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("The exchange of an upgraded connection goes on until both directions have ended")
struct ExchangeUpgradeTests {
    enum Event: Sendable {
        case chunk(String)
        case inputEnd
        case finish
        case fail
        case cancel
        case ask
    }

    private static let head: ResponseHead = {
        var head = ResponseHead(status: 101, headers: [:])
        head.isUpgraded = true
        return head
    }()
    private static let error = ExchangeStateMachine.Failure.url(.make(.networkConnectionLost, url: nil))
    private static let cancellation = ExchangeStateMachine.Failure.url(.cancelled(url: nil))

    private static func apply(_ event: Event, to state: inout ExchangeStateMachine) -> String {
        switch event {
        case .chunk(let text): "\(name(of: state.received(Data(text.utf8))))"
        case .inputEnd: name(of: state.inputEnded())
        case .finish: name(of: state.finished())
        case .fail: name(of: state.failed(error))
        case .cancel: name(of: state.readerCancelled(cancellation))
        case .ask:
            switch state.readerRequestedChunk() {
            case .wait: "waits"
            case .chunk(let data): String(decoding: data, as: UTF8.self)
            case .end: "end"
            case .fail(error): "error"
            case .fail(cancellation): "cancelled"
            case .fail: "another error"
            }
        }
    }

    private static func name(of action: ExchangeStateMachine.Action) -> String {
        switch action {
        case .proceed: "-"
        case .deliverEnd: "end"
        case .deliverChunk(let data): String(decoding: data, as: UTF8.self)
        case .fail(error): "error"
        case .fail(cancellation): "cancelled"
        default: "\(action)"
        }
    }

    /// Events after the head, with the result of each, and whether the exchange is over then.
    struct Row: Sendable, CustomTestStringConvertible {
        let events: [(event: Event, result: String)]
        let isOver: Bool

        init(_ events: (Event, String)..., over isOver: Bool) {
            self.events = events.map { ($0.0, $0.1) }
            self.isOver = isOver
        }

        var testDescription: String { "\(events.map { "\($0.event)" })" }
    }

    static let rows: [Row] = [
        // The reader gets the end, and the exchange goes on.
        Row((.inputEnd, "-"), (.ask, "end"), (.ask, "end"), over: false),
        Row((.ask, "waits"), (.inputEnd, "end"), (.ask, "end"), over: false),
        Row((.chunk("a"), "-"), (.inputEnd, "-"), (.ask, "a"), (.ask, "end"), over: false),
        // Nothing follows the end of the input.
        Row((.inputEnd, "-"), (.chunk("a"), "-"), (.inputEnd, "-"), (.ask, "end"), over: false),
        // The end of the output ends the exchange.
        Row((.inputEnd, "-"), (.finish, "-"), (.ask, "end"), over: true),
        Row((.chunk("a"), "-"), (.inputEnd, "-"), (.finish, "-"), (.ask, "a"), (.ask, "end"), over: true),
        Row((.inputEnd, "-"), (.ask, "end"), (.finish, "-"), (.ask, "end"), over: true),
        // A failure of the output does not damage a complete input.
        Row((.inputEnd, "-"), (.fail, "-"), (.ask, "end"), over: true),
        Row((.chunk("a"), "-"), (.inputEnd, "-"), (.fail, "-"), (.ask, "a"), (.ask, "end"), over: true),
        // A failure within the input is one of the exchange.
        Row((.chunk("a"), "-"), (.fail, "-"), (.ask, "a"), (.ask, "error"), over: true),
        Row((.ask, "waits"), (.fail, "error"), over: true),
        // A cancellation drops the input, and ends the output.
        Row((.chunk("a"), "-"), (.inputEnd, "-"), (.cancel, "-"), (.ask, "cancelled"), over: true),
        Row((.inputEnd, "-"), (.ask, "end"), (.cancel, "-"), (.ask, "cancelled"), over: true),
        Row((.ask, "waits"), (.cancel, "cancelled"), over: true),
    ]

    @Test("the events of both directions have these results", arguments: rows)
    func events(_ row: Row) {
        var state = ExchangeStateMachine(bufferLimit: 1_000)
        #expect(state.receivedHead(Self.head) == .stream(Self.head, isPaused: false), "whatever the buffer limit")
        for (event, result) in row.events { #expect(Self.apply(event, to: &state) == result, "\(event)") }
        #expect(state.isOver == row.isOver)
    }

    @Test("the body of an upgraded connection is a stream even if it is complete with its head")
    func whole() {
        var state = ExchangeStateMachine(bufferLimit: 1_000)
        #expect(state.received(whole: Self.head, Data("a".utf8)) == .stream(Self.head, isPaused: false))
        #expect(state.readerRequestedChunk() == .chunk(Data("a".utf8)))
        #expect(state.readerRequestedChunk() == .end)
    }

    @Test("no timeout ends an upgraded connection, and all of them end the request before")
    func timeouts() {
        let phases = PhaseTimeouts(firstByte: .seconds(5))
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(20), phases: phases)
        _ = state.began(at: .zero)
        state.recordSent(at: .zero)
        #expect(state.verdict(at: .seconds(5)) == .expired(.firstByte))
        state.recordResponse()
        #expect(state.verdict(at: .seconds(10)) == .expired(.idle))
        #expect(state.verdict(at: .seconds(20)) == .expired(.attempt))
        state.recordUpgrade()
        for seconds in [5, 10, 20, 1_000_000] {
            #expect(state.verdict(at: .seconds(seconds)) == .checkAgain(after: .longestTimeout))
        }
        state.recordActivity(at: .seconds(1_000_000))
        #expect(state.check(due: .seconds(2_000_000), at: .seconds(2_000_000)) == .checkAgain(after: .longestTimeout))
    }
}
