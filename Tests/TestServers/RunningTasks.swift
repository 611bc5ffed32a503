import NIOConcurrencyHelpers

/// Tasks that start at any time and whose results are dropped.
///
/// A discarding task group would require macOS 14.
final class RunningTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var count = 0
        var isCancelled = false
    }

    private let state = NIOLockedValueBox(State())

    /// Starts a task, which is cancelled immediately if the others were cancelled.
    func add(_ operation: @escaping @Sendable () async -> Void) {
        state.withLockedValue { state in
            let id = state.count
            state.count += 1
            let task = Task {
                await operation()
                // The lock ensures that the task was recorded.
                self.state.withLockedValue { $0.tasks[id] = nil }
            }
            state.tasks[id] = task
            if state.isCancelled { task.cancel() }
        }
    }

    /// Cancels all tasks and waits for their ends.
    func cancelAndWait() async {
        let tasks = state.withLockedValue { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        tasks.forEach { $0.cancel() }
        for task in tasks { await task.value }
    }
}
