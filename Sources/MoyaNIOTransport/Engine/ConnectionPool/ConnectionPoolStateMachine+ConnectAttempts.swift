// Connect attempts: their number, their time, and their end.
extension ConnectionPoolStateMachine {
    /// Handles a connect attempt that has the addresses of the host, and begins to connect.
    ///
    /// The event only changes ``nextDeadline``. Before it, a second connect attempt would wait for the same lookup.
    mutating func beganConnecting(_ id: ConnectionID, at now: Duration) -> [Action] {
        connectAttempts.beganConnecting(id, at: now)
        return []
    }

    /// Handles a failed connect attempt.
    ///
    /// Requests that arrived before the connect attempt fail, unless another connection or connect attempt is available. A failed
    /// attempt beside a usable HTTP/2 connection delays further connections.
    mutating func connectFailed(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = connectAttempts.remove(id) else { return [] }
        memory.recordFailure(at: now)
        if http2.hasUsable() { memory.recordFurtherFailure(id, at: now) }
        var actions: [Action] = []
        if connectAttempts.isEmpty, http1.isEmpty, !http2.hasUsable(), http2.countWithUsedAllowance == 0 {
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
                connectionCount < maximumConnections || (waiting.resentCount > connectAttempts.count && http1.hasIdle)
            return hasRoom ? memory.earliestConnectTime : nil
        }
        guard !waiting.isEmpty else { return nil }
        guard !http2.hasUsable() else { return timeOfFurtherConnect }
        guard http2.countWithUsedAllowance < (memory.hasRefusal ? 1 : maximumConnections) else { return nil }
        guard !connectAttempts.isEmpty else { return memory.earliestConnectTime }
        let second = secondConnectDelay.flatMap { connectAttempts.timeOfSecond(after: $0) }
        return second.map { max(memory.earliestConnectTime, $0) }
    }

    /// The earliest time at which a connection should be opened although others are usable; `nil` if none is needed.
    ///
    /// One is needed if requests wait, all usable connections are full, and the server does not refuse all requests. There is one
    /// connect attempt at a time, and its connection receives the server's limit before the next one, so that a burst of requests
    /// opens no more connections than it fills.
    var timeOfFurtherConnect: Duration? {
        guard connectAttempts.isEmpty, !memory.hasRefusal, connectionCount < maximumConnections, http2.isFull
        else { return nil }
        return memory.furtherPauseEnd
    }

    mutating func startConnectAttempts(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while let time = timeOfNextConnect, now >= time {
            let isSecond = version != .http1 && !connectAttempts.isEmpty
            if version == .http1, connectionCount >= maximumConnections {
                actions.append(.close(http1.removeLeastRecentlyUsed()))
            }
            let purpose: ConnectAttempts.Purpose = isSecond ? .second(since: now) : .request(since: now)
            actions.append(.open(connectAttempts.add(for: purpose, after: waiting.lastNumber)))
            // Only one connect attempt at a time after a failure.
            if memory.hasFailure { break }
        }
        return actions
    }

    /// Cancels the connect attempts beyond those that requests wait for, the oldest ones first.
    mutating func cancelUnwantedConnectAttempts() -> [Action] {
        var actions: [Action] = []
        while connectAttempts.count > waitingCount, let attempt = connectAttempts.removeOldest() {
            actions.append(.cancelConnect(attempt))
        }
        return actions
    }

    /// Cancels the connect attempts that are not needed beside a usable HTTP/2 connection, or exceed the limit, the youngest ones first.
    mutating func cancelReplacements() -> [Action] {
        guard http2.hasUsable() else { return [] }
        let wanted = version == .http1 ? connectAttempts.count : min(waitingCount, 1)
        let room = max(0, maximumConnections - http1.count - http2.count)
        return cancel(connectAttempts.endPreconnecting(keeping: min(wanted, room)))
    }

    // MARK: Preconnecting

    /// Returns whether the pool has this number of HTTP/1.1 connections, or the maximum, busy or idle, or one HTTP/2 connection.
    func hasConnections(_ count: Int) -> Bool {
        http2.hasUsable() || http1.count >= min(count, maximumConnections)
    }

    /// Starts connect attempts for this number of connections, even if no request waits for them.
    mutating func preconnect(_ count: Int) -> [Action] {
        guard !hasConnections(count) else { return [] }
        // One connection shows the version. Over HTTP/2, further ones are opened when requests need them.
        let missing = version == .http1 ? min(count, maximumConnections) - http1.count : 1
        connectAttempts.continueWithoutRequest(missing)
        var actions: [Action] = []
        while connectAttempts.count < missing {
            actions.append(.open(connectAttempts.add(for: .preconnect, after: waiting.lastNumber)))
        }
        return actions
    }

    /// Starts a connect attempt for the later requests of a caller whose event loop has no HTTP/1.1 connection, unless there is no room
    /// for one, or a connect attempt has failed.
    mutating func openAnother() -> [Action] {
        guard version == .http1, !memory.hasFailure, connectionCount < maximumConnections else { return [] }
        return [.open(connectAttempts.add(for: .preconnect, after: waiting.lastNumber))]
    }

    /// Cancels the connect attempts that no request waits for, because no caller waits for connections any more.
    mutating func cancelPreconnecting() -> [Action] {
        cancel(connectAttempts.endPreconnecting(keeping: wantedConnectAttempts))
    }
}
