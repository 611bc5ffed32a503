// The streams of HTTP/2 connections, and the reports of their servers.
extension ConnectionPoolStateMachine {
    /// Handles the head of the first response on an HTTP/2 connection; the response may never end.
    mutating func beganResponding(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard http2.update(id, { $0.hasResponded = true }) != nil else { return [] }
        memory.recordResponse(on: id)
        // The pause before further connections may have ended.
        return runWaiting(at: now)
    }

    /// Handles a complete response on an HTTP/2 stream; `number` is the number of the stream on its connection, from 1.
    mutating func streamCompleted(on id: ConnectionID, number: Int, at now: Duration) -> [Action] {
        var allowance: Int?
        let isRemoved = http2.update(id) { connection in
            allowance = connection.countResponse(number: number)
            connection.endStream(at: now)
        }
        guard let isRemoved else { return [] }
        memory.recordResponse(on: id)
        if let allowance { memory.recordAllowance(allowance) }
        return isRemoved ? [.close(id)] : runWaiting(at: now)
    }

    /// Handles an HTTP/2 stream that has ended without a complete response.
    mutating func streamEnded(on id: ConnectionID, at now: Duration) -> [Action] {
        update(id, at: now) { $0.endStream(at: now) }
    }

    /// Handles a request for which an HTTP/2 connection has not opened a stream: the server does not count it.
    mutating func streamUnopened(on id: ConnectionID, at now: Duration) -> [Action] {
        update(id, at: now) { connection in
            connection.uncountRequest()
            connection.endStream(at: now)
        }
    }

    /// Handles an HTTP/2 stream that is upgraded to another protocol.
    ///
    /// Waiting requests may need another connection then.
    mutating func streamUpgraded(on id: ConnectionID, at now: Duration) -> [Action] {
        update(id, at: now) { $0.upgradeStream() }
    }

    /// Handles the end of an HTTP/2 stream that was upgraded.
    mutating func upgradedStreamEnded(on id: ConnectionID, at now: Duration) -> [Action] {
        update(id, at: now) { $0.endUpgradedStream(at: now) }
    }

    /// Handles an HTTP/2 connection whose server has not allowed a request for an upgrade, whose end is reported next.
    ///
    /// Further ones are not sent on it, unless the server changes its settings.
    mutating func upgradeRefused(on id: ConnectionID) -> [Action] {
        http2.update(id) { $0.refuseUpgrades() }
        return []
    }

    /// Handles a new maximum number of streams of an HTTP/2 connection.
    mutating func streamLimitChanged(to count: Int, on id: ConnectionID, at now: Duration) -> [Action] {
        update(id, at: now) { $0.setStreamLimit(count) }
    }

    /// Handles a change of whether the server of an HTTP/2 connection responds.
    ///
    /// While that is in doubt, another connection replaces this one. If the server responds again, the connect attempts that were
    /// started for this are cancelled. If one of them has become a connection beyond the limit, this connection gets no more requests.
    mutating func responsivenessChanged(to isResponsive: Bool, of id: ConnectionID, at now: Duration) -> [Action] {
        guard isResponsive else { return update(id, at: now) { $0.isResponsive = false } }
        let isBeyondLimit = http1.count + http2.count >= maximumConnections
        let actions = update(id, at: now) { connection in
            if isBeyondLimit, !connection.isResponsive { connection.acceptsNoMore = true }
            connection.isResponsive = true
        }
        return actions + cancelReplacements()
    }

    /// Handles a request that the server has refused on its stream, before the end of the stream.
    ///
    /// The session delays the request if it is refused again.
    mutating func streamRefused(on id: ConnectionID, at now: Duration) -> [Action] {
        let isOnly = !http2.hasUsable(besides: id)
        var isRefused = false
        http2.update(id) { isRefused = $0.refuseStream(isOnly: isOnly, at: now) }
        if isRefused { memory.recordFurtherFailure(id, at: now) }
        return []
    }

    /// The end of an HTTP/2 connection for new requests: the running requests that it concerns, and whether it is an error.
    struct Departure: Equatable, Sendable {
        /// The number of requests on the connection that the server processes; `nil` if it is unknown.
        var processed: Int?
        /// The number of running requests that the server does not process.
        var refused = 0
        /// Whether the server has reported an error, which other connections would probably meet, too.
        var isError = false
    }

    /// Handles an HTTP/2 connection on which the server accepts no more requests.
    ///
    /// If another connection is usable, a server that reports an error, or has processed no request, only delays further
    /// connections. Otherwise these rules apply.
    /// If it has refused some, no more are sent on later connections than it has processed on this one, but at least one, until it
    /// accepts more. After connections on which it has processed none, the next ones are delayed, and after several with
    /// an error the waiting requests fail (``RefusalMemory``).
    mutating func beganGoingAway(_ id: ConnectionID, _ departure: Departure = Departure(), at now: Duration) -> [Action]
    {
        guard let isRemoved = http2.update(id, { $0.acceptsNoMore = true }) else { return [] }
        var actions: [Action] = isRemoved ? [.close(id)] : []
        if departure.isError || departure.processed == 0, http2.hasUsable(besides: id) {
            memory.recordFurtherFailure(id, at: now)
        } else if memory.recordDeparture(departure, at: now) {
            while let request = waiting.popFirst() { actions.append(.fail(request)) }
        }
        return actions + runWaiting(at: now)
    }

    /// Runs waiting requests on HTTP/2 connections with room.
    mutating func runWaiting(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while !waiting.isEmpty, let connection = http2.takeRoom(at: now), let request = waiting.popFirst() {
            actions.append(.run(request, on: connection))
        }
        return !waiting.isEmpty ? actions + startConnectAttempts(at: now) : actions
    }

    /// Changes a connection, and then closes it if it is not needed any more, or runs waiting requests.
    private mutating func update(
        _ id: ConnectionID,
        at now: Duration,
        _ change: (inout PooledHTTP2Connection) -> Void
    ) -> [Action] {
        guard let isRemoved = http2.update(id, change) else { return [] }
        return isRemoved ? [.close(id)] : runWaiting(at: now)
    }
}
