// HTTP/1.1 connections, which carry one request at a time.
extension ConnectionPoolStateMachine {
    /// An open HTTP/1.1 connection as the pool sees it.
    struct PooledHTTP1Connection: Sendable {
        let id: ConnectionID
        /// The time of its last response, or the time when it was opened.
        let since: Duration
        /// The time at which it is closed, if it is idle.
        let deadline: Duration
        /// The number of its responses.
        var responses = 0
        /// The time at which it got its last request.
        var requestTime = Duration.zero

        /// The use up to its last request.
        var lastUse: StaleConnections.Use { use(at: requestTime) }

        func use(at now: Duration) -> StaleConnections.Use { .init(idle: now - since, responses: responses) }
    }

    /// Handles a connect attempt that has become an HTTP/1.1 connection.
    mutating func connectedHTTP1(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = removeConnectAttempt(id) else { return [.close(id)] }
        version = .http1
        memory.recordHTTP1()
        let connection = PooledHTTP1Connection(id: id, since: now, deadline: now + idleTimeout)
        guard let request = waiting.popFirst() else {
            idle.append(connection)
            return attempt.isOneOfTwo ? cancelUnwantedConnectAttempts() : []
        }
        markBusy(connection, at: now)
        return [.run(request, on: id)] + (attempt.isOneOfTwo ? cancelUnwantedConnectAttempts() : [])
            + startConnectAttempts(at: now)
    }

    /// Handles the end of an exchange on an HTTP/1.1 connection, which can be reused.
    ///
    /// `keepAliveTime` is the time for which the server keeps it open, if it has said so.
    mutating func freed(_ id: ConnectionID, keepAliveTime: Duration? = nil, at now: Duration) -> [Action] {
        guard let connection = busy.removeValue(forKey: id) else { return [] }
        stale.recordResponse(after: connection.lastUse)
        let time = min(idleTimeout, keepAliveTime.map { Self.idleTime(forKeepAliveTime: $0) } ?? idleTimeout)
        return useAgain(
            PooledHTTP1Connection(id: id, since: now, deadline: now + time, responses: connection.responses + 1),
            at: now
        )
    }

    /// Handles an HTTP/1.1 connection that has not sent its last request, whose exchange was over.
    ///
    /// The connection stays as old as it was.
    mutating func unused(_ id: ConnectionID, at now: Duration) -> [Action] {
        busy.removeValue(forKey: id).map { useAgain($0, at: now) } ?? []
    }

    /// Lets a connection run the next request, or makes it idle, unless it must be closed.
    private mutating func useAgain(_ connection: PooledHTTP1Connection, at now: Duration) -> [Action] {
        let id = connection.id
        let isExpectedToClose = !waiting.isEmpty && stale.hasServedAll(connection.responses, at: now)
        if isExpectedToClose
            || (waiting.resentCount > connectAttempts.count && connectionCount >= maximumConnections - 1)
        {
            // Its place is needed for a new connection.
            return [.close(id)] + startConnectAttempts(at: now)
        }
        if let request = waiting.popFirstUnsent() {
            markBusy(connection, at: now)
            return [.run(request, on: id)]
        }
        guard now < connection.deadline else { return [.close(id)] }
        let index = idle.lastIndex { $0.since <= connection.since }.map { $0 + 1 } ?? idle.startIndex
        idle.insert(connection, at: index)
        return []
    }

    /// Records that a connection gets a request.
    private mutating func markBusy(_ connection: PooledHTTP1Connection, at now: Duration) {
        var connection = connection
        connection.requestTime = now
        busy[connection.id] = connection
    }

    /// Returns the time for which a connection is used, which is a little shorter than the server keeps it open.
    private static func idleTime(forKeepAliveTime time: Duration) -> Duration { time - min(.seconds(1), time / 4) }

    /// Closes all idle connections, because a request on a reused HTTP/1.1 connection timed out before it got a response.
    ///
    /// The idle connections may be stale, too.
    mutating func closeIdleConnections() -> [Action] {
        defer { idle = [] }
        return idle.map { .close($0.id) }
    }

    /// Returns the idle connection that was used last; for a request that cannot be sent again, one that the server is not
    /// expected to close.
    ///
    /// A connection for which `isNear` returns true goes before those that were used later.
    mutating func takeIdle(
        canBeResent: Bool,
        preferring isNear: ((ConnectionID) -> Bool)? = nil,
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
}
