import Moya

/// Those who wait until so many requests have been sent. Pure.
struct RequestWaiters: Sendable {
    private struct Waiter: Sendable {
        let count: Int
        /// Gives whether so many came.
        let result: OneShot<Bool>
    }

    private var waiters: [Int: Waiter] = [:]
    private var next = 0

    /// Whether nobody waits.
    var isEmpty: Bool { waiters.isEmpty }

    /// - Returns: What to give up with.
    mutating func add(for count: Int, _ result: OneShot<Bool>) -> Int {
        defer { next += 1 }
        waiters[next] = Waiter(count: count, result: result)
        return next
    }

    mutating func remove(_ id: Int) { waiters[id] = nil }

    /// Takes out those who have waited for as many.
    mutating func reached(_ count: Int) -> [OneShot<Bool>] {
        let done = waiters.filter { $0.value.count <= count }
        for id in done.keys { waiters[id] = nil }
        return done.values.map(\.result)
    }
}
