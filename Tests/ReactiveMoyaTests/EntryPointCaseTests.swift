#if ReactiveSwift
import EntryPointCases
import Foundation
import Moya
import ReactiveMoya
@preconcurrency import ReactiveSwift
import Testing

@Suite("The cases for every entry point pass through ReactiveSwift", .timeLimit(.minutes(5)))
struct EntryPointCaseTests {
    @Test(
        "facts 140, 141, 143, 144, 148: each case has the expected outcome through a signal producer",
        arguments: EntryPointCase.allCases
    )
    func cases(case: EntryPointCase) async throws {
        let outcome = try await `case`.run(through: .reactiveSwift)
        #expect(outcome.happened == outcome.expected)
    }
}

extension EntryPoint {
    static let reactiveSwift = EntryPoint("ReactiveSwift", reportsCancellation: false) { call, receive in
        let events: SignalProducer<Event, MoyaError> =
            switch call.resultKind {
            case .response:
                call.provider.reactive.request(call.target, callbackQueue: call.queue).map { Event($0) }
            case .message:
                call.provider.reactive.request(call.target, callbackQueue: call.queue)
                    .map(Message.self)
                    .map { Event.message($0.message) }
            case .output:
                call.provider.reactive.requestOutput(call.target, callbackQueue: call.queue).map { Event($0) }
            case .progress:
                call.provider.reactive.requestWithProgress(call.target, callbackQueue: call.queue).map { Event($0) }
            }
        let subscription = events.start { event in
            switch event {
            case .value(let event): receive(event)
            case .failed(let error): receive(Event(error))
            case .completed: receive(.end)
            case .interrupted: break
            }
        }
        return { subscription.dispose() }
    }
}
#endif
