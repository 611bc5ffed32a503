#if RxSwift
import EntryPointCases
import Foundation
import Moya
import RxMoya
@preconcurrency import RxSwift
import Testing

@Suite("The cases for every entry point pass through RxSwift", .timeLimit(.minutes(5)))
struct EntryPointCaseTests {
    @Test(
        "facts 140, 141, 143, 144, 148: each case has the expected outcome through a single or an observable",
        arguments: EntryPointCase.allCases
    )
    func cases(case: EntryPointCase) async throws {
        let outcome = try await `case`.run(through: .rx)
        #expect(outcome.happened == outcome.expected)
    }
}

extension EntryPoint {
    static let rx = EntryPoint("RxSwift", reportsCancellation: false) { call, receive in
        let events: Observable<Event> =
            switch call.resultKind {
            case .response:
                call.provider.rx.request(call.target, callbackQueue: call.queue).map { Event($0) }.asObservable()
            case .message:
                call.provider.rx.request(call.target, callbackQueue: call.queue)
                    .map(Message.self)
                    .map { Event.message($0.message) }
                    .asObservable()
            case .output:
                call.provider.rx.requestOutput(call.target, callbackQueue: call.queue)
                    .map { Event($0) }
                    .asObservable()
            case .progress:
                call.provider.rx.requestWithProgress(call.target, callbackQueue: call.queue).map { Event($0) }
            }
        let subscription = events.subscribe { event in
            switch event {
            case .next(let event): receive(event)
            case .error(let error as MoyaError): receive(Event(error))
            case .error(let error): receive(.failure("no MoyaError: \(error)"))
            case .completed: receive(.end)
            }
        }
        return { subscription.dispose() }
    }
}
#endif
