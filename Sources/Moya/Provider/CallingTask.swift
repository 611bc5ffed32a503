/// The next step of a task that has made a request and waits.
enum CallerStep: Sendable {
    /// It sends the request.
    case send(MappedRequest)
    /// It returns the result.
    case end(Result<Response, MoyaError>)
}

/// A task that has made a request, and gets its next step from the steps of the request.
///
/// The step is usually set before the task asks for it, because most request closures call back immediately.
final class CallingTask: Sendable {
    private struct State: Sendable {
        var step: CallerStep?
        var waiter: UnsafeContinuation<Void, Never>?
    }

    private let state = InlineLocked(State())

    /// Sets the next step, unless one is set, and resumes the task, if it waits.
    func `continue`(with step: CallerStep) {
        let waiter = state.withLock { state in
            if state.step == nil { state.step = step }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Takes the next step; `nil` if it is not set.
    func takeStep() -> CallerStep? { state.withLock { $0.step.take() } }

    /// Waits for the next step, and takes it.
    ///
    /// Cancellation does not end the wait.
    nonisolated(nonsending) func waitForStep() async -> CallerStep {
        while true {
            if let step = takeStep() { return step }
            await withUnsafeContinuation { waiter in
                let isSet = state.withLock { state in
                    if state.step == nil { state.waiter = waiter }
                    return state.step != nil
                }
                if isSet { waiter.resume() }
            }
        }
    }
}

/// The caller of a request.
enum RequestCaller: Sendable {
    /// A completion, which is called once. A new task sends the request.
    case completion(Completion)
    /// A task, which sends the request.
    case task(CallingTask)

    /// Passes the result to the caller.
    func complete(_ result: Result<Response, MoyaError>) {
        switch self {
        case .completion(let completion): completion(result)
        case .task(let task): task.continue(with: .end(result))
        }
    }
}
