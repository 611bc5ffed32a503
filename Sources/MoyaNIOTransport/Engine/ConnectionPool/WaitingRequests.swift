/// The requests that wait for a connection, in their order, and the numbers of all requests.
struct WaitingRequests: Sendable {
    /// The history of a request, which determines its place.
    enum History: Equatable, Sendable {
        case new
        /// Its connection was lost, or the server did not process it; `age` is the time since it was first made.
        case resent(age: Duration)
        /// A connection returned it before any of it was sent.
        case returned

        var isResent: Bool { if case .resent = self { true } else { false } }
    }

    /// The number of the last request that has arrived.
    private(set) var lastNumber = 0
    /// The new requests in the order of arrival, which is that of their numbers.
    private var new = RequestQueue()
    /// The requests that are sent again, the oldest first.
    ///
    /// They get priority and, over HTTP/1.1, a new connection, since an idle one may be stale, too.
    private var resent = AgedRequestQueue()
    /// The requests that a connection has returned before any of them was sent.
    ///
    /// They get priority over those that have just arrived.
    private var returned = RequestQueue()

    var count: Int { new.count + resent.count + returned.count }
    var isEmpty: Bool { count == 0 }
    /// The number of requests that are sent again.
    var resentCount: Int { resent.count }

    /// Assigns a number to a request that arrives.
    mutating func assignNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func append(_ request: Int, _ history: History, at now: Duration) {
        switch history {
        case .new: new.append(request)
        case .resent(let age): resent.append(request, since: now - age)
        case .returned: returned.append(request)
        }
    }

    /// Removes the next request.
    mutating func popFirst() -> Int? { resent.popFirst() ?? popFirstUnsent() }

    /// Removes the next request of those that have not been sent yet.
    mutating func popFirstUnsent() -> Int? { returned.popFirst() ?? new.popFirst() }

    /// Removes all requests with numbers up to a limit, and returns them in the order in which they would be sent.
    mutating func removeAll(upTo limit: Int) -> [Int] {
        var removed = resent.removeAll(upTo: limit)
        while let request = returned.popFirst(upTo: limit) { removed.append(request) }
        while let request = new.popFirst(upTo: limit) { removed.append(request) }
        return removed
    }

    /// Removes a request; returns whether it was waiting.
    mutating func remove(_ request: Int) -> Bool {
        new.remove(request) || resent.remove(request) || returned.remove(request)
    }
}

/// A queue of ascending numbers.
private struct RequestQueue: Sendable {
    private var numbers: [Int] = []
    /// The index of the first number in the queue.
    private var start = 0

    var count: Int { numbers.count - start }

    mutating func append(_ number: Int) { numbers.append(number) }

    mutating func popFirst(upTo limit: Int = .max) -> Int? {
        guard start < numbers.count, numbers[start] <= limit else { return nil }
        let first = numbers[start]
        start += 1
        if start == numbers.count {
            numbers.removeAll(keepingCapacity: start < 64)
            start = 0
        } else if start >= 64, start * 2 >= numbers.count {
            numbers.removeFirst(start)
            start = 0
        }
        return first
    }

    /// Removes a number; returns whether it was in the queue.
    mutating func remove(_ number: Int) -> Bool {
        var (low, high) = (start, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        guard low < numbers.count, numbers[low] == number else { return false }
        numbers.remove(at: low)
        return true
    }
}

/// A queue of requests by the time at which they were first made.
private struct AgedRequestQueue: Sendable {
    private var requests: [(number: Int, since: Duration)] = []

    var count: Int { requests.count }

    mutating func append(_ number: Int, since: Duration) {
        // The new request is usually one of the youngest.
        var index = requests.endIndex
        while index > 0, requests[index - 1].since > since { index -= 1 }
        requests.insert((number, since), at: index)
    }

    mutating func popFirst() -> Int? { requests.isEmpty ? nil : requests.removeFirst().number }

    /// Removes all requests with numbers up to a limit, and returns them in their order.
    mutating func removeAll(upTo limit: Int) -> [Int] {
        defer { requests.removeAll { $0.number <= limit } }
        return requests.filter { $0.number <= limit }.map(\.number)
    }

    /// Removes a request; returns whether it was in the queue.
    mutating func remove(_ number: Int) -> Bool {
        guard let index = requests.firstIndex(where: { $0.number == number }) else { return false }
        requests.remove(at: index)
        return true
    }
}
