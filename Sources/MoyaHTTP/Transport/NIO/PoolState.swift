/// Which connections one origin has, which requests wait for one, and what is to be done about it. Pure: events in,
/// actions out; requests and connections are numbers, and it is told the time.
///
/// A connection of HTTP/1.1 carries one request at a time, and there are up to a limit of them. One of HTTP/2 carries all
/// requests. Where it is not known yet which it will be, one connection is made to find out.
struct PoolState: Sendable {
    typealias ConnectionID = Int
    typealias RequestID = Int

    enum Action: Equatable, Sendable {
        /// Send a request that waited.
        case run(RequestID, on: ConnectionID)
        /// Begin to make a connection.
        case open(ConnectionID)
        /// Close a connection that is not in use, or give up making it.
        case close(ConnectionID)
        /// A request has what the connection failed with that was made for it.
        case fail(RequestID)
    }

    /// What becomes of a request that comes.
    enum Arrival: Equatable, Sendable {
        case run(on: ConnectionID)
        case wait
        /// It waits, and a connection is to be made.
        case open(ConnectionID)
    }

    /// What becomes of a connection whose request has ended well.
    enum Freed: Equatable, Sendable {
        case run(RequestID)
        case idle
        case close
    }

    private enum Version: Sendable { case unknown, http1, http2 }

    private struct Idle: Sendable {
        let id: ConnectionID
        let since: Duration
    }

    private struct Attempt: Sendable {
        let id: ConnectionID
        /// The last request that came before it.
        let lastRequest: RequestID
    }

    /// A connection of HTTP/2.
    private struct Shared: Sendable {
        var streams = 0
        var idleSince = Duration.zero
        /// The server takes no more requests on it (RFC 9113, section 6.8).
        var isGoingAway = false
    }

    private let limit: Int
    private let idleTimeout: Duration
    private var version: Version
    private var lastRequest = 0
    private var lastConnection = 0
    /// In the order in which they came, so that their numbers ascend.
    private var waiting = WaitingLine()
    private var attempts: [Attempt] = []
    /// Of HTTP/1.1, the one used last at the end: that one is used next, so that those that are too many time out.
    private var idle: [Idle] = []
    private var busy = 0
    private var shared: [ConnectionID: Shared] = [:]
    /// The one of `shared` that requests are sent on.
    private var current: ConnectionID?

    /// - Parameters:
    ///   - limit: How many connections of HTTP/1.1 there may be.
    ///   - maySpeakHTTP2: Whether the server can choose HTTP/2.
    ///   - idleTimeout: How long a connection without a request is kept.
    init(limit: Int, maySpeakHTTP2: Bool, idleTimeout: Duration) {
        self.limit = max(1, limit)
        self.idleTimeout = idleTimeout
        version = maySpeakHTTP2 ? .unknown : .http1
    }

    /// Whether there is a connection that ``expire(at:)`` may have to close.
    var hasIdle: Bool { !idle.isEmpty || shared.values.contains { $0.streams == 0 } }

    /// How many requests wait for a connection.
    var waitingCount: Int { waiting.count }

    // MARK: Requests

    /// Gives a request its number, which is what it waits by.
    mutating func arrived() -> (RequestID, Arrival) {
        lastRequest += 1
        let request = lastRequest
        if let connection = idle.popLast() {
            busy += 1
            return (request, .run(on: connection.id))
        }
        if let current {
            shared[current]?.streams += 1
            return (request, .run(on: current))
        }
        waiting.append(request)
        return (request, nextAttempt().map { .open($0) } ?? .wait)
    }

    /// A request waits no longer, since it was cancelled or took too long. An attempt that nobody waits for is given up:
    /// it may be why.
    mutating func gaveUp(_ request: RequestID) -> Action? {
        guard waiting.remove(request), waiting.count < attempts.count else { return nil }
        return .close(attempts.removeFirst().id)
    }

    // MARK: Connections

    /// An attempt has become a connection.
    mutating func connected(_ id: ConnectionID, isHTTP2: Bool, at now: Duration) -> [Action] {
        guard removeAttempt(id) != nil else { return [.close(id)] }
        guard isHTTP2 else {
            version = .http1
            busy += 1
            switch freed(id, at: now) {
            case .run(let request): return [.run(request, on: id)] + moreAttempts()
            case .idle: return moreAttempts()
            case .close: return [.close(id)]
            }
        }
        version = .http2
        guard current == nil else { return [.close(id)] }
        current = id
        var actions: [Action] = []
        while let request = waiting.popFirst() { actions.append(.run(request, on: id)) }
        shared[id] = Shared(streams: actions.count, idleSince: now)
        // There is no use for others that are on their way.
        actions += attempts.map { .close($0.id) }
        attempts = []
        return actions
    }

    /// An attempt has failed.
    mutating func failed(_ id: ConnectionID) -> [Action] {
        guard let attempt = removeAttempt(id) else { return [] }
        var actions: [Action] = []
        if version == .http1 {
            if let request = waiting.popFirst() { actions.append(.fail(request)) }
        } else {
            // It was made for all who waited. Who has come since then gets another one.
            while let request = waiting.popFirst(upTo: attempt.lastRequest) { actions.append(.fail(request)) }
        }
        return actions + moreAttempts()
    }

    /// A request has ended, and its connection can have another one.
    mutating func freed(_ id: ConnectionID, at now: Duration) -> Freed {
        guard shared[id] == nil else { return endedStream(on: id, at: now) }
        if let request = waiting.popFirst() { return .run(request) }
        busy -= 1
        idle.append(Idle(id: id, since: now))
        return .idle
    }

    private mutating func endedStream(on id: ConnectionID, at now: Duration) -> Freed {
        shared[id]?.streams -= 1
        shared[id]?.idleSince = now
        guard let connection = shared[id], connection.streams == 0, connection.isGoingAway else { return .idle }
        shared[id] = nil
        return .close
    }

    /// A connection is closed, or about to be, in use or not.
    mutating func closed(_ id: ConnectionID) -> [Action] {
        if shared.removeValue(forKey: id) != nil {
            if current == id { current = nil }
        } else if let index = idle.lastIndex(where: { $0.id == id }) {
            idle.remove(at: index)
        } else if removeAttempt(id) == nil {
            busy -= 1
        }
        return moreAttempts()
    }

    /// The server takes no more requests on a connection of HTTP/2.
    mutating func goesAway(_ id: ConnectionID) -> [Action] {
        guard shared[id] != nil else { return [] }
        if current == id { current = nil }
        shared[id]?.isGoingAway = true
        guard shared[id]?.streams == 0 else { return [] }
        shared[id] = nil
        return [.close(id)]
    }

    // MARK: Time

    /// Takes out what has been idle for too long.
    ///
    /// - Returns: What to close, and when to look again, if there is something to look for.
    mutating func expire(at now: Duration) -> (close: [ConnectionID], lookAgain: Duration?) {
        var closing: [ConnectionID] = []
        let fresh = idle.firstIndex { now - $0.since < idleTimeout } ?? idle.endIndex
        closing += idle[..<fresh].map(\.id)
        idle.removeFirst(fresh)
        var next = idle.first.map { $0.since + idleTimeout - now }
        for (id, connection) in shared where connection.streams == 0 {
            let left = connection.idleSince + idleTimeout - now
            if left > .zero {
                next = min(next ?? left, left)
            } else {
                closing.append(id)
                shared[id] = nil
                if current == id { current = nil }
            }
        }
        return (closing, next)
    }

    // MARK: Attempts

    private mutating func nextAttempt() -> ConnectionID? {
        guard attempts.count < waiting.count else { return nil }
        let hasRoom =
            version == .http1 ? attempts.count + idle.count + busy < limit : attempts.isEmpty && current == nil
        guard hasRoom else { return nil }
        lastConnection += 1
        attempts.append(Attempt(id: lastConnection, lastRequest: lastRequest))
        return lastConnection
    }

    private mutating func moreAttempts() -> [Action] {
        var actions: [Action] = []
        while let id = nextAttempt() { actions.append(.open(id)) }
        return actions
    }

    private mutating func removeAttempt(_ id: ConnectionID) -> Attempt? {
        attempts.firstIndex { $0.id == id }.map { attempts.remove(at: $0) }
    }
}

/// Ascending numbers, taken from the front.
private struct WaitingLine: Sendable {
    private var numbers: [Int] = []
    /// Where the line begins: what is before it has been taken.
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

    /// Whether it was there.
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
