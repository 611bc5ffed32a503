/// The state machine of the connection pool for one origin.
///
/// Requests and connections are numbers, and the current time is passed in. The number of connections is limited. An HTTP/1.1
/// connection carries one request at a time. An HTTP/2 connection carries as many requests as the server allows, and the pool opens
/// a further one if requests wait and all of them are full (``timeOfFurtherConnect``). Unless the version is HTTP/1.1, only one
/// connection is opened at a time, and a second one if the first connection is not ready ``secondConnectDelay`` after
/// it has begun to connect.
struct ConnectionPoolStateMachine: Sendable {
    typealias ConnectionID = Int
    typealias RequestID = Int

    enum Action: Equatable, Sendable {
        /// Send a waiting request.
        case run(RequestID, on: ConnectionID)
        /// Open a connection.
        case open(ConnectionID)
        /// Close an unused connection.
        case close(ConnectionID)
        /// Cancel a connect attempt.
        case cancelConnect(ConnectionID)
        /// Fail a waiting request with the error of the event: a failed connect attempt, or a server that refuses all requests.
        case fail(RequestID)
    }

    /// The place of a new request: a connection, or the queue.
    enum Placement: Equatable, Sendable {
        /// Send the request on an open connection.
        case run(on: ConnectionID)
        /// Let the request wait, and perform these actions.
        case wait([Action])
        /// Fail the request for an upgrade, because the HTTP/2 connections allow none.
        case refuseUpgrade
    }

    enum Version: Sendable { case unknown, http1, http2 }

    /// The time after which a second connect attempt is started while requests wait for the first one, as for addresses in
    /// RFC 8305, section 5.
    static let secondConnectDelay = Duration.milliseconds(250)

    let maximumConnections: Int
    let secondConnectDelay: Duration?
    private(set) var version: Version
    /// Whether the server requires HTTP/1.1 (RFC 9113, section 7).
    private var isHTTP1Required = false
    // Each of these values has its invariants, and its own file.
    var waiting = WaitingRequests()
    var connectAttempts = ConnectAttempts()
    var http1: HTTP1Connections
    var http2: HTTP2Connections
    var memory = RefusalMemory()

    /// Creates the state of a pool.
    ///
    /// - Parameters:
    ///   - maximumConnections: The maximum number of connections.
    ///   - protocols: The versions of HTTP that connections offer.
    ///   - idleTimeout: The time after which an idle connection is closed.
    ///   - secondConnectDelay: The time after which a second connect attempt is started, or `nil`.
    init(
        maximumConnections: Int,
        protocols: OfferedProtocols,
        idleTimeout: Duration,
        secondConnectDelay: Duration? = Self.secondConnectDelay
    ) {
        // A second connect attempt could become a connection beyond the limit.
        self.secondConnectDelay = maximumConnections > 1 ? secondConnectDelay : nil
        self.maximumConnections = max(1, maximumConnections)
        http1 = HTTP1Connections(idleTimeout: idleTimeout)
        http2 = HTTP2Connections(idleTimeout: idleTimeout)
        version = protocols == .http1 ? .http1 : .unknown
    }

    /// The number of requests that wait for a connection.
    var waitingCount: Int { waiting.count }

    /// Whether there is a connection, in use or not, that may become available to a waiting request.
    ///
    /// Without one, requests wait for connect attempts only.
    var hasConnection: Bool { !http1.isEmpty || http2.mayGetRoom }

    /// Whether there is nothing to remember: no connection, connect attempt or request, and no recent failure.
    var isUnused: Bool { isEmpty && !memory.isRemembering }

    /// Whether the server refuses all requests, so that a refused one should fail.
    var isRefusingAll: Bool { memory.isRefusingAll }

    private var isEmpty: Bool { waiting.isEmpty && connectAttempts.isEmpty && http1.isEmpty && http2.isEmpty }

    /// The number of connections, in use or not, and of connect attempts.
    ///
    /// It excludes HTTP/2 connections that accept no more requests, or whose server is in doubt, because they need a replacement.
    var connectionCount: Int { connectAttempts.count + http1.count + http2.count }

    /// The number of HTTP/1.1 connections or HTTP/2 streams for one of which requests wait.
    var capacity: (count: Int, isStreams: Bool) {
        http2.hasUsable() ? (http2.streamLimit, true) : (maximumConnections, false)
    }

    // MARK: Requests

    /// Places a new request on a connection with room or in the queue, and assigns its number.
    ///
    /// `canBeResent` is whether it can be sent again if it is lost with its connection, `isUpgrade` whether it asks for an upgrade to
    /// another protocol, and `isNear` whether a connection is on the event loop of the caller, if the caller has one.
    mutating func place(
        _ history: WaitingRequests.History = .new,
        canBeResent: Bool = true,
        isUpgrade: Bool = false,
        preferring isNear: ((ConnectionID) -> Bool)? = nil,
        at now: Duration
    ) -> (RequestID, Placement) {
        let request = waiting.assignNumber()
        // For a request that is sent again, an idle connection may be stale, like the one that was lost.
        if !history.isResent, let connection = http1.takeIdle(canBeResent: canBeResent, preferring: isNear, at: now) {
            return (request, .run(on: connection))
        }
        if isUpgrade, http2.allRefuseUpgrades { return (request, .refuseUpgrade) }
        if let connection = http2.takeRoom(forUpgrade: isUpgrade, at: now) { return (request, .run(on: connection)) }
        waiting.append(request, history, at: now)
        var actions = close(http1.removeExpired(at: now))
        if !canBeResent, connectAttempts.count < waitingCount, version == .http1, connectionCount >= maximumConnections,
            http1.hasIdle
        {
            // The idle connections may be stale. One of them makes room for a new one.
            actions.append(.close(http1.removeLeastRecentlyUsed()))
        }
        return (request, .wait(actions + startConnectAttempts(at: now)))
    }

    /// Handles a waiting request that was cancelled or timed out.
    ///
    /// A connect attempt for which no request waits is cancelled. So is a connect attempt for which a request has waited until its
    /// timeout, since it may never complete: the other waiting requests get another one. An attempt that has just begun is kept,
    /// because many requests may time out together. If an HTTP/2 connection is usable, the request has waited for one of its
    /// streams, too.
    mutating func requestCancelled(_ request: RequestID, timedOut: Bool, at now: Duration) -> [Action] {
        guard waiting.remove(request) else { return [] }
        var actions: [Action] = []
        if timedOut, !http2.hasUsable(),
            let attempt = connectAttempts.removeOverdue(for: request, after: Self.secondConnectDelay, at: now)
        {
            actions.append(.cancelConnect(attempt))
        } else if wantedConnectAttempts < connectAttempts.count, let attempt = connectAttempts.removeOldest() {
            actions.append(.cancelConnect(attempt))
        }
        if version != .http1, waiting.isEmpty { actions += cancelUnwantedConnectAttempts() }
        return actions + startConnectAttempts(at: now)
    }

    // MARK: Connections

    /// Handles a connect attempt that has become an HTTP/1.1 connection.
    mutating func connectedHTTP1(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = connectAttempts.remove(id) else { return [.close(id)] }
        version = .http1
        memory.recordHTTP1()
        let request = waiting.popFirst()
        http1.add(id, isBusy: request != nil, at: now)
        let cancelled = attempt.isOneOfTwo ? cancelUnwantedConnectAttempts() : []
        guard let request else { return cancelled }
        return [.run(request, on: id)] + cancelled + startConnectAttempts(at: now)
    }

    /// Handles a connect attempt that has become an HTTP/2 connection.
    ///
    /// `streams` is the maximum number of streams until the server has sent its limit.
    mutating func connectedHTTP2(_ id: ConnectionID, streams: Int, at now: Duration) -> [Action] {
        guard connectAttempts.remove(id) != nil else { return [.close(id)] }
        version = .http2
        memory.recordHTTP2()
        http2.add(
            PooledHTTP2Connection(id, streams: streams, requestAllowance: memory.requestAllowance, at: now)
        )
        // Other connect attempts are not needed.
        let cancelled = cancel(connectAttempts.removeAll())
        return runWaiting(at: now) + cancelled
    }

    /// Handles a server that requires HTTP/1.1: later connections offer nothing else.
    mutating func http1Required(at now: Duration) -> [Action] {
        // Each time: a transport may forget the origin, and then opens HTTP/2 connections again.
        var actions = close(http2.retireAll())
        version = .http1
        if !isHTTP1Required {
            isHTTP1Required = true
            memory.recordHTTP1Required()
            actions += cancel(connectAttempts.removeAll())
        }
        return actions + startConnectAttempts(at: now)
    }

    /// Handles a connection that is closed or closing, in use or not.
    ///
    /// `isStale` is whether the server has closed it before it responded to a request that followed another one.
    mutating func closed(_ id: ConnectionID, isStale: Bool = false, at now: Duration) -> [Action] {
        http1.removeClosed(id, isStale: isStale, at: now)
        _ = connectAttempts.remove(id)
        if let connection = http2.remove(id), connection.isUsable, !connection.hasResponded, http2.hasUsable() {
            memory.recordFurtherFailure(id, at: now)
        }
        return runWaiting(at: now)
    }

    /// Returns whether an open connection has no request.
    func isIdle(_ id: ConnectionID) -> Bool { http1.isIdle(id) || http2.isIdle(id) }

    /// Evicts a connection: closes it if it is idle, because others are needed more.
    mutating func evict(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard isIdle(id) else { return [] }
        http1.removeIdle(id)
        http2.remove(id)
        return [.close(id)] + startConnectAttempts(at: now)
    }

    // MARK: Time

    /// The time of the next call of ``deadlinePassed(at:)``, if any.
    var nextDeadline: Duration? {
        var next = http1.nextDeadline
        func consider(_ time: Duration) { next = next.map { min($0, time) } ?? time }
        if let time = http2.nextDeadline(hasWaiting: !waiting.isEmpty) { consider(time) }
        if let time = timeOfNextConnect, time > .zero { consider(time) }
        if memory.isRemembering, isEmpty { consider(memory.end) }
        return next
    }

    /// Handles the time of ``nextDeadline``: allows more requests on HTTP/2 connections whose server has refused some, closes connections
    /// whose idle timeout has expired, starts connect attempts that were delayed by earlier failures, and forgets old failures.
    mutating func deadlinePassed(at now: Duration) -> [Action] {
        for allowance in http2.extendAllowances(at: now) { memory.recordAllowance(allowance) }
        http2.extendStreamAllowances(at: now)
        let closed = close(http1.removeExpired(at: now)) + close(http2.removeExpired(at: now))
        if memory.isRemembering, isEmpty, now >= memory.end { memory = RefusalMemory() }
        return closed + runWaiting(at: now) + startConnectAttempts(at: now)
    }

    // MARK: Actions

    func close(_ connections: [ConnectionID]) -> [Action] { connections.map { .close($0) } }

    func cancel(_ attempts: [ConnectionID]) -> [Action] { attempts.map { .cancelConnect($0) } }
}
