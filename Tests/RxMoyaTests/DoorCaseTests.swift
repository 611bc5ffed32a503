#if RxSwift
    import DoorCases
    import Foundation
    import Moya
    import RxMoya
    @preconcurrency import RxSwift
    import Testing

    @Suite("Cases for every door: RxSwift", .timeLimit(.minutes(5)))
    struct DoorCaseTests {
        @Test("facts 140, 141, 143, 144, 148: every case", arguments: DoorCase.allCases)
        func cases(case: DoorCase) async throws {
            let outcome = try await `case`.run(through: .rx)
            #expect(outcome.happened == outcome.expected)
        }
    }

    extension Door {
        static let rx = Door("RxSwift", tellsCancellation: false) { call, hear in
            let events: Observable<Event> =
                switch call.wish {
                case .response:
                    call.provider.rx.request(call.target, callbackQueue: call.queue).map { Event($0) }.asObservable()
                case .message:
                    call.provider.rx.request(call.target, callbackQueue: call.queue)
                        .map(Message.self)
                        .map { Event.message($0.message) }
                        .asObservable()
                case .answer:
                    call.provider.rx.requestAnswer(call.target, callbackQueue: call.queue)
                        .map { Event($0) }
                        .asObservable()
                case .progress:
                    call.provider.rx.requestWithProgress(call.target, callbackQueue: call.queue).map { Event($0) }
                }
            let subscription = events.subscribe { event in
                switch event {
                case .next(let event): hear(event)
                case .error(let error as MoyaError): hear(Event(error))
                case .error(let error): hear(.failure("no MoyaError: \(error)"))
                case .completed: hear(.end)
                }
            }
            return { subscription.dispose() }
        }
    }
#endif
