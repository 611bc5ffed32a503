import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("The state machine of an exchange delivers received data to the reader")
struct ExchangeStateMachineTests {
    enum Event: Sendable {
        case head
        case chunk(String)
        case finish
        case fail
        case ask
    }

    enum Outcome: Equatable, Sendable {
        case action(ExchangeStateMachine.Action)
        case reader(ExchangeStateMachine.ReaderAction)

        static let proceed = Outcome.action(.proceed)
        static let pause = Outcome.action(.pause)
        static let end = Outcome.action(.deliverEnd)
        static let fail = Outcome.action(.fail(error))
        static func deliver(_ body: String) -> Outcome { .action(.deliver(head, body: Data(body.utf8))) }
        static func stream(isPaused: Bool) -> Outcome { .action(.stream(head, isPaused: isPaused)) }
        static func chunk(_ text: String) -> Outcome { .action(.deliverChunk(Data(text.utf8))) }

        static let readerWaits = Outcome.reader(.wait)
        static let readerOverlaps = Outcome.reader(.fail(.url(.overlappingRead)))
        static let readerEnds = Outcome.reader(.end)
        static let readerFails = Outcome.reader(.fail(error))
        static func readerGets(_ text: String) -> Outcome { .reader(.chunk(Data(text.utf8))) }
    }

    static let head = ResponseHead(status: 200, headers: [.contentType: "a/b"])
    static let error = ExchangeStateMachine.Failure.url(.make(.networkConnectionLost, url: nil))

    private static func apply(_ event: Event, to state: inout ExchangeStateMachine) -> Outcome {
        switch event {
        case .head: .action(state.receivedHead(head))
        case .chunk(let text): .action(state.received(Data(text.utf8)))
        case .finish: .action(state.finished())
        case .fail: .action(state.failed(error))
        case .ask: .reader(state.readerRequestedChunk())
        }
    }

    /// Earlier events, one event, and its results: immediately, and for a reader that reads twice afterwards.
    struct Row: Sendable, CustomTestStringConvertible {
        let limit: Int
        let before: [Event]
        let event: Event
        let outcome: Outcome
        let isOver: Bool
        let then: [Outcome]

        init(
            _ limit: Int,
            _ before: [Event],
            _ event: Event,
            _ outcome: Outcome,
            over isOver: Bool = false,
            then: Outcome...
        ) {
            self.limit = limit
            self.before = before
            self.event = event
            self.outcome = outcome
            self.isOver = isOver
            self.then = then
        }

        var testDescription: String { "limit \(limit): \(before) -> \(event)" }
    }

    /// The reader has no response yet.
    static let collecting: [Row] = [
        Row(4, [], .head, .proceed),
        Row(4, [], .chunk("ab"), .proceed),
        Row(4, [], .finish, .action(.fail(.url(.make(.badServerResponse, url: nil)))), over: true),
        Row(4, [], .fail, .fail, over: true),
        Row(0, [], .head, .stream(isPaused: false), then: .readerWaits, .readerOverlaps),
        Row(-1, [], .head, .stream(isPaused: false), then: .readerWaits),
        // A second head changes nothing: the response has the first one.
        Row(4, [.head], .head, .proceed),
        Row(4, [.head], .chunk(""), .proceed),
        Row(4, [.head], .chunk("ab"), .proceed),
        Row(4, [.head], .chunk("abcd"), .proceed),
        Row(4, [.head], .chunk("abcde"), .stream(isPaused: true), then: .readerGets("abcde"), .readerWaits),
        Row(4, [.head], .finish, .deliver(""), over: true),
        // The body was cut off: the reader gets the response, and the error whenever it reads.
        Row(4, [.head], .fail, .stream(isPaused: false), over: true, then: .readerFails, .readerFails),
        Row(4, [.head, .chunk("ab")], .head, .proceed),
        Row(4, [.head, .chunk("ab")], .chunk("cd"), .proceed),
        Row(
            4,
            [.head, .chunk("ab")],
            .chunk("cde"),
            .stream(isPaused: true),
            then: .readerGets("abcde"),
            .readerWaits
        ),
        Row(4, [.head, .chunk("ab")], .finish, .deliver("ab"), over: true),
        Row(4, [.head, .chunk("abcd")], .finish, .deliver("abcd"), over: true),
        Row(
            4,
            [.head, .chunk("ab")],
            .fail,
            .stream(isPaused: false),
            over: true,
            then: .readerGets("ab"),
            .readerFails,
            .readerFails
        ),
    ]

    /// The reader has the response but is not reading.
    static let unread: [Row] = [
        Row(0, [.head], .head, .proceed, then: .readerWaits),
        Row(0, [.head], .chunk("ab"), .pause, then: .readerGets("ab"), .readerWaits),
        Row(0, [.head], .finish, .proceed, over: true, then: .readerEnds, .readerEnds),
        Row(0, [.head], .fail, .proceed, over: true, then: .readerFails, .readerFails),
        Row(0, [.head], .ask, .readerWaits),
        Row(0, [.head, .chunk("ab")], .head, .proceed, then: .readerGets("ab")),
        // A carrier that cannot be held continues, and nothing is lost.
        Row(0, [.head, .chunk("ab")], .chunk("cd"), .pause, then: .readerGets("abcd"), .readerWaits),
        Row(0, [.head, .chunk("ab")], .chunk(""), .pause, then: .readerGets("ab"), .readerWaits),
        Row(0, [.head, .chunk("ab")], .finish, .proceed, over: true, then: .readerGets("ab"), .readerEnds),
        // The reader gets the received bytes before the error.
        Row(
            0,
            [.head, .chunk("ab")],
            .fail,
            .proceed,
            over: true,
            then: .readerGets("ab"),
            .readerFails,
            .readerFails
        ),
        Row(0, [.head, .chunk("ab")], .ask, .readerGets("ab"), then: .readerWaits),
        Row(4, [.head, .chunk("abcde")], .chunk("f"), .pause, then: .readerGets("abcdef"), .readerWaits),
        Row(4, [.head, .chunk("abcde")], .finish, .proceed, over: true, then: .readerGets("abcde"), .readerEnds),
        Row(
            4,
            [.head, .chunk("abcde")],
            .fail,
            .proceed,
            over: true,
            then: .readerGets("abcde"),
            .readerFails,
            .readerFails
        ),
        // The limit does not apply after streaming has begun.
        Row(4, [.head, .chunk("abcde"), .ask], .chunk("f"), .pause, then: .readerGets("f"), .readerWaits),
    ]

    /// The reader waits for a chunk.
    static let waiting: [Row] = [
        Row(0, [.head, .ask], .head, .proceed),
        Row(0, [.head, .ask], .chunk("ab"), .chunk("ab"), then: .readerWaits),
        Row(0, [.head, .ask, .ask], .chunk("ab"), .chunk("ab"), then: .readerWaits),
        // An empty chunk is not the end of the body.
        Row(0, [.head, .ask], .chunk(""), .chunk(""), then: .readerWaits),
        Row(0, [.head, .ask], .finish, .end, over: true, then: .readerEnds),
        Row(0, [.head, .ask], .fail, .fail, over: true, then: .readerFails, .readerFails),
        Row(4, [.head, .chunk("abcde"), .ask, .ask], .chunk("f"), .chunk("f"), then: .readerWaits),
        Row(4, [.head, .chunk("abcde"), .ask, .ask], .finish, .end, over: true, then: .readerEnds),
        Row(0, [.head, .ask, .chunk("ab")], .chunk("cd"), .pause, then: .readerGets("cd"), .readerWaits),
    ]

    /// The exchange has ended: later events of the carrier are ignored, and each reader gets its final result.
    static let over: [Row] = {
        let ends: [(Int, [Event], [Outcome])] = [
            (4, [.fail], [.readerEnds]),
            (4, [.finish], [.readerEnds]),
            (4, [.head, .chunk("ab"), .finish], [.readerEnds]),
            (4, [.head, .fail], [.readerFails, .readerFails]),
            (4, [.head, .chunk("ab"), .fail], [.readerGets("ab"), .readerFails, .readerFails]),
            (0, [.head, .finish], [.readerEnds]),
            (0, [.head, .chunk("ab"), .finish], [.readerGets("ab"), .readerEnds]),
            (0, [.head, .fail], [.readerFails, .readerFails]),
            (0, [.head, .chunk("ab"), .fail], [.readerGets("ab"), .readerFails, .readerFails]),
            (0, [.head, .chunk("ab"), .finish, .ask], [.readerEnds]),
            (0, [.head, .fail, .ask], [.readerFails]),
            (0, [.head, .ask, .finish], [.readerEnds]),
            (0, [.head, .ask, .fail], [.readerFails]),
            (4, [.head, .chunk("abcde"), .finish], [.readerGets("abcde"), .readerEnds]),
        ]
        return ends.flatMap { limit, before, then in
            [Event.head, .chunk("zz"), .finish, .fail].map { event in
                Row(limit, before, event, .proceed, over: true, then: then)
            }
        }
    }()

    @Test(
        "a response with an often dropped body is delivered with its head, unless the body is complete",
        arguments: [
            (DroppableBodies.none, Set<Int>()),
            (DroppableBodies.redirectsAndChallenges, Set([300, 301, 302, 303, 307, 308, 399, 401, 407, 417])),
            (DroppableBodies.allButSuccesses, Set([300, 302, 305, 401, 404, 407, 417, 429, 500, 503, 599, 999])),
        ]
    )
    func droppable(_ bodies: DroppableBodies, statuses: Set<Int>) {
        let others = bodies == .allButSuccesses ? [200, 204, 206, 304] : [200, 204, 206, 304, 404, 429, 500, 503]
        for status in statuses.union(others) {
            let head = ResponseHead(status: status, headers: [:])
            var state = ExchangeStateMachine(bufferLimit: 4, droppable: bodies)
            let isEarly = statuses.contains(status)
            #expect(state.receivedHead(head) == (isEarly ? .stream(head, isPaused: false) : .proceed), "\(status)")
            #expect(state.received(Data("ab".utf8)) == .proceed, "\(status)")
            #expect(state.finished() == (isEarly ? .proceed : .deliver(head, body: Data("ab".utf8))), "\(status)")
            var whole = ExchangeStateMachine(bufferLimit: 4, droppable: bodies)
            #expect(whole.received(whole: head, Data("ab".utf8)) == .deliver(head, body: Data("ab".utf8)), "\(status)")
            #expect(whole.isOver && whole.hasReceivedHead && whole.hasDeliveredEnd)
            #expect(whole.received(whole: head, Data()) == .proceed)
        }
    }

    @Test("a complete response whose body exceeds the buffer limit is a stream with its end", arguments: [-1, 0, 1])
    func wholeStream(bufferLimit: Int) {
        var state = ExchangeStateMachine(bufferLimit: bufferLimit)
        #expect(state.received(whole: Self.head, Data("ab".utf8)) == .stream(Self.head, isPaused: false))
        #expect(state.isOver && state.hasReceivedHead && !state.hasDeliveredEnd)
        #expect(state.readerRequestedChunk() == .chunk(Data("ab".utf8)))
        #expect(state.readerRequestedChunk() == .end)
        #expect(state.hasDeliveredEnd)
    }

    @Test("a carrier is held when more than the maximum is buffered, and continues when the reader has taken it")
    func maximumBuffered() {
        var state = ExchangeStateMachine(bufferLimit: 0, maximumBuffered: 4)
        #expect(state.receivedHead(ResponseHead(status: 200, headers: [:])) != .proceed)
        #expect(state.received(Data("ab".utf8)) == .proceed)
        #expect(state.received(Data("cd".utf8)) == .proceed)
        #expect(state.received(Data("e".utf8)) == .pause)
        #expect(state.readerRequestedChunk() == .chunk(Data("abcde".utf8)))
        #expect(state.received(Data("f".utf8)) == .proceed)
        #expect(state.failed(Self.error) == .proceed)
        #expect(state.readerRequestedChunk() == .chunk(Data("f".utf8)))
        #expect(state.readerRequestedChunk() == .fail(Self.error))
    }

    @Test("a cancelled exchange delivers no response, however much has arrived", arguments: [[], ["ab"]])
    func cancelled(chunks: [String]) {
        var state = ExchangeStateMachine(bufferLimit: 4)
        #expect(state.receivedHead(Self.head) == .proceed)
        for chunk in chunks { #expect(state.received(Data(chunk.utf8)) == .proceed) }
        let error = ExchangeStateMachine.Failure.url(.cancelled(url: nil))
        #expect(state.failed(error) == .fail(error))
        #expect(state.isOver)
        #expect(state.readerRequestedChunk() == .end)
    }

    @Test(
        "a cancelled reader gets neither buffered data, nor the end, nor another error",
        arguments: [true, false],
        ["", "ab"]
    )
    func cancelledReader(isFinished: Bool, buffered: String) {
        var state = ExchangeStateMachine(bufferLimit: 0)
        #expect(state.receivedHead(Self.head) == .stream(Self.head, isPaused: false))
        #expect(state.received(Data(buffered.utf8)) == .proceed)
        #expect((isFinished ? state.finished() : state.failed(Self.error)) == .proceed)
        let error = ExchangeStateMachine.Failure.url(.cancelled(url: nil))
        #expect(state.readerCancelled(error) == .proceed)
        #expect(state.readerRequestedChunk() == .fail(error))
        #expect(state.readerRequestedChunk() == .fail(error))
        #expect(!state.hasDeliveredEnd)
    }

    @Test(
        "each event in each phase of an exchange causes the expected action",
        arguments: collecting + unread + waiting + over
    )
    func table(_ row: Row) {
        var state = ExchangeStateMachine(bufferLimit: row.limit, maximumBuffered: 0)
        for event in row.before { _ = Self.apply(event, to: &state) }
        #expect(Self.apply(row.event, to: &state) == row.outcome)
        #expect(state.isOver == row.isOver)
        for outcome in row.then { #expect(Self.apply(.ask, to: &state) == outcome) }
        #expect(state.isOver == row.isOver)
    }

    @Test(
        "a response body up to the limit is delivered as one value, and a longer body as a stream",
        arguments: [1, 2, 100],
        [-1, 0, 1]
    )
    func limit(_ limit: Int, beyond: Int) {
        let body = Data((0..<(limit + beyond)).map { UInt8($0) })
        for size in [1, max(1, body.count)] {
            var state = ExchangeStateMachine(bufferLimit: limit, maximumBuffered: 0)
            #expect(state.receivedHead(Self.head) == .proceed)
            var actions: [ExchangeStateMachine.Action] = []
            for start in stride(from: 0, to: body.count, by: size) {
                actions.append(state.received(Data(body[start..<(start + size)])))
            }
            if beyond == 1 {
                #expect(actions.last == .stream(Self.head, isPaused: true))
                #expect(actions.dropLast().allSatisfy { $0 == .proceed })
                #expect(state.finished() == .proceed)
                #expect(state.readerRequestedChunk() == .chunk(body))
                #expect(state.readerRequestedChunk() == .end)
            } else {
                #expect(actions.allSatisfy { $0 == .proceed })
                #expect(state.finished() == .deliver(Self.head, body: body))
            }
        }
    }

    @Test(
        "the reader gets the same bytes and then the end, however a body is split, and whether the carrier or the reader is faster",
        arguments: 0..<500
    )
    func splits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = Int.random(in: 0...300, using: &random)
        let body = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
        let limit = [0, 1, 10, body.count - 1, body.count, body.count + 1, 1_000].randomElement(using: &random) ?? 0
        let fails = Int.random(in: 0..<4, using: &random) == 0
        let obeysPause = Bool.random(using: &random)
        var state = ExchangeStateMachine(bufferLimit: limit, maximumBuffered: 0)
        var reader = Reader()
        reader.take(state.receivedHead(Self.head))
        var sent = 0
        while sent < body.count || !reader.isDone {
            let mustAsk = reader.isPaused && obeysPause || sent == body.count
            if reader.canAsk, mustAsk || Bool.random(using: &random) {
                reader.ask(&state)
            } else if sent < body.count, !(fails && Int.random(in: 0..<20, using: &random) == 0) {
                let end = min(body.count, sent + Int.random(in: 1...40, using: &random))
                reader.take(state.received(Data(body[sent..<end])))
                sent = end
                if sent == body.count { reader.take(state.finished()) }
            } else {
                reader.take(body.isEmpty ? state.finished() : state.failed(Self.error))
                sent = body.count
            }
        }
        #expect(state.isOver)
        #expect(reader.unexpected.isEmpty)
        switch reader.result {
        case .success: #expect(reader.body == body)
        case .failure(let error): #expect(error == Self.error && body.starts(with: reader.body))
        case nil: Issue.record("the reader has no end")
        }
        #expect(fails || reader.error == nil)
        #expect(reader.isStreaming || body.count <= limit || reader.error != nil)
    }

    /// A reader as ``Exchange`` serves it.
    private struct Reader {
        var body = Data()
        var result: End?
        var isStreaming = false
        var isPaused = false
        var unexpected: [ExchangeStateMachine.Action] = []
        private var waits = false

        enum End { case success, failure(ExchangeStateMachine.Failure) }

        var isDone: Bool { result != nil }
        var canAsk: Bool { isStreaming && !waits && !isDone }
        var error: ExchangeStateMachine.Failure? { if case .failure(let error) = result { error } else { nil } }

        mutating func take(_ action: ExchangeStateMachine.Action) {
            switch action {
            case .proceed:
                break
            case .pause where isStreaming && !waits:
                isPaused = true
            case .deliver(_, let data) where !isStreaming:
                body = data
                result = .success
            case .stream(_, let isPaused) where !isStreaming:
                isStreaming = true
                self.isPaused = isPaused
            case .deliverChunk(let data) where waits:
                body += data
                waits = false
            case .deliverEnd where waits:
                result = .success
            case .fail(let error) where waits || !isStreaming:
                result = .failure(error)
            case .pause, .deliver, .stream, .deliverChunk, .deliverEnd, .fail:
                unexpected.append(action)
            }
        }

        mutating func ask(_ state: inout ExchangeStateMachine) {
            isPaused = false
            switch state.readerRequestedChunk() {
            case .wait: waits = true
            case .chunk(let data): body += data
            case .end: result = .success
            case .fail(let error): result = .failure(error)
            }
        }
    }
}

extension ExchangeStateMachineTests.Row {
    fileprivate init(
        _ limit: Int,
        _ before: [ExchangeStateMachineTests.Event],
        _ event: ExchangeStateMachineTests.Event,
        _ outcome: ExchangeStateMachineTests.Outcome,
        over isOver: Bool,
        then: [ExchangeStateMachineTests.Outcome]
    ) {
        self.limit = limit
        self.before = before
        self.event = event
        self.outcome = outcome
        self.isOver = isOver
        self.then = then
    }
}
