/// The events of child tasks and timers, which any thread posts, and for which one task waits.
final class TaskInbox<Event: Sendable>: Sendable {
    private struct State: Sendable {
        var events: [Event] = []
        var waiter: UnsafeContinuation<Void, Never>?
    }

    private let state = InlineLocked(State())

    /// Adds an event.
    func post(_ event: Event) {
        let waiter = state.withLock { state in
            state.events.append(event)
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for the next event.
    ///
    /// Cancellation does not end the wait: the child tasks end then, and post their results.
    nonisolated(nonsending) func next() async -> Event {
        while true {
            let event = state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
            if let event { return event }
            await withUnsafeContinuation { waiter in
                let hasEvent = state.withLock { state in
                    if state.events.isEmpty { state.waiter = waiter }
                    return !state.events.isEmpty
                }
                if hasEvent { waiter.resume() }
            }
        }
    }

    /// Removes and returns the events for which nobody has waited.
    func takeAll() -> [Event] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }
}

extension TaskGroup<Void> {
    /// Adds a child task, which runs in the thread of the caller until it suspends if the system supports it.
    mutating func begin(_ operation: @escaping @Sendable () async -> Void) {
        if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
            addImmediateTask(operation: operation)
        } else {
            addTask(operation: operation)
        }
    }
}
