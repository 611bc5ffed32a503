import Foundation

// The timer of an exchange, and the checks of its timeouts.
extension Exchange {
    /// Schedules a check of the timeouts, unless the carrier makes it itself.
    func scheduleCheck(by carrier: Carrier, after time: Duration) {
        guard let schedule = carrier.schedule else { return }
        let due = elapsed + time
        let stop = schedule(time) { [weak self] in self?.timerFired(due: due) }
        let isOver = state.withLock { state in
            if !state.machine.isOver { state.stopTimer = stop }
            return state.machine.isOver
        }
        if isOver { stop() }
    }

    private func timerFired(due: Duration) {
        guard let time = checkTimeouts(due: due) else { return }
        if let carrier = state.withLock({ $0.carrier }) { scheduleCheck(by: carrier, after: time) }
    }

    /// Aborts an exchange that has timed out: ``TimeoutState/check(due:lastTransfer:hasPendingInput:_:at:)``.
    ///
    /// - Parameters:
    ///   - due: When the check was to be made, as ``elapsed``.
    ///   - lastTransfer: When the carrier sent or received the last bytes, as ``elapsed``, including those that it has not delivered;
    ///     `nil` if it does not know.
    ///   - hasPendingInput: Whether bytes wait in the socket of the carrier; `nil` if it does not know.
    /// - Returns: The time until the next check; `nil` if the exchange is over.
    package func checkTimeouts(
        due: Duration,
        lastTransfer: Duration? = nil,
        hasPendingInput: Bool? = nil
    ) -> Duration? {
        // Not under the lock: the function takes the lock of the pool.
        let pool = state.withLock { $0.carrier?.poolStatus }.map { $0() }
        let now = elapsed
        let result = state.withLock { state -> CheckResult? in
            guard !state.machine.isOver else { return nil }
            let verdict = state.timeouts.check(
                due: due,
                lastTransfer: lastTransfer,
                hasPendingInput: hasPendingInput,
                pool,
                at: now
            )
            switch verdict {
            case .checkAgain(let time): return .checkAgain(after: time)
            case .expired(let kind):
                state.isCarrierSuspect = Self.isCarrierSuspect(after: kind, pool)
                return .expired(state.timeouts.error(of: kind, pool), waited: state.timeouts.waited(at: now))
            }
        }
        switch result {
        case nil: return nil
        case .checkAgain(let time): return time
        case .expired(let timeout, let waited):
            if let pool, let waited {
                abort(with: .timedOut(timeout, waiting: waited, for: pool, url: url))
            } else {
                abort(with: .timedOut(timeout, url: url))
            }
            return nil
        }
    }

    /// Returns whether the carrier of an exchange that has timed out may never complete.
    ///
    /// `pool` is the state of the pool in which the exchange has waited; `nil` if it had a connection.
    static func isCarrierSuspect(after kind: RequestTimeoutError.Kind, _ pool: PoolStatus?) -> Bool {
        guard let pool else { return true }
        return switch kind {
        // The pool continues a connect attempt for which others wait, too, unless nothing else ends it.
        case .connect, .pool: !pool.isConnectLimited
        // With a connection in the pool, the exchange may have waited for that one.
        default: pool.disconnected != nil || !pool.isConnectLimited
        }
    }

    private enum CheckResult: Sendable {
        case checkAgain(after: Duration)
        /// The exchange has timed out, after this wait for a connection, if it had none.
        case expired(RequestTimeoutError, waited: Duration?)
    }
}
