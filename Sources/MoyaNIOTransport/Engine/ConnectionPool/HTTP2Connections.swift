/// The HTTP/2 connections of a pool, the oldest first, which carry as many requests as the server allows.
struct HTTP2Connections: Sendable {
    typealias ConnectionID = ConnectionPoolStateMachine.ConnectionID

    private let idleTimeout: Duration
    private var connections: [PooledHTTP2Connection] = []

    init(idleTimeout: Duration) { self.idleTimeout = idleTimeout }

    var isEmpty: Bool { connections.isEmpty }
    /// The number of connections, without those that accept no more requests or whose server is in doubt.
    var count: Int { connections.count(where: \.isCounted) }
    /// The number of all connections with a request, and of those without one.
    var countsByUse: (active: Int, idle: Int) {
        let idle = connections.count { $0.streamCount == 0 }
        return (connections.count - idle, idle)
    }
    /// The number of connections that may accept no more requests, although the server has not reported so.
    var countWithUsedAllowance: Int { connections.count(where: \.hasUsedAllowance) }
    /// Whether a connection may get room for a request.
    var mayGetRoom: Bool { connections.contains { $0.isUsable && $0.streamLimit > 0 } }
    /// Whether all streams of the usable connections are in use.
    var isFull: Bool { connections.allSatisfy { !$0.isUsable || $0.isFull } }
    /// The number of streams that the server allows on all usable connections.
    var streamLimit: Int {
        connections.reduce(0) { sum, connection in
            connection.isUsable ? sum + min(connection.streamLimit, .max - sum) : sum
        }
    }

    /// Returns whether a connection other than this one accepts requests, now or later.
    func hasUsable(besides id: ConnectionID? = nil) -> Bool { connections.contains { $0.isUsable && $0.id != id } }

    /// Whether there are usable connections, and none of them allows upgrades on streams.
    var allRefuseUpgrades: Bool { hasUsable() && connections.allSatisfy { !$0.isUsable || $0.refusesUpgrades } }

    /// Returns whether a connection has no request.
    func isIdle(_ id: ConnectionID) -> Bool { connections.contains { $0.id == id && $0.streamCount == 0 } }

    // MARK: Requests

    mutating func add(_ connection: PooledHTTP2Connection) { connections.append(connection) }

    /// Returns the connection for the next request, and counts the request; `nil` if none has room.
    ///
    /// `isUpgrade` is whether the request asks for an upgrade, for which connections that refuse upgrades have no room.
    mutating func takeRoom(forUpgrade isUpgrade: Bool = false, at now: Duration) -> ConnectionID? {
        guard let index = indexOfRoom(forUpgrade: isUpgrade) else { return nil }
        connections[index].beginStream(at: now)
        return connections[index].id
    }

    /// The index of the connection for the next request; `nil` if none has room.
    ///
    /// These rules select it:
    /// - If the limit of a connection is known, those with an unknown limit get no requests: the server may be about to refuse them.
    /// - The oldest connections that together allow twice as many streams as are needed share the requests, so that the others
    ///   become idle.
    /// - Of these, the least loaded one gets the request. If none of them has room, the next one with room gets it.
    private func indexOfRoom(forUpgrade isUpgrade: Bool) -> Int? {
        guard connections.count > 1 || isUpgrade else { return connections.first?.hasRoom == true ? 0 : nil }
        let isLimitKnown = connections.contains { $0.isUsable && $0.isLimitKnown }
        var missing = 2
        for connection in connections where connection.isUsable { missing += 2 * connection.streamCount }
        var best: Int?
        for (index, connection) in connections.enumerated()
        where connection.isUsable && connection.isLimitKnown == isLimitKnown
            && !(isUpgrade && connection.refusesUpgrades)
        {
            if connection.hasRoom, connection.streamCount < best.map({ connections[$0].streamCount }) ?? .max {
                best = index
            }
            missing -= min(missing, connection.streamLimit)
            if missing == 0, best != nil { break }
        }
        return best
    }

    // MARK: Connections

    /// Changes a connection, and removes it if it is not needed any more.
    ///
    /// - Returns: Whether it is removed; `nil` if it is unknown.
    @discardableResult
    mutating func update(
        _ id: ConnectionID,
        _ change: (inout PooledHTTP2Connection) -> Void
    ) -> Bool? {
        guard let index = connections.firstIndex(where: { $0.id == id }) else { return nil }
        change(&connections[index])
        let isUnneeded = connections[index].isUnneeded
        if isUnneeded { connections.remove(at: index) }
        return isUnneeded
    }

    /// Sends no more requests on any connection, and removes and returns the idle ones.
    mutating func retireAll() -> [ConnectionID] {
        for index in connections.indices { connections[index].acceptsNoMore = true }
        defer { connections.removeAll(where: \.isUnneeded) }
        return connections.filter(\.isUnneeded).map(\.id)
    }

    /// Removes a connection that is closed, or will be; `nil` if it is unknown.
    @discardableResult
    mutating func remove(_ id: ConnectionID) -> PooledHTTP2Connection? {
        connections.firstIndex { $0.id == id }.map { connections.remove(at: $0) }
    }

    // MARK: Time

    /// The earliest time of ``removeExpired(at:)``, or, if requests wait, of ``extendAllowances(at:)`` or
    /// ``extendStreamAllowances(at:)``.
    @inline(__always)
    func nextDeadline(hasWaiting: Bool) -> Duration? {
        var next: Duration?
        func consider(_ time: Duration) { next = next.map { min($0, time) } ?? time }
        for connection in connections {
            if connection.streamCount == 0 { consider(connection.idleSince + idleTimeout) }
            guard hasWaiting else { continue }
            if let time = connection.allowanceDeadline { consider(time) }
            if let time = connection.streamDeadline { consider(time) }
        }
        return next
    }

    /// Removes the connections that have been idle for too long.
    mutating func removeExpired(at now: Duration) -> [ConnectionID] {
        func isExpired(_ connection: PooledHTTP2Connection) -> Bool {
            connection.streamCount == 0 && now - connection.idleSince >= idleTimeout
        }
        defer { connections.removeAll(where: isExpired) }
        return connections.filter(isExpired).map(\.id)
    }

    /// Allows more requests on the connections whose server has not reported anything for some time; returns the numbers.
    mutating func extendAllowances(at now: Duration) -> [Int] {
        var allowances: [Int] = []
        for index in connections.indices {
            guard let time = connections[index].allowanceDeadline, now >= time else { continue }
            if let allowance = connections[index].extendAllowance() { allowances.append(allowance) }
        }
        return allowances
    }

    /// Allows one more stream at once on the connections whose server has refused some, and has completed no response for some time.
    mutating func extendStreamAllowances(at now: Duration) {
        for index in connections.indices {
            guard let time = connections[index].streamDeadline, now >= time else { continue }
            connections[index].extendStreamAllowance(at: now)
        }
    }
}
