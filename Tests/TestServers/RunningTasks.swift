import NIOConcurrencyHelpers

/// Tasks that start at any time and whose results are dropped. (A discarding task group needs macOS 14.)
final class RunningTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var count = 0
        var isCancelled = false
    }

    private let state = NIOLockedValueBox(State())

    /// Starts a task, which is cancelled at once if the others have been.
    func add(_ operation: @escaping @Sendable () async -> Void) {
        state.withLockedValue { state in
            let id = state.count
            state.count += 1
            let task = Task {
                await operation()
                // Waits for the lock until the task is recorded.
                self.state.withLockedValue { $0.tasks[id] = nil }
            }
            state.tasks[id] = task
            if state.isCancelled { task.cancel() }
        }
    }

    /// Cancels all tasks, and waits for their ends.
    func cancelAndWait() async {
        let tasks = state.withLockedValue { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        tasks.forEach { $0.cancel() }
        for task in tasks { await task.value }
    }
}
