#if canImport(Combine) || OpenCombine
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import Testing

@Suite("The cases for every entry point pass through Combine", .timeLimit(.minutes(5)))
struct EntryPointCaseTests {
    @Test(
        "facts 140, 141, 143, 144, 148: each case has the expected outcome through a publisher",
        arguments: EntryPointCase.allCases
    )
    func cases(case: EntryPointCase) async throws {
        let outcome = try await `case`.run(through: .combine)
        #expect(outcome.happened == outcome.expected)
    }
}

extension EntryPoint {
    static let combine = EntryPoint("Combine", reportsCancellation: false) { call, receive in
        let events: AnyPublisher<Event, MoyaError> =
            switch call.resultKind {
            case .response:
                call.provider.requestPublisher(call.target, callbackQueue: call.queue).map { Event($0) }
                    .eraseToAnyPublisher()
            case .message:
                call.provider.requestPublisher(call.target, callbackQueue: call.queue)
                    .map(Message.self)
                    .map { Event.message($0.message) }
                    .eraseToAnyPublisher()
            case .output:
                call.provider.requestOutputPublisher(call.target, callbackQueue: call.queue).map { Event($0) }
                    .eraseToAnyPublisher()
            case .progress:
                call.provider.requestWithProgressPublisher(call.target, callbackQueue: call.queue)
                    .map { Event($0) }
                    .eraseToAnyPublisher()
            }
        // Combine's cancellable is not Sendable, and a wrapper would cancel the subscription in its deinit.
        nonisolated(unsafe) let subscription = events.sink { completion in
            switch completion {
            case .finished: receive(.end)
            case .failure(let error): receive(Event(error))
            }
        } receiveValue: {
            receive($0)
        }
        return { subscription.cancel() }
    }
}
#endif
