/// The state machine of the connection pool for one origin.
///
/// Requests and connections are numbers, and the current time is passed in. The number of connections is limited. An HTTP/1.1
/// connection carries one request at a time. An HTTP/2 connection carries as many requests as the server allows, and the pool opens
/// a further one if requests wait and all of them are full (``timeOfFurtherConnect``). Unless the version is HTTP/1.1, only one
/// connection is opened at a time, and a second one if the first connection is not ready after ``secondConnectDelay``.
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

    /// The handling of a new request.
    enum EnqueueResult: Equatable, Sendable {
        /// Send the request on an open connection.
        case run(on: ConnectionID)
        /// Let the request wait, and perform these actions.
        case wait([Action])
    }

    enum Version: Sendable { case unknown, http1, http2 }

    /// The time after which a second connect attempt is started while requests wait for the first one, as for addresses in
    /// RFC 8305, section 5.
    static let secondConnectDelay = Duration.milliseconds(250)

    let maximumConnections: Int
    let idleTimeout: Duration
    let secondConnectDelay: Duration?
    var version: Version
    var lastRequest = 0
    var lastConnection = 0
    var waiting = WaitingRequests()
    var connectAttempts: [ConnectAttempt] = []
    /// The idle HTTP/1.1 connections by last use.
    ///
    /// The most recently used one is used next, so that excess connections time out.
    var idle: [PooledHTTP1Connection] = []
    /// The HTTP/1.1 connections that run a request, as they were before that request.
    var busy: [ConnectionID: PooledHTTP1Connection] = [:]
    var stale = StaleConnections()
    var http2Connections: [PooledHTTP2Connection] = []
    var memory = RefusalMemory()
    /// Whether the server requires HTTP/1.1 (RFC 9113, section 7).
    var isHTTP1Required = false

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
        self.idleTimeout = idleTimeout
        version = protocols == .http1 ? .http1 : .unknown
    }

    /// The number of requests that wait for a connection.
    var waitingCount: Int { waiting.count }

    /// Whether there is a connection, in use or not, that may become available to a waiting request.
    ///
    /// Without one, requests wait for connect attempts only.
    var hasConnection: Bool {
        !busy.isEmpty || !idle.isEmpty || http2Connections.contains { $0.isUsable && $0.streamLimit > 0 }
    }

    /// Whether there is nothing to remember: no connection, connect attempt or request, and no recent failure.
    var isUnused: Bool { isEmpty && !memory.isRemembering }

    /// Whether the server refuses all requests, so that a refused one should fail.
    var isRefusingAll: Bool { memory.isRefusingAll }

    private var isEmpty: Bool {
        waiting.isEmpty && connectAttempts.isEmpty && idle.isEmpty && busy.isEmpty && http2Connections.isEmpty
    }

    /// The number of connections, in use or not, and of connect attempts.
    ///
    /// It excludes HTTP/2 connections that accept no more requests, or whose server is in doubt, because they need a replacement.
    var connectionCount: Int {
        connectAttempts.count + idle.count + busy.count + http2Connections.count(where: \.isCounted)
    }

    /// The number of HTTP/1.1 connections or HTTP/2 streams for one of which requests wait.
    var capacity: (count: Int, isStreams: Bool) {
        guard hasUsableConnection() else { return (maximumConnections, false) }
        let streams = http2Connections.reduce(0) { sum, connection in
            connection.isUsable ? sum + min(connection.streamLimit, .max - sum) : sum
        }
        return (streams, true)
    }

    // MARK: Requests

    /// Handles a new request, and assigns its number.
    ///
    /// `canBeResent` is whether it can be sent again if it is lost with its connection, and `isNear` whether a connection is on the
    /// event loop of the caller, if the caller has one.
    mutating func enqueue(
        _ history: WaitingRequests.History = .new,
        canBeResent: Bool = true,
        preferring isNear: ((ConnectionID) -> Bool)? = nil,
        at now: Duration
    ) -> (RequestID, EnqueueResult) {
        lastRequest += 1
        let request = lastRequest
        // For a request that is sent again, an idle connection may be stale, like the one that was lost.
        if !history.isResent, let connection = takeIdle(canBeResent: canBeResent, preferring: isNear, at: now) {
            return (request, .run(on: connection))
        }
        if let connection = takeHTTP2Room(at: now) { return (request, .run(on: connection)) }
        waiting.append(request, history, at: now)
        var actions = closeExpired(at: now)
        if !canBeResent, connectAttempts.count < waitingCount, version == .http1, connectionCount >= maximumConnections,
            !idle.isEmpty
        {
            // The idle connections may be stale. One of them makes room for a new one.
            actions.append(.close(idle.removeFirst().id))
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
        if timedOut, !hasUsableConnection(),
            let index = connectAttempts.firstIndex(where: {
                $0.lastRequest >= request && now - $0.start >= Self.secondConnectDelay
            })
        {
            actions.append(.cancelConnect(connectAttempts.remove(at: index).id))
            // The other one of two may be replaced, too.
            for index in connectAttempts.indices { connectAttempts[index].isOneOfTwo = false }
        } else if wantedConnectAttempts < connectAttempts.count,
            let index = connectAttempts.firstIndex(where: { !$0.isPreconnected })
        {
            actions.append(.cancelConnect(connectAttempts.remove(at: index).id))
        }
        if version != .http1, waiting.isEmpty { actions += cancelUnwantedConnectAttempts() }
        return actions + startConnectAttempts(at: now)
    }

    // MARK: Connections

    /// Handles a connection that is closed or closing, in use or not.
    ///
    /// `isStale` is whether the server has closed it before it responded to a request that followed another one.
    mutating func closed(_ id: ConnectionID, isStale: Bool = false, at now: Duration) -> [Action] {
        if let connection = busy.removeValue(forKey: id) {
            if isStale { stale.recordClose(connection.lastUse, at: now) }
        } else {
            for connection in idle where connection.id == id { stale.recordClose(connection.use(at: now), at: now) }
            idle.removeAll { $0.id == id }
            connectAttempts.removeAll { $0.id == id }
            if let index = http2Connections.firstIndex(where: { $0.id == id }) {
                let connection = http2Connections.remove(at: index)
                if !connection.hasServed, connection.isUsable, hasUsableConnection() {
                    memory.recordFurtherRefusal(id, at: now)
                }
            }
        }
        return runWaiting(at: now)
    }

    /// Returns whether an open connection has no request.
    func isIdle(_ id: ConnectionID) -> Bool {
        if idle.last?.id == id { return true }
        return idle.contains { $0.id == id } || http2Connections.contains { $0.id == id && $0.streamCount == 0 }
    }

    /// Evicts a connection: closes it if it is idle, because others are needed more.
    mutating func evict(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard isIdle(id) else { return [] }
        idle.removeAll { $0.id == id }
        http2Connections.removeAll { $0.id == id }
        return [.close(id)] + startConnectAttempts(at: now)
    }

    // MARK: Time

    /// The time of the next call of ``deadlinePassed(at:)``, if any.
    var nextDeadline: Duration? {
        var next: Duration?
        func consider(_ time: Duration) { next = next.map { min($0, time) } ?? time }
        for connection in idle { consider(connection.deadline) }
        for connection in http2Connections where connection.streamCount == 0 {
            consider(connection.idleSince + idleTimeout)
        }
        if let time = timeOfNextConnect, time > .zero { consider(time) }
        if memory.isRemembering, isEmpty { consider(memory.end) }
        if !waiting.isEmpty {
            for connection in http2Connections where connection.hasUsedAllowance {
                if let time = connection.allowanceUsedAt { consider(time + Self.allowanceTime) }
            }
        }
        return next
    }

    /// Handles the time of ``nextDeadline``: closes connections whose idle timeout has expired, starts connect attempts that were
    /// delayed by earlier failures, and forgets old failures.
    mutating func deadlinePassed(at now: Duration) -> [Action] {
        var actions = closeExpired(at: now)
        for index in http2Connections.indices where http2Connections[index].hasUsedAllowance {
            if let time = http2Connections[index].allowanceUsedAt, now - time >= Self.allowanceTime {
                extendAllowance(at: index)
            }
        }
        http2Connections.removeAll { connection in
            guard connection.streamCount == 0, now - connection.idleSince >= idleTimeout else { return false }
            actions.append(.close(connection.id))
            return true
        }
        if memory.isRemembering, isEmpty, now >= memory.end { memory = RefusalMemory() }
        return actions + runWaiting(at: now) + startConnectAttempts(at: now)
    }

    private mutating func closeExpired(at now: Duration) -> [Action] {
        guard idle.contains(where: { now >= $0.deadline }) else { return [] }
        defer { idle.removeAll { now >= $0.deadline } }
        return idle.filter { now >= $0.deadline }.map { .close($0.id) }
    }
}
