import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import Testing

/// Runs the cases for every entry point through the two entry points of this module; the tests of the reactive modules
/// run the same cases.
@Suite("The cases for every entry point pass through callbacks and async functions", .timeLimit(.minutes(5)))
struct EntryPointCaseTests {
    @Test(
        "each case has the expected outcome through callbacks and async functions",
        arguments: EntryPointCase.allCases,
        [EntryPointCases.EntryPoint.callback, .async]
    )
    func cases(case: EntryPointCase, entryPoint: EntryPointCases.EntryPoint) async throws {
        let outcome = try await `case`.run(through: entryPoint)
        #expect(outcome.happened == outcome.expected)
    }
}

extension EntryPointCases.EntryPoint {
    static let callback = EntryPointCases.EntryPoint("callback", reportsCancellation: true) { call, receive in
        let progress: ProgressBlock = { progress in
            if !progress.completed { receive(Event(progress)) }
        }
        if call.resultKind == .output {
            let token = call.provider.requestOutput(call.target, callbackQueue: call.queue) { result in
                switch result {
                case .success(let message):
                    receive(Event(message))
                    receive(.end)
                case .failure(let error):
                    receive(Event(error))
                }
            }
            return { token.cancel() }
        }
        let token = call.provider.request(
            call.target,
            callbackQueue: call.queue,
            progress: call.resultKind == .progress ? progress : nil
        ) { result in
            do {
                let response = try result.get()
                receive(
                    call.resultKind == .message ? .message(try response.map(Message.self).message) : Event(response)
                )
                receive(.end)
            } catch {
                receive(Event(error as? MoyaError ?? .underlying(error)))
            }
        }
        return { token.cancel() }
    }

    static let async = EntryPointCases.EntryPoint("async", hasQueues: false, reportsCancellation: true) {
        call,
        receive in
        let task = Task {
            do {
                switch call.resultKind {
                case .response:
                    let response: Response = try await call.provider.request(call.target)
                    receive(Event(response))
                case .output: receive(Event(try await call.provider.request(call.target)))
                case .message: receive(.message(try await call.provider.request(call.target).map(Message.self).message))
                case .progress:
                    for try await progress in call.provider.requestWithProgress(call.target) {
                        receive(Event(progress))
                    }
                }
                receive(.end)
            } catch {
                receive(Event(error as? MoyaError ?? .underlying(error)))
            }
        }
        return { task.cancel() }
    }
}
