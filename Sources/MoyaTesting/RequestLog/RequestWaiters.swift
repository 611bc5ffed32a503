import MoyaHTTP

/// The callers that wait for a number of sent requests.
struct RequestWaiters: Sendable {
    private struct Waiter: Sendable {
        let count: Int
        /// The result: whether the number was reached.
        let result: Promise<Bool>
    }

    private var waiters: [Int: Waiter] = [:]
    private var next = 0

    /// Whether there are no waiting callers.
    var isEmpty: Bool { waiters.isEmpty }

    /// Adds a waiting caller, and returns the identifier for ``remove(_:)``.
    mutating func add(for count: Int, _ result: Promise<Bool>) -> Int {
        defer { next += 1 }
        waiters[next] = Waiter(count: count, result: result)
        return next
    }

    mutating func remove(_ id: Int) { waiters[id] = nil }

    /// Removes and returns the waiters whose number has been reached.
    mutating func removeReached(_ count: Int) -> [Promise<Bool>] {
        let done = waiters.filter { $0.value.count <= count }
        for id in done.keys { waiters[id] = nil }
        return done.values.map(\.result)
    }
}
