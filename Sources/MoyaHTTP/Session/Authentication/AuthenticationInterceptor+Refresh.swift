import Foundation

extension AuthenticationInterceptor {
    /// Passes an event to the state machine, and creates the waiter that the resulting action may need.
    func decide(
        _ event: @Sendable (inout RefreshState) -> RefreshState.Action
    ) -> (RefreshState.Action, Promise<Ending>) {
        let waiter = Promise<Ending>()
        let action = shared.withLock { shared in
            let action = event(&shared.state)
            switch action {
            case .wait(let number), .refresh(_, let number): shared.waiters[number] = waiter
            case .proceed, .leave, .fail: break
            }
            return action
        }
        return (action, waiter)
    }

    func start(_ refresh: Int, of credential: Credential, for session: Session) {
        // Not in the task of the first request that needs the refresh: its cancellation must not affect the others.
        let task = Task { [self] in
            let result = await RefreshMark.mark(id) { () async -> Result<Credential, any Error> in
                do {
                    return .success(try await authenticator.refresh(credential, for: session))
                } catch {
                    return .failure(error)
                }
            }
            end(refresh, result)
        }
        let isWanted = shared.withLock { shared in
            let isRunning = shared.state.isRunning(refresh)
            if isRunning { shared.refresh = task }
            return isRunning
        }
        if !isWanted { task.cancel() }
    }

    private func end(_ refresh: Int, _ result: Result<Credential, any Error>) {
        let (waiters, ending): ([Promise<Ending>], Ending) = shared.withLock { shared in
            switch result {
            case .success(let credential):
                guard let numbers = shared.state.succeeded(refresh) else { return ([], .credentialSet) }
                shared.credential = credential
                shared.refresh = nil
                return (shared.take(numbers), .succeeded(generation: shared.state.generation))
            case .failure(let error):
                guard let numbers = shared.state.failed(refresh) else { return ([], .credentialSet) }
                shared.refresh = nil
                return (shared.take(numbers), .failed(error))
            }
        }
        waiters.forEach { $0.fulfill(ending) }
    }

    /// Waits for the running refresh, until the task is cancelled.
    func ending(of waiter: Promise<Ending>, _ number: Int) async -> Ending {
        let ending = await withTaskCancellationHandler {
            await waiter.wait()
        } onCancel: {
            waiter.fulfill(.cancelled)
        }
        if case .cancelled = ending {
            shared.withLock { shared in
                shared.state.left(waiter: number)
                shared.waiters[number] = nil
            }
        }
        return ending
    }
}
