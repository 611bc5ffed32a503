import DoorCases
import Foundation
import Moya
import MoyaHTTP
import Testing

/// The cases for every entry point, with the two entry points of this module; the reactive modules' tests run the
/// same cases.
@Suite("Cases for every door: callback and async", .timeLimit(.minutes(5)))
struct DoorCaseTests {
    @Test("every case", arguments: DoorCase.allCases, [DoorCases.Door.callback, .async])
    func cases(case: DoorCase, door: DoorCases.Door) async throws {
        let outcome = try await `case`.run(through: door)
        #expect(outcome.happened == outcome.expected)
    }
}

extension DoorCases.Door {
    static let callback = DoorCases.Door("callback", tellsCancellation: true) { call, hear in
        let progress: ProgressBlock = { progress in
            if !progress.completed { hear(Event(progress)) }
        }
        if call.wish == .answer {
            let token = call.provider.requestAnswer(call.target, callbackQueue: call.queue) { result in
                switch result {
                case .success(let message):
                    hear(Event(message))
                    hear(.end)
                case .failure(let error):
                    hear(Event(error))
                }
            }
            return { token.cancel() }
        }
        let token = call.provider.request(
            call.target,
            callbackQueue: call.queue,
            progress: call.wish == .progress ? progress : nil
        ) { result in
            do {
                let response = try result.get()
                hear(call.wish == .message ? .message(try response.map(Message.self).message) : Event(response))
                hear(.end)
            } catch {
                hear(Event(error as? MoyaError ?? .underlying(error)))
            }
        }
        return { token.cancel() }
    }

    static let async = DoorCases.Door("async", hasQueues: false, tellsCancellation: true) { call, hear in
        let task = Task {
            do {
                switch call.wish {
                case .response:
                    let response: Response = try await call.provider.request(call.target)
                    hear(Event(response))
                case .answer: hear(Event(try await call.provider.request(call.target)))
                case .message: hear(.message(try await call.provider.request(call.target).map(Message.self).message))
                case .progress:
                    for try await progress in call.provider.requestWithProgress(call.target) { hear(Event(progress)) }
                }
                hear(.end)
            } catch {
                hear(Event(error as? MoyaError ?? .underlying(error)))
            }
        }
        return { task.cancel() }
    }
}
