// Connection attempts: their number, their time, and their end.
extension ConnectionPoolStateMachine {
    struct AttemptState: Sendable {
        let id: ConnectionID
        /// The last request that arrived before the attempt.
        let lastRequest: RequestID
        /// Whether the attempt continues without a request that waits for it.
        var isPreconnected = false
        /// The time at which it began to connect, after the lookup of the host name.
        var connectingSince: Duration?
        /// Whether it is one of two attempts, of which one is expected to become a connection.
        var isOneOfTwo = false
    }

    /// Handles an attempt that has the addresses of the host, and begins to connect.
    ///
    /// The event only changes ``nextDeadline``. Before it, a second attempt would wait for the same lookup.
    mutating func beganConnecting(_ id: ConnectionID, at now: Duration) -> [Action] {
        if let index = attempts.firstIndex(where: { $0.id == id }) { attempts[index].connectingSince = now }
        return []
    }

    /// Handles a failed attempt.
    ///
    /// Requests that arrived before the attempt fail, unless another connection or attempt is available.
    mutating func attemptFailed(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = removeAttempt(id) else { return [] }
        failures += 1
        nextAttemptTime = now + Self.pause(afterFailures: failures)
        var actions: [Action] = []
        if attempts.isEmpty, idle.isEmpty, busy.isEmpty,
            !http2Connections.contains(where: { $0.isUsable || $0.hasUsedAllowance })
        {
            actions = waiting.removeAll(upTo: attempt.lastRequest).map { .fail($0) }
        }
        return actions + startAttempts(at: now)
    }

    /// The number of attempts that the waiting requests need.
    var wantedAttempts: Int { version == .http1 ? waitingCount : min(waitingCount, 1) * max(1, attempts.count) }

    /// The earliest time at which an attempt should be started; `nil` if no other one is needed.
    var timeOfNextAttempt: Duration? {
        guard version != .http1 else {
            guard attempts.count < waitingCount else { return nil }
            let hasRoom =
                connectionCount < maximumConnections || (waiting.resentCount > attempts.count && !idle.isEmpty)
            return hasRoom ? nextAttemptTime : nil
        }
        guard !waiting.isEmpty, !http2Connections.contains(where: \.isUsable),
            http2Connections.count(where: \.hasUsedAllowance) < (refusals == 0 ? maximumConnections : 1)
        else { return nil }
        guard let first = attempts.first else { return nextAttemptTime }
        guard attempts.count == 1, !first.isOneOfTwo, let since = first.connectingSince, let secondAttemptDelay else {
            return nil
        }
        return max(nextAttemptTime, since + secondAttemptDelay)
    }

    mutating func startAttempts(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while let time = timeOfNextAttempt, now >= time {
            let isSecond = version != .http1 && !attempts.isEmpty
            if isSecond { attempts[0].isOneOfTwo = true }
            if version == .http1, connectionCount >= maximumConnections {
                actions.append(.close(idle.removeFirst().id))
            }
            lastConnection += 1
            attempts.append(AttemptState(id: lastConnection, lastRequest: lastRequest, isOneOfTwo: isSecond))
            actions.append(.open(lastConnection))
            // Only one attempt at a time after a failure.
            if failures > 0 { break }
        }
        return actions
    }

    /// Returns the delay before the next attempt after connections that the server has ended with an error before it
    /// processed a request.
    static func pause(afterRefusals count: Int) -> Duration { .milliseconds(100 << min(count - 1, 4)) }

    /// Returns the delay before the next attempt: zero after the first failure in a row, at most one second.
    static func pause(afterFailures failures: Int) -> Duration {
        failures < 2 ? .zero : min(.milliseconds(50 << min(failures - 2, 5)), .seconds(1))
    }

    /// Cancels the attempts beyond those that requests wait for, the oldest ones first.
    mutating func closeUnwantedAttempts() -> [Action] {
        var actions: [Action] = []
        while attempts.count > waitingCount, let index = attempts.firstIndex(where: { !$0.isPreconnected }) {
            actions.append(.close(attempts.remove(at: index).id))
        }
        return actions
    }

    mutating func removeAttempt(_ id: ConnectionID) -> AttemptState? {
        attempts.firstIndex { $0.id == id }.map { attempts.remove(at: $0) }
    }

    // MARK: Preconnecting

    /// Returns whether the pool has this number of HTTP/1.1 connections, or the maximum, busy or idle, or one HTTP/2 connection.
    func hasConnections(_ count: Int) -> Bool {
        http2Connections.contains(where: \.isUsable) || idle.count + busy.count >= min(count, maximumConnections)
    }

    /// Starts attempts for this number of connections, even if no request waits for them.
    mutating func preconnect(_ count: Int) -> [Action] {
        guard !hasConnections(count) else { return [] }
        // One connection shows the version, and is enough for HTTP/2.
        let missing = version == .http1 ? min(count, maximumConnections) - idle.count - busy.count : 1
        for index in attempts.indices.prefix(missing) { attempts[index].isPreconnected = true }
        var actions: [Action] = []
        while attempts.count < missing {
            lastConnection += 1
            attempts.append(AttemptState(id: lastConnection, lastRequest: lastRequest, isPreconnected: true))
            actions.append(.open(lastConnection))
        }
        return actions
    }

    /// Cancels the attempts that no request waits for, because no caller waits for connections any more.
    mutating func cancelPreconnecting() -> [Action] {
        for index in attempts.indices { attempts[index].isPreconnected = false }
        let excess = attempts.suffix(max(0, attempts.count - wantedAttempts))
        attempts.removeLast(excess.count)
        return excess.map { .close($0.id) }
    }
}
