#if canImport(Combine) || OpenCombine
    import CombineMoya
    import DoorCases
    import Foundation
    import Moya
    import Testing

    @Suite("Cases for every door: Combine", .timeLimit(.minutes(5)))
    struct DoorCaseTests {
        @Test("facts 140, 141, 143, 144, 148: every case", arguments: DoorCase.allCases)
        func cases(case: DoorCase) async throws {
            let outcome = try await `case`.run(through: .combine)
            #expect(outcome.happened == outcome.expected)
        }
    }

    extension Door {
        static let combine = Door("Combine", tellsCancellation: false) { call, hear in
            let events: AnyPublisher<Event, MoyaError> =
                switch call.wish {
                case .response:
                    call.provider.requestPublisher(call.target, callbackQueue: call.queue).map { Event($0) }
                        .eraseToAnyPublisher()
                case .message:
                    call.provider.requestPublisher(call.target, callbackQueue: call.queue)
                        .map(Message.self)
                        .map { Event.message($0.message) }
                        .eraseToAnyPublisher()
                case .answer:
                    call.provider.requestAnswerPublisher(call.target, callbackQueue: call.queue).map { Event($0) }
                        .eraseToAnyPublisher()
                case .progress:
                    call.provider.requestWithProgressPublisher(call.target, callbackQueue: call.queue)
                        .map { Event($0) }
                        .eraseToAnyPublisher()
                }
            // Its own deinit would cancel, and a Combine cancellable is no Sendable type.
            nonisolated(unsafe) let subscription = events.sink { completion in
                switch completion {
                case .finished: hear(.end)
                case .failure(let error): hear(Event(error))
                }
            } receiveValue: {
                hear($0)
            }
            return { subscription.cancel() }
        }
    }
#endif
