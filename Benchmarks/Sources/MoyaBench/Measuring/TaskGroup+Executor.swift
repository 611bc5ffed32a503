extension ThrowingTaskGroup where Failure == any Error {
    /// Adds a task that prefers an executor, or one without a preference.
    ///
    /// A task that is added with `executorPreference: nil` has a record of its preference, which the runtime reads after each call of
    /// an asynchronous function: 200 instructions each time, which tasks of applications do not have.
    mutating func addTask(
        on executor: (any TaskExecutor)?,
        operation: @escaping @Sendable () async throws -> ChildTaskResult
    ) {
        if let executor {
            addTask(executorPreference: executor, operation: operation)
        } else {
            addTask(operation: operation)
        }
    }
}
