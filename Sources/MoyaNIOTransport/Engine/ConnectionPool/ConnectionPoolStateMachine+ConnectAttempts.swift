// Connect attempts: their number, their time, and their end.
extension ConnectionPoolStateMachine {
    struct ConnectAttempt: Sendable {
        let id: ConnectionID
        /// The last request that arrived before the connect attempt.
        let lastRequest: RequestID
        /// The time at which it was ordered for a waiting request; zero if it was ordered without one.
        var start = Duration.zero
        /// Whether the connect attempt continues without a request that waits for it.
        var isPreconnected = false
        /// The time at which it began to connect, after the lookup of the host name.
        var connectingSince: Duration?
        /// Whether it is one of two connect attempts, of which one is expected to become a connection.
        var isOneOfTwo = false
    }

    /// Handles a connect attempt that has the addresses of the host, and begins to connect.
    ///
    /// The event only changes ``nextDeadline``. Before it, a second connect attempt would wait for the same lookup.
    mutating func beganConnecting(_ id: ConnectionID, at now: Duration) -> [Action] {
        if let index = connectAttempts.firstIndex(where: { $0.id == id }) {
            connectAttempts[index].connectingSince = now
        }
        return []
    }

    /// Handles a failed connect attempt.
    ///
    /// Requests that arrived before the connect attempt fail, unless another connection or connect attempt is available. A failed
    /// attempt beside a usable HTTP/2 connection delays further connections.
    mutating func connectFailed(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = removeConnectAttempt(id) else { return [] }
        memory.recordFailure(at: now)
        if hasUsableConnection() { memory.recordFurtherRefusal(id, at: now) }
        var actions: [Action] = []
        if connectAttempts.isEmpty, idle.isEmpty, busy.isEmpty,
            !http2Connections.contains(where: { $0.isUsable || $0.hasUsedAllowance })
        {
            actions = waiting.removeAll(upTo: attempt.lastRequest).map { .fail($0) }
        }
        return actions + startConnectAttempts(at: now)
    }

    /// The number of connect attempts that the waiting requests need.
    var wantedConnectAttempts: Int {
        version == .http1 ? waitingCount : min(waitingCount, 1) * max(1, connectAttempts.count)
    }

    /// The earliest time at which a connect attempt should be started; `nil` if no other one is needed.
    var timeOfNextConnect: Duration? {
        guard version != .http1 else {
            guard connectAttempts.count < waitingCount else { return nil }
            let hasRoom =
                connectionCount < maximumConnections || (waiting.resentCount > connectAttempts.count && !idle.isEmpty)
            return hasRoom ? memory.earliestConnectTime : nil
        }
        guard !waiting.isEmpty else { return nil }
        guard !hasUsableConnection() else { return timeOfFurtherConnect }
        guard http2Connections.count(where: \.hasUsedAllowance) < (memory.hasRefusal ? 1 : maximumConnections) else {
            return nil
        }
        guard let first = connectAttempts.first else { return memory.earliestConnectTime }
        guard connectAttempts.count == 1, !first.isOneOfTwo, let since = first.connectingSince, let secondConnectDelay
        else {
            return nil
        }
        return max(memory.earliestConnectTime, since + secondConnectDelay)
    }

    mutating func startConnectAttempts(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while let time = timeOfNextConnect, now >= time {
            let isSecond = version != .http1 && !connectAttempts.isEmpty
            if isSecond { connectAttempts[0].isOneOfTwo = true }
            if version == .http1, connectionCount >= maximumConnections {
                actions.append(.close(idle.removeFirst().id))
            }
            lastConnection += 1
            connectAttempts.append(
                ConnectAttempt(id: lastConnection, lastRequest: lastRequest, start: now, isOneOfTwo: isSecond)
            )
            actions.append(.open(lastConnection))
            // Only one connect attempt at a time after a failure.
            if memory.hasFailure { break }
        }
        return actions
    }

    /// Cancels the connect attempts beyond those that requests wait for, the oldest ones first.
    mutating func cancelUnwantedConnectAttempts() -> [Action] {
        var actions: [Action] = []
        while connectAttempts.count > waitingCount,
            let index = connectAttempts.firstIndex(where: { !$0.isPreconnected })
        {
            actions.append(.cancelConnect(connectAttempts.remove(at: index).id))
        }
        return actions
    }

    mutating func removeConnectAttempt(_ id: ConnectionID) -> ConnectAttempt? {
        connectAttempts.firstIndex { $0.id == id }.map { connectAttempts.remove(at: $0) }
    }

    // MARK: Preconnecting

    /// Returns whether the pool has this number of HTTP/1.1 connections, or the maximum, busy or idle, or one HTTP/2 connection.
    func hasConnections(_ count: Int) -> Bool {
        http2Connections.contains(where: \.isUsable) || idle.count + busy.count >= min(count, maximumConnections)
    }

    /// Starts connect attempts for this number of connections, even if no request waits for them.
    mutating func preconnect(_ count: Int) -> [Action] {
        guard !hasConnections(count) else { return [] }
        // One connection shows the version. Over HTTP/2, further ones are opened when requests need them.
        let missing = version == .http1 ? min(count, maximumConnections) - idle.count - busy.count : 1
        for index in connectAttempts.indices.prefix(missing) { connectAttempts[index].isPreconnected = true }
        var actions: [Action] = []
        while connectAttempts.count < missing {
            lastConnection += 1
            connectAttempts.append(ConnectAttempt(id: lastConnection, lastRequest: lastRequest, isPreconnected: true))
            actions.append(.open(lastConnection))
        }
        return actions
    }

    /// Starts a connect attempt for the later requests of a caller whose event loop has no HTTP/1.1 connection, unless there is no room
    /// for one, or a connect attempt has failed.
    mutating func openAnother() -> [Action] {
        guard version == .http1, !memory.hasFailure, connectionCount < maximumConnections else { return [] }
        lastConnection += 1
        connectAttempts.append(ConnectAttempt(id: lastConnection, lastRequest: lastRequest, isPreconnected: true))
        return [.open(lastConnection)]
    }

    /// Cancels the connect attempts that no request waits for, because no caller waits for connections any more.
    mutating func cancelPreconnecting() -> [Action] {
        for index in connectAttempts.indices { connectAttempts[index].isPreconnected = false }
        let excess = connectAttempts.suffix(max(0, connectAttempts.count - wantedConnectAttempts))
        connectAttempts.removeLast(excess.count)
        return excess.map { .cancelConnect($0.id) }
    }
}
