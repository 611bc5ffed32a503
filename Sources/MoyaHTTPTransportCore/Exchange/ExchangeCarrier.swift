extension Exchange {
    /// The carrier of an exchange, by functions: a connection, a pool in which the exchange waits for a connection, or a task
    /// of another HTTP client.
    ///
    /// It calls the exchange's methods for carriers, such as ``Exchange/receivedHead(_:)``.
    package struct Carrier: Sendable {
        /// Stops the work on an exchange that is cancelled or aborted: it closes the HTTP/1.1 connection, resets the HTTP/2 stream,
        /// or ends the wait.
        let stop: @Sendable (Exchange) -> Void
        /// Runs a function after a delay, and returns a function that cancels it; `nil` if the carrier calls
        /// ``Exchange/checkTimeouts(due:lastTransfer:hasPendingInput:)`` itself.
        let schedule: (@Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void)?
        /// Returns the state of the connection pool in which the exchange waits; `nil` for a carrier with a connection.
        let poolStatus: (@Sendable () -> PoolStatus)?

        /// A timer for carriers without their own timers.
        package static let scheduleByTask:
            @Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void = {
                time,
                body in
                let timer = Task {
                    try await Task.sleep(for: time)
                    body()
                }
                return { timer.cancel() }
            }

        /// Creates a carrier from its functions, which the properties describe.
        package init(
            stop: @escaping @Sendable (Exchange) -> Void,
            schedule: (@Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void)?,
            poolStatus: (@Sendable () -> PoolStatus)? = nil
        ) {
            self.stop = stop
            self.schedule = schedule
            self.poolStatus = poolStatus
        }
    }
}
