/// A value that is given once and awaited by one task: the first value counts, later ones are dropped.
package final class OneShot<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    package init() {}

    /// The value, if it has been given.
    package var value: Value? { state.withLock { $0.value } }

    /// Gives the value. Returns whether it was the first.
    @discardableResult
    package func fulfil(_ value: Value) -> Bool {
        let (isFirst, waiter): (Bool, CheckedContinuation<Void, Never>?) = state.withLock { state in
            guard state.value == nil else { return (false, nil) }
            state.value = value
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume()
        return isFirst
    }

    /// Waits for the value, whatever becomes of the task: let a cancellation handler give one.
    package func wait() async -> Value {
        // Read under the lock, and not handed over by the continuation: that way the thread sanitizer sees it pass.
        while true {
            if let value { return value }
            await withCheckedContinuation { waiter in
                let isGiven = state.withLock { state in
                    if state.value == nil { state.waiter = waiter }
                    return state.value != nil
                }
                if isGiven { waiter.resume() }
            }
        }
    }
}
