// HTTP/2 connections, which carry as many requests as the server allows.
extension ConnectionPoolStateMachine {
    /// The number of requests on a connection from which there is no limit.
    private static let largestAllowance = 1_000
    /// The time after which a server that has not reported anything is expected to accept more requests.
    static let allowanceTime = Duration.seconds(1)

    /// An HTTP/2 connection as the pool sees it: the number of its streams, and whether it accepts more.
    struct PooledHTTP2Connection: Sendable {
        let id: ConnectionID
        var streamCount = 0
        var streamLimit: Int
        /// Whether the server has sent its limit.
        var isLimitKnown = false
        /// The number of streams that the server is expected to accept at once, after it has refused one below its limit.
        var streamAllowance = Int.max
        /// Whether a response has begun.
        var hasServed = false
        var idleSince: Duration
        /// Whether the pool sends no more requests on the connection, after a GOAWAY (RFC 9113, section 6.8), a change to HTTP/1.1, or
        /// a refused request (``streamRefused(on:at:)``).
        ///
        /// The connection learns of a GOAWAY first, and returns requests until the pool does.
        var acceptsNoMore = false
        /// Whether the server responds.
        ///
        /// While that is in doubt, no requests are sent.
        var isResponsive = true
        /// The number of requests that were sent.
        var sentCount = 0
        /// The number of requests that the server is expected to accept.
        var requestAllowance: Int
        /// The time at which the last of these requests was sent.
        var allowanceUsedAt: Duration?

        /// Whether requests should wait for this connection rather than for another one.
        var isUsable: Bool { !acceptsNoMore && isResponsive && sentCount < requestAllowance }
        var hasRoom: Bool { isUsable && streamCount < min(streamLimit, streamAllowance) }
        /// Whether all streams that the server allows are in use.
        ///
        /// A server that allows none pauses its client, so such a connection does not count as full.
        var isFull: Bool { isLimitKnown && streamLimit > 0 && streamCount >= streamLimit }
        /// Whether the server may accept no more requests, but has not reported so.
        var hasUsedAllowance: Bool { !acceptsNoMore && sentCount >= requestAllowance }

        /// Whether the connection counts towards the limit of connections: the pool may send requests on it, now or later.
        var isCounted: Bool { !acceptsNoMore && isResponsive }

        /// Counts a request that is sent.
        mutating func countRequest(at now: Duration) {
            streamCount += 1
            sentCount += 1
            if sentCount == requestAllowance { allowanceUsedAt = now }
        }

        /// Allows more requests, since the server still accepts them.
        mutating func extendAllowance() {
            let isLargest = requestAllowance > ConnectionPoolStateMachine.largestAllowance / 2
            requestAllowance = isLargest ? .max : requestAllowance * 2
            allowanceUsedAt = nil
        }

        /// Counts a complete response.
        mutating func countResponse() {
            hasServed = true
            guard streamAllowance < .max else { return }
            streamAllowance = streamAllowance < streamLimit - 1 ? streamAllowance + 1 : .max
        }
    }

    /// The reason why an HTTP/2 connection accepts no more requests.
    struct Departure: Equatable, Sendable {
        /// The number of requests on the connection that the server processes; `nil` if it is unknown.
        var processed: Int?
        /// The number of running requests that the server does not process.
        var refused = 0
        /// Whether the server has reported an error, which other connections would probably meet, too.
        var isError = false
    }

    /// Handles a connect attempt that has become an HTTP/2 connection.
    ///
    /// `streams` is the maximum number of streams until the server has sent its limit.
    mutating func connectedHTTP2(_ id: ConnectionID, streams: Int, at now: Duration) -> [Action] {
        guard removeConnectAttempt(id) != nil else { return [.close(id)] }
        version = .http2
        memory.recordHTTP2()
        http2Connections.append(
            PooledHTTP2Connection(
                id: id,
                streamLimit: streams,
                idleSince: now,
                requestAllowance: memory.requestAllowance ?? .max
            )
        )
        // Other connect attempts are not needed.
        let cancelled = connectAttempts.map { Action.cancelConnect($0.id) }
        connectAttempts = []
        return runWaiting(at: now) + cancelled
    }

    /// Handles the head of the first response on an HTTP/2 connection; the response may never end.
    mutating func beganResponding(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = http2Connections.firstIndex(where: { $0.id == id }) else { return [] }
        memory.recordResponse(on: id)
        http2Connections[index].hasServed = true
        // The pause before further connections may have ended.
        return runWaiting(at: now)
    }

    /// Handles a complete response on an HTTP/2 stream; `number` is the number of the stream on its connection, from 1.
    mutating func streamCompleted(on id: ConnectionID, number: Int, at now: Duration) -> [Action] {
        guard let index = http2Connections.firstIndex(where: { $0.id == id }) else { return [] }
        memory.recordResponse(on: id)
        http2Connections[index].countResponse()
        if number >= http2Connections[index].requestAllowance { extendAllowance(at: index) }
        return endStream(at: index, now)
    }

    /// Handles an HTTP/2 stream that has ended without a complete response.
    mutating func streamEnded(on id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = http2Connections.firstIndex(where: { $0.id == id }) else { return [] }
        return endStream(at: index, now)
    }

    private mutating func endStream(at index: Int, _ now: Duration) -> [Action] {
        let id = http2Connections[index].id
        http2Connections[index].streamCount -= 1
        http2Connections[index].idleSince = now
        if http2Connections[index].streamCount == 0, http2Connections[index].acceptsNoMore {
            http2Connections.remove(at: index)
            return [.close(id)]
        }
        return runWaiting(at: now)
    }

    /// Handles a request for which an HTTP/2 connection has not opened a stream: the server does not count it.
    mutating func streamUnopened(on id: ConnectionID, at now: Duration) -> [Action] {
        if let index = http2Connections.firstIndex(where: { $0.id == id }) {
            http2Connections[index].sentCount -= 1
            if http2Connections[index].sentCount < http2Connections[index].requestAllowance {
                http2Connections[index].allowanceUsedAt = nil
            }
        }
        return streamEnded(on: id, at: now)
    }

    /// Handles a new maximum number of streams of an HTTP/2 connection.
    mutating func streamLimitChanged(to count: Int, on id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = http2Connections.firstIndex(where: { $0.id == id }) else { return [] }
        http2Connections[index].streamLimit = count
        http2Connections[index].isLimitKnown = true
        return runWaiting(at: now)
    }

    /// Handles a request that the server has refused on its stream, before the end of the stream.
    ///
    /// It has no effect on the only usable connection: the session delays the request. If there is another one, a connection
    /// without a response gets no more requests, and one with a response gets as many at once as the server has accepted, and one
    /// more after each response.
    mutating func streamRefused(on id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = http2Connections.firstIndex(where: { $0.id == id }), http2Connections[index].isUsable,
            hasUsableConnection(besides: id)
        else { return [] }
        if http2Connections[index].hasServed {
            http2Connections[index].streamAllowance = max(1, http2Connections[index].streamCount - 1)
        } else {
            http2Connections[index].acceptsNoMore = true
            memory.recordFurtherRefusal(id, at: now)
        }
        return []
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
        guard let index = http2Connections.firstIndex(where: { $0.id == id }) else { return [] }
        http2Connections[index].acceptsNoMore = true
        var actions: [Action] = []
        if http2Connections[index].streamCount == 0 {
            http2Connections.remove(at: index)
            actions.append(.close(id))
        }
        if departure.isError || departure.processed == 0, hasUsableConnection(besides: id) {
            memory.recordFurtherRefusal(id, at: now)
        } else if let processed = departure.processed {
            let failsAll = memory.record(departure, processed: processed, at: now)
            if failsAll { while let request = waiting.popFirst() { actions.append(.fail(request)) } }
        }
        return actions + runWaiting(at: now)
    }

    /// Handles a server that requires HTTP/1.1: later connections offer nothing else.
    mutating func http1Required(at now: Duration) -> [Action] {
        // Each time: a transport may forget the origin, and then opens HTTP/2 connections again.
        for index in http2Connections.indices { http2Connections[index].acceptsNoMore = true }
        let closed = http2Connections.filter { $0.streamCount == 0 }.map { Action.close($0.id) }
        http2Connections.removeAll { $0.streamCount == 0 }
        version = .http1
        guard !isHTTP1Required else { return closed + startConnectAttempts(at: now) }
        isHTTP1Required = true
        memory.recordHTTP1Required()
        let cancelled = connectAttempts.map { Action.cancelConnect($0.id) }
        connectAttempts = []
        return closed + cancelled + startConnectAttempts(at: now)
    }

    /// Handles a change of whether the server of an HTTP/2 connection responds.
    mutating func responsivenessChanged(to isResponsive: Bool, of id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = http2Connections.firstIndex(where: { $0.id == id }) else { return [] }
        http2Connections[index].isResponsive = isResponsive
        return runWaiting(at: now)
    }

    /// Returns whether an HTTP/2 connection other than this one accepts requests, now or later.
    func hasUsableConnection(besides id: ConnectionID? = nil) -> Bool {
        http2Connections.contains { $0.isUsable && $0.id != id }
    }

    /// Runs waiting requests on HTTP/2 connections with room.
    mutating func runWaiting(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while !waiting.isEmpty, let connection = takeHTTP2Room(at: now), let request = waiting.popFirst() {
            actions.append(.run(request, on: connection))
        }
        return !waiting.isEmpty ? actions + startConnectAttempts(at: now) : actions
    }

    /// Returns the HTTP/2 connection for the next request, and counts the request; `nil` if none has room.
    mutating func takeHTTP2Room(at now: Duration) -> ConnectionID? {
        guard let index = indexOfRoom else { return nil }
        http2Connections[index].countRequest(at: now)
        return http2Connections[index].id
    }

    /// The index of the HTTP/2 connection for the next request; `nil` if none has room.
    ///
    /// The oldest connections that together allow twice as many streams as are needed share the requests, so that the others become
    /// idle. Of these, the least loaded one is used. A connection whose limit is unknown is not used if a limit is known, because
    /// the server may be about to refuse the connection.
    private var indexOfRoom: Int? {
        guard http2Connections.count > 1 else { return http2Connections.first?.hasRoom == true ? 0 : nil }
        let isLimitKnown = http2Connections.contains { $0.isUsable && $0.isLimitKnown }
        var missing = 2
        for connection in http2Connections where connection.isUsable { missing += 2 * connection.streamCount }
        var best: Int?
        for (index, connection) in http2Connections.enumerated()
        where connection.isUsable && connection.isLimitKnown == isLimitKnown {
            if connection.hasRoom, connection.streamCount < best.map({ http2Connections[$0].streamCount }) ?? .max {
                best = index
            }
            missing -= min(missing, connection.streamLimit)
            if missing == 0, best != nil { break }
        }
        return best
    }

    /// Allows more requests on a connection and on later ones, because the server accepts more than on an earlier one.
    mutating func extendAllowance(at index: Int) {
        guard !http2Connections[index].acceptsNoMore else { return }
        http2Connections[index].extendAllowance()
        memory.recordAllowance(http2Connections[index].requestAllowance)
    }
}
