import Foundation

/// The callers without a request that wait until a pool has opened connections.
struct Preconnecting: Sendable {
    /// A caller, and the number of connections that it waits for.
    final class Waiter: Sendable {
        let count: Int
        let url: URL
        let result = Promise<Result<Void, URLError>>()

        init(count: Int, url: URL) {
            self.count = count
            self.url = url
        }
    }

    private var waiters: [Waiter] = []

    var isEmpty: Bool { waiters.isEmpty }

    /// The largest number of connections that a caller waits for; `nil` without callers.
    var count: Int? { waiters.map(\.count).max() }

    mutating func add(_ waiter: Waiter) { waiters.append(waiter) }

    /// Removes and returns the callers that wait for no more connections than there are.
    mutating func takeSatisfied(_ isEnough: (Int) -> Bool) -> [Waiter] {
        let done = waiters.filter { isEnough($0.count) }
        if !done.isEmpty { waiters.removeAll { isEnough($0.count) } }
        return done
    }

    /// Removes and returns all callers.
    mutating func takeAll() -> [Waiter] {
        defer { waiters = [] }
        return waiters
    }

    /// Removes a caller; returns whether it was the last one.
    mutating func remove(_ waiter: Waiter) -> Bool {
        guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
        waiters.remove(at: index)
        return waiters.isEmpty
    }
}
