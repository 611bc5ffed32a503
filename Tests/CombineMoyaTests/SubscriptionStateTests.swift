import Testing

@testable import CombineMoya

@Suite("The state machine of a subscription returns actions")
struct SubscriptionStateTests {
    struct Failure: Error, Equatable {}

    typealias State = SubscriptionState<Int, Failure>
    typealias Action = State.Action

    enum Event: Sendable {
        case requested(Int?)
        case started
        case received(Int)
        case last(Int)
        case failed
        case next
        case emitted(Int?)
        case cancelled
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var steps: [(Event, Action)]

        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "one request, one value, the end",
            steps: [
                (.requested(nil), .start), (.last(1), .emit(1)), (.emitted(0), .finish), (.started, .nothing),
            ]
        ),
        Row(name: "asking for nothing starts nothing", steps: [(.requested(0), .nothing), (.requested(-1), .nothing)]),
        Row(
            name: "who asks again starts nothing more",
            steps: [
                (.requested(1), .start), (.requested(1), .nothing), (.started, .nothing), (.requested(nil), .nothing),
            ]
        ),
        Row(
            name: "values up to what was asked for, then they wait, and the newest stays",
            steps: [
                (.requested(2), .start), (.received(1), .emit(1)), (.emitted(0), .nothing),
                (.received(2), .emit(2)), (.emitted(0), .nothing),
                (.received(3), .nothing), (.received(4), .nothing),
                (.requested(1), .resume), (.next, .emit(4)), (.emitted(0), .nothing),
            ]
        ),
        Row(
            name: "the last value waits, and so does the end",
            steps: [
                (.requested(1), .start), (.received(1), .emit(1)), (.emitted(0), .nothing), (.received(2), .nothing),
                (.last(3), .nothing), (.requested(1), .resume), (.next, .emit(3)), (.emitted(0), .finish),
            ]
        ),
        Row(
            name: "what is asked for with a value counts",
            steps: [
                (.requested(1), .start), (.received(1), .emit(1)), (.emitted(1), .nothing), (.received(2), .emit(2)),
                (.emitted(nil), .nothing), (.received(3), .emit(3)), (.emitted(0), .nothing), (.last(4), .emit(4)),
                (.emitted(0), .finish),
            ]
        ),
        Row(
            name: "one value at a time: what comes meanwhile is seen to afterwards",
            steps: [
                (.requested(nil), .start), (.received(1), .emit(1)), (.received(2), .nothing), (.received(3), .nothing),
                (.requested(1), .nothing), (.next, .nothing), (.emitted(0), .emit(3)), (.last(4), .nothing),
                (.emitted(0), .emit(4)), (.emitted(0), .finish),
            ]
        ),
        Row(
            name: "what is asked for from within a value is given when that returns",
            steps: [
                (.requested(1), .start), (.received(1), .emit(1)), (.received(2), .nothing), (.requested(1), .nothing),
                (.emitted(0), .emit(2)), (.emitted(0), .nothing),
            ]
        ),
        Row(
            name: "a failure does not wait, and takes what waits with it",
            steps: [
                (.requested(1), .start), (.received(1), .emit(1)), (.emitted(0), .nothing), (.received(2), .nothing),
                (.failed, .fail(Failure())),
            ]
        ),
        Row(
            name: "a failure follows the value that is wanted",
            steps: [
                (.requested(nil), .start), (.received(1), .emit(1)), (.received(2), .nothing), (.failed, .nothing),
                (.emitted(0), .emit(2)), (.emitted(0), .fail(Failure())),
            ]
        ),
        Row(
            name: "nothing follows the end",
            steps: [
                (.requested(nil), .start), (.last(1), .emit(1)), (.last(2), .nothing), (.failed, .nothing),
                (.received(3), .nothing), (.emitted(0), .finish), (.received(4), .nothing), (.failed, .nothing),
                (.requested(1), .nothing), (.next, .nothing), (.cancelled, .nothing), (.started, .nothing),
            ]
        ),
        Row(
            name: "nothing follows a failure",
            steps: [
                (.requested(nil), .start), (.failed, .fail(Failure())), (.failed, .nothing), (.last(1), .nothing),
                (.cancelled, .nothing),
            ]
        ),
        Row(
            name: "cancelled before it asked: nothing starts",
            steps: [(.cancelled, .nothing), (.requested(nil), .nothing), (.next, .nothing)]
        ),
        Row(
            name: "cancelled while it runs: the exchange is cancelled, once, and nothing is given",
            steps: [
                (.requested(nil), .start), (.started, .nothing), (.received(1), .emit(1)), (.cancelled, .cancel),
                (.emitted(1), .nothing), (.cancelled, .nothing), (.received(2), .nothing), (.last(3), .nothing),
                (.failed, .nothing),
            ]
        ),
        Row(
            name: "cancelled while it starts: the exchange is cancelled when it is there",
            steps: [(.requested(nil), .start), (.cancelled, .cancel), (.started, .cancel)]
        ),
        Row(
            name: "so many are asked for that it is all",
            steps: [
                (.requested(.max), .start), (.requested(.max), .nothing), (.received(1), .emit(1)),
                (.emitted(0), .nothing), (.last(2), .emit(2)), (.emitted(0), .finish),
            ]
        ),
    ]

    @Test("each sequence of events leads to the expected actions of a subscription", arguments: rows)
    func row(_ row: Row) {
        var state = State()
        for (index, (event, expected)) in row.steps.enumerated() {
            let action =
                switch event {
                case .requested(let count): state.addDemand(count)
                case .started: state.recordStart()
                case .received(let value): state.receive(value)
                case .last(let value): state.receive(last: value)
                case .failed: state.fail(with: Failure())
                case .next: state.next()
                case .emitted(let count): state.finishEmitting(wanting: count)
                case .cancelled: state.cancel()
                }
            #expect(action == expected, "step \(index), \(event)")
        }
    }
}
