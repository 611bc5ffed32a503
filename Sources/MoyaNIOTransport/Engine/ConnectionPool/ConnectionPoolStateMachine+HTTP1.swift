// HTTP/1.1 connections, which carry one request at a time.
extension ConnectionPoolStateMachine {
    /// An idle HTTP/1.1 connection as the pool sees it.
    struct PooledHTTP1Connection: Sendable {
        let id: ConnectionID
        let since: Duration
        /// The time at which it is closed.
        let deadline: Duration
        /// The number of its responses.
        var responses = 0

        func use(at now: Duration) -> StaleConnections.Use { .init(idle: now - since, responses: responses) }
    }

    /// Handles a connect attempt that has become an HTTP/1.1 connection.
    mutating func connectedHTTP1(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = removeConnectAttempt(id) else { return [.close(id)] }
        version = .http1
        memory.recordHTTP1()
        guard let request = waiting.popFirst() else {
            idle.append(PooledHTTP1Connection(id: id, since: now, deadline: now + idleTimeout))
            return attempt.isOneOfTwo ? cancelUnwantedConnectAttempts() : []
        }
        busy[id] = .init(responses: 0)
        return [.run(request, on: id)] + (attempt.isOneOfTwo ? cancelUnwantedConnectAttempts() : [])
            + startConnectAttempts(at: now)
    }

    /// Handles the end of an exchange on an HTTP/1.1 connection, which can be reused.
    ///
    /// `keepAliveTime` is the time for which the server keeps it open, if it has said so.
    mutating func freed(_ id: ConnectionID, keepAliveTime: Duration? = nil, at now: Duration) -> [Action] {
        guard let use = busy.removeValue(forKey: id) else { return [] }
        stale.recordResponse(after: use)
        let responses = use.responses + 1
        let isExpectedToClose = !waiting.isEmpty && stale.hasServedAll(responses, at: now)
        if isExpectedToClose
            || (waiting.resentCount > connectAttempts.count && connectionCount >= maximumConnections - 1)
        {
            // Its place is needed for a new connection.
            return [.close(id)] + startConnectAttempts(at: now)
        }
        if let request = waiting.popFirstUnsent() {
            busy[id] = .init(responses: responses)
            return [.run(request, on: id)]
        }
        let time = min(idleTimeout, keepAliveTime.map { Self.idleTime(forKeepAliveTime: $0) } ?? idleTimeout)
        guard time > .zero else { return [.close(id)] }
        idle.append(PooledHTTP1Connection(id: id, since: now, deadline: now + time, responses: responses))
        return []
    }

    /// Returns the time for which a connection is used, which is a little shorter than the server keeps it open.
    private static func idleTime(forKeepAliveTime time: Duration) -> Duration { time - min(.seconds(1), time / 4) }

    /// Closes all idle connections, because a request on a reused HTTP/1.1 connection got no response.
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
        busy[connection.id] = connection.use(at: now)
        return connection.id
    }
}
