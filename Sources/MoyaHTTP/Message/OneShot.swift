/// A value that is given once and awaited by one task: the first value counts, later ones are dropped.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case fulfilled(Value)
    }

    private let state = Locked<State>(.empty)

    package init() {}

    /// The value, if it has been given.
    package var value: Value? {
        state.withLock { state in
            if case .fulfilled(let value) = state { value } else { nil }
        }
    }

    /// Gives the value. Returns whether it was the first.
    @discardableResult
    package func fulfil(_ value: Value) -> Bool {
        let (isFirst, waiter): (Bool, CheckedContinuation<Value, Never>?) = state.withLock { state in
            switch state {
            case .empty:
                state = .fulfilled(value)
                return (true, nil)
            case .waiting(let waiter):
                state = .fulfilled(value)
                return (true, waiter)
            case .fulfilled:
                return (false, nil)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// Waits for the value, whatever becomes of the task: let a cancellation handler give one.
    package func wait() async -> Value {
        if let value { return value }
        return await withCheckedContinuation { waiter in
            let value: Value? = state.withLock { state in
                if case .fulfilled(let value) = state { return value }
                state = .waiting(waiter)
                return nil
            }
            if let value { waiter.resume(returning: value) }
        }
    }
}
