import NIOConcurrencyHelpers

/// A set of running tasks, whose results are dropped.
///
/// A discarding task group is not used, because it would require macOS 14.
final class RunningTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var count = 0
        var isCancelled = false
    }

    private let state = NIOLockedValueBox(State())

    /// Starts a task, and cancels it immediately if all tasks were cancelled before.
    func add(_ operation: @escaping @Sendable () async -> Void) {
        state.withLockedValue { state in
            let id = state.count
            state.count += 1
            let task = Task {
                await operation()
                // The lock is held while the task is recorded, so the task is removed after it was recorded.
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
