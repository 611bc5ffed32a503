/// The HTTP/1.1 connections of a pool, which carry one request at a time: each is idle or busy.
struct HTTP1Connections: Sendable {
    typealias ConnectionID = ConnectionPoolStateMachine.ConnectionID

    struct Connection: Sendable {
        let id: ConnectionID
        /// The time of its last response, or the time when it was opened.
        fileprivate let since: Duration
        /// The time at which it is closed, if it is idle.
        fileprivate let deadline: Duration
        /// The number of its responses.
        fileprivate var responses = 0
        /// The time at which it got its last request.
        fileprivate var requestTime = Duration.zero

        /// The use up to its last request.
        fileprivate var lastUse: StaleConnections.Use { use(at: requestTime) }

        fileprivate func use(at now: Duration) -> StaleConnections.Use {
            .init(idle: now - since, responses: responses)
        }
    }

    private let idleTimeout: Duration
    /// The idle connections by last use.
    ///
    /// The most recently used one is used next, so that excess connections time out.
    private var idle: [Connection] = []
    /// The connections that run a request, as they were before that request.
    private var busy: [ConnectionID: Connection] = [:]
    private(set) var stale = StaleConnections()

    init(idleTimeout: Duration) { self.idleTimeout = idleTimeout }

    var count: Int { idle.count + busy.count }
    var idleCount: Int { idle.count }
    var isEmpty: Bool { idle.isEmpty && busy.isEmpty }
    var hasIdle: Bool { !idle.isEmpty }

    /// The earliest time of ``removeExpired(at:)``.
    @inline(__always)
    var nextDeadline: Duration? {
        var next: Duration?
        for connection in idle { next = next.map { min($0, connection.deadline) } ?? connection.deadline }
        return next
    }

    func isIdle(_ id: ConnectionID) -> Bool { idle.last?.id == id || idle.contains { $0.id == id } }

    /// Returns whether the server is expected to close a connection after its last response.
    func isExpectedToClose(_ connection: Connection, at now: Duration) -> Bool {
        stale.hasServedAll(connection.responses, at: now)
    }

    // MARK: Requests

    /// Adds a connection that has been opened, which gets a request immediately or is idle.
    mutating func add(_ id: ConnectionID, isBusy: Bool, at now: Duration) {
        let connection = Connection(id: id, since: now, deadline: now + idleTimeout)
        if isBusy { markBusy(connection, at: now) } else { idle.append(connection) }
    }

    /// Removes and returns a connection whose exchange is over; the caller lets it run another request, become idle, or close.
    ///
    /// `keepAliveTime` is the time for which the server keeps it open, if it has said so.
    @inline(__always)
    mutating func takeFreed(_ id: ConnectionID, keepAliveTime: Duration?, at now: Duration) -> Connection? {
        guard let connection = busy.removeValue(forKey: id) else { return nil }
        stale.recordResponse(after: connection.lastUse)
        // A little before the server closes it.
        let time = keepAliveTime.map { min(idleTimeout, $0 - min(.seconds(1), $0 / 4)) } ?? idleTimeout
        return Connection(id: id, since: now, deadline: now + time, responses: connection.responses + 1)
    }

    /// Removes and returns a connection that has not sent its last request, and stays as old as it was.
    mutating func takeUnused(_ id: ConnectionID) -> Connection? { busy.removeValue(forKey: id) }

    /// Adds a connection that gets a request.
    mutating func markBusy(_ connection: Connection, at now: Duration) {
        var connection = connection
        connection.requestTime = now
        busy[connection.id] = connection
    }

    /// Adds a connection that is idle, unless its time has passed; returns whether it is added.
    @inline(__always)
    mutating func markIdle(_ connection: Connection, at now: Duration) -> Bool {
        guard now < connection.deadline else { return false }
        let index = idle.lastIndex { $0.since <= connection.since }.map { $0 + 1 } ?? idle.startIndex
        idle.insert(connection, at: index)
        return true
    }

    /// Returns the idle connection that was used last, which is busy then; for a request that cannot be sent again, one that the
    /// server is not expected to close.
    ///
    /// A connection for which `isNear` returns true goes before those that were used later.
    mutating func takeIdle(
        canBeResent: Bool,
        preferring isNear: ((ConnectionID) -> Bool)?,
        at now: Duration
    ) -> ConnectionID? {
        var (index, found) = (idle.endIndex - 1, nil as Int?)
        while index >= 0 {
            if now < idle[index].deadline, canBeResent || !stale.isSuspect(idle[index].use(at: now), at: now) {
                let isPreferred = isNear?(idle[index].id) ?? true
                if isPreferred || found == nil { found = index }
                if isPreferred { break }
            }
            index -= 1
        }
        guard let found else { return nil }
        let connection = idle.remove(at: found)
        markBusy(connection, at: now)
        return connection.id
    }

    // MARK: End

    /// Removes a connection that is closed; does nothing if there is none with this number.
    ///
    /// `isStale` is whether the server has closed it before it responded to a request that followed another one.
    mutating func removeClosed(_ id: ConnectionID, isStale: Bool, at now: Duration) {
        if let connection = busy.removeValue(forKey: id) {
            if isStale { stale.recordClose(connection.lastUse, at: now) }
        } else if let index = idle.firstIndex(where: { $0.id == id }) {
            stale.recordClose(idle.remove(at: index).use(at: now), at: now)
        }
    }

    /// Removes an idle connection.
    mutating func removeIdle(_ id: ConnectionID) { idle.removeAll { $0.id == id } }

    /// Removes the idle connection whose last use is the longest ago; there must be one.
    mutating func removeLeastRecentlyUsed() -> ConnectionID { idle.removeFirst().id }

    /// Removes the idle connections whose time has passed.
    mutating func removeExpired(at now: Duration) -> [ConnectionID] {
        defer { idle.removeAll { now >= $0.deadline } }
        return idle.filter { now >= $0.deadline }.map(\.id)
    }

    /// Removes all idle connections.
    mutating func removeAllIdle() -> [ConnectionID] {
        defer { idle = [] }
        return idle.map(\.id)
    }
}
