#if ReactiveSwift
    import DoorCases
    import Foundation
    import Moya
    import ReactiveMoya
    @preconcurrency import ReactiveSwift
    import Testing

    @Suite("Cases for every door: ReactiveSwift", .timeLimit(.minutes(5)))
    struct DoorCaseTests {
        @Test("facts 140, 141, 143, 144, 148: every case", arguments: DoorCase.allCases)
        func cases(case: DoorCase) async throws {
            let outcome = try await `case`.run(through: .reactiveSwift)
            #expect(outcome.happened == outcome.expected)
        }
    }

    extension Door {
        static let reactiveSwift = Door("ReactiveSwift", tellsCancellation: false) { call, hear in
            let events: SignalProducer<Event, MoyaError> =
                switch call.wish {
                case .response:
                    call.provider.reactive.request(call.target, callbackQueue: call.queue).map { Event($0) }
                case .message:
                    call.provider.reactive.request(call.target, callbackQueue: call.queue)
                        .map(Message.self)
                        .map { Event.message($0.message) }
                case .answer:
                    call.provider.reactive.requestAnswer(call.target, callbackQueue: call.queue).map { Event($0) }
                case .progress:
                    call.provider.reactive.requestWithProgress(call.target, callbackQueue: call.queue).map { Event($0) }
                }
            let subscription = events.start { event in
                switch event {
                case .value(let event): hear(event)
                case .failed(let error): hear(Event(error))
                case .completed: hear(.end)
                case .interrupted: break
                }
            }
            return { subscription.dispose() }
        }
    }
#endif
