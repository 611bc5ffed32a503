/// The connect attempts of a pool, the oldest first, and the numbers of its connections.
struct ConnectAttempts: Sendable {
    typealias ConnectionID = ConnectionPoolStateMachine.ConnectionID
    typealias RequestID = ConnectionPoolStateMachine.RequestID

    /// The reason for a connect attempt.
    enum Purpose: Sendable {
        /// A request waits for it since this time.
        case request(since: Duration)
        /// A request waits since this time for it or an earlier one, and one of the two is expected to become a connection.
        case second(since: Duration)
        /// A caller wants a connection for later requests.
        case preconnect
    }

    struct Attempt: Sendable {
        let id: ConnectionID
        /// The last request that arrived before the connect attempt.
        let lastRequest: RequestID
        /// The time at which it was ordered for a waiting request; zero if it was ordered without one.
        fileprivate let start: Duration
        /// Whether the connect attempt continues without a request that waits for it.
        fileprivate var continuesWithoutRequest = false
        /// The time at which it began to connect, after the lookup of the host name.
        fileprivate var connectingSince: Duration?
        /// Whether it is one of two connect attempts, of which one is expected to become a connection.
        fileprivate(set) var isOneOfTwo = false

        fileprivate init(_ id: ConnectionID, for purpose: Purpose, after lastRequest: RequestID) {
            (self.id, self.lastRequest) = (id, lastRequest)
            switch purpose {
            case .request(let start): self.start = start
            case .second(let start): (self.start, isOneOfTwo) = (start, true)
            case .preconnect: (start, continuesWithoutRequest) = (.zero, true)
            }
        }
    }

    private(set) var attempts: [Attempt] = []
    private var lastID = 0

    var count: Int { attempts.count }
    var isEmpty: Bool { attempts.isEmpty }

    /// Adds a connect attempt; a second one needs exactly one other.
    mutating func add(for purpose: Purpose, after lastRequest: RequestID) -> ConnectionID {
        lastID += 1
        if case .second = purpose { attempts[0].isOneOfTwo = true }
        attempts.append(Attempt(lastID, for: purpose, after: lastRequest))
        return lastID
    }

    /// Records that a connect attempt has the addresses of the host, and begins to connect.
    mutating func beganConnecting(_ id: ConnectionID, at now: Duration) {
        if let index = attempts.firstIndex(where: { $0.id == id }) { attempts[index].connectingSince = now }
    }

    /// Returns the time of a second connect attempt: this delay after the only one has begun to connect.
    ///
    /// It is `nil` in these cases:
    /// - There is no connect attempt, or there are several.
    /// - The only one has not begun to connect.
    /// - The only one has been one of two.
    func timeOfSecond(after delay: Duration) -> Duration? {
        guard count == 1, !attempts[0].isOneOfTwo else { return nil }
        return attempts[0].connectingSince.map { $0 + delay }
    }

    /// Lets the oldest connect attempts, at most this number, continue without a request.
    mutating func continueWithoutRequest(_ count: Int) {
        for index in attempts.indices.prefix(count) { attempts[index].continuesWithoutRequest = true }
    }

    // MARK: End

    /// Removes a connect attempt; `nil` if it has been cancelled.
    mutating func remove(_ id: ConnectionID) -> Attempt? {
        attempts.firstIndex { $0.id == id }.map { attempts.remove(at: $0) }
    }

    mutating func removeAll() -> [ConnectionID] {
        defer { attempts = [] }
        return attempts.map(\.id)
    }

    /// Removes the oldest connect attempt that does not continue without a request.
    mutating func removeOldest() -> ConnectionID? {
        attempts.firstIndex { !$0.continuesWithoutRequest }.map { attempts.remove(at: $0).id }
    }

    /// Removes the oldest connect attempt for which a request has waited, if it was ordered so long ago.
    mutating func removeOverdue(for request: RequestID, after time: Duration, at now: Duration) -> ConnectionID? {
        guard let index = attempts.firstIndex(where: { $0.lastRequest >= request && now - $0.start >= time })
        else { return nil }
        // The other one of two may be replaced, too.
        for index in attempts.indices { attempts[index].isOneOfTwo = false }
        return attempts.remove(at: index).id
    }

    /// Lets no connect attempt continue without a request, and removes the youngest ones beyond a number.
    mutating func endPreconnecting(keeping count: Int) -> [ConnectionID] {
        for index in attempts.indices { attempts[index].continuesWithoutRequest = false }
        let excess = attempts.suffix(max(0, attempts.count - count))
        attempts.removeLast(excess.count)
        return excess.map(\.id)
    }
}
