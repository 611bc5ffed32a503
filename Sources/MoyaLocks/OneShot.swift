/// A value that is given once and awaited by one task: the first value counts, later ones are dropped.
///
/// Copies share it.
public struct OneShot<Value: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline
        var value: Value?
        @usableFromInline
        var waiter: CheckedContinuation<Void, Never>?

        @inlinable
        init() {}
    }

    @usableFromInline
    let state: Locked<State>

    /// Makes one that has no value yet.
    @inlinable
    public init() { state = Locked(State()) }

    /// The value, if it has been given.
    @inlinable
    public var value: Value? { state.withLock { $0.value } }

    /// Gives the value. Returns whether it was the first.
    @discardableResult
    @inlinable
    public func fulfil(_ value: Value) -> Bool {
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
    @inlinable
    public func wait() async -> Value {
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
