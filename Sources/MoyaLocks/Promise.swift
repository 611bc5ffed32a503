/// A promise of a value that tasks await; the first value is kept, later ones are ignored.
///
/// Copies share the value.
public struct Promise<Value: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline
        var value: Value?
        // A checked continuation would cost an allocation for each wait. This one is removed under the lock before it is
        // resumed, so it is resumed once.
        @usableFromInline
        var waiter: UnsafeContinuation<Void, Never>?
        // The waiters after the first one. Usually there is one waiter, and no array is allocated.
        @usableFromInline
        var otherWaiters: [UnsafeContinuation<Void, Never>] = []

        @inlinable
        init() {}
    }

    @usableFromInline
    let state: Locked<State>

    /// Creates a promise without a value.
    @inlinable
    public init() { state = Locked(State()) }

    /// The value, if it is set.
    @inlinable
    public var value: Value? { state.withLock { $0.value } }

    /// Sets the value if there is none, and returns whether it was set.
    @discardableResult
    @inlinable
    public func fulfill(_ value: Value) -> Bool {
        typealias Waiter = UnsafeContinuation<Void, Never>
        let (isFirst, waiter, others): (Bool, Waiter?, [Waiter]) = state.withLock { state in
            guard state.value == nil else { return (false, nil, []) }
            state.value = value
            defer { (state.waiter, state.otherWaiters) = (nil, []) }
            return (true, state.waiter, state.otherWaiters)
        }
        waiter?.resume()
        for waiter in others { waiter.resume() }
        return isFirst
    }

    /// Waits for the value.
    ///
    /// Cancellation does not end the wait; ``wait(onCancel:)`` is for waits that it must end.
    @inlinable
    public nonisolated(nonsending) func wait() async -> Value {
        // The value is read under the lock and not passed by the continuation, so that the thread sanitizer recognizes the
        // synchronization.
        while true {
            if let value { return value }
            await withUnsafeContinuation { waiter in
                let isGiven = state.withLock { state in
                    if state.value != nil { return true }
                    if state.waiter == nil { state.waiter = waiter } else { state.otherWaiters.append(waiter) }
                    return false
                }
                if isGiven { waiter.resume() }
            }
        }
    }
    /// Waits for the value, or for the cancellation of the task, which sets the given value.
    @inlinable
    public nonisolated(nonsending) func wait(
        onCancel value: @autoclosure @Sendable () -> Value
    ) async -> Value {
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            fulfill(value())
        }
    }
}
