#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOPosix

/// The connections to one origin, or one proxy, and their requests.
///
/// ``ConnectionPoolStateMachine`` decides which connections are opened and closed, and which connection runs a request.
/// The pool performs these actions. A lock protects the state; the actions are performed after it is released. Those that use a
/// connection or a connect attempt run on its event loop, and the others on the current thread. A connection that has been
/// closed in the meantime returns the request. If the pool does not have the connection any more, the request fails as not
/// processed.
final class ConnectionPool: Sendable {
    typealias ConnectionID = ConnectionPoolStateMachine.ConnectionID
    typealias RequestID = ConnectionPoolStateMachine.RequestID
    typealias Action = ConnectionPoolStateMachine.Action

    let connector: Connector
    /// The server in the table.
    let key: ConnectionPoolTable.Key
    let table: ConnectionPoolTable
    /// The event loops, beginning with the one whose connections are used first.
    let loops: [any EventLoop]
    /// The `Host` header for requests without one (RFC 9112, section 3.2), unless they are for a proxy.
    private let originHost: String
    private let route: ProxyRoute
    private let started = NIODeadline.now()
    let state: Locked<State>

    /// Creates a pool without connections, which its first request adds to the table.
    ///
    /// - Parameters:
    ///   - connector: Opens connections to the origin.
    ///   - key: The server in the table.
    ///   - table: The pools of the transport.
    ///   - loops: The event loops of the connections, at least one. The first ones get the first connections.
    init(
        _ connector: Connector,
        key: ConnectionPoolTable.Key,
        in table: ConnectionPoolTable,
        on loops: [any EventLoop]
    ) {
        self.connector = connector
        self.key = key
        self.table = table
        self.loops = loops
        originHost = connector.origin.hostHeader
        route = connector.route
        state = Locked(
            State(
                machine: ConnectionPoolStateMachine(
                    maximumConnections: connector.settings.maximumConnectionsPerHost,
                    protocols: connector.offeredProtocols,
                    idleTimeout: connector.settings.idleConnectionTimeout,
                    secondConnectDelay: connector.settings.secondConnectDelay
                ),
                loopAssignment: LoopAssignment(loops: loops.count)
            )
        )
    }

    /// The index of the event loop on which the current task or function runs; `nil` on other threads.
    private var currentLoop: Int? {
        guard let current = MultiThreadedEventLoopGroup.currentEventLoop else { return nil }
        return loops.firstIndex { $0 === current }
    }

    var now: Duration { .nanoseconds((NIODeadline.now() - started).nanoseconds) }

    // MARK: Requests

    /// Creates a request for the connections of the pool.
    ///
    /// It keeps the pool alive. ``OutboundRequest`` describes the parameters and the error.
    func makeRequest(
        _ request: TransportRequest,
        exchange: Exchange,
        openBody: (borrowing TransportRequest) throws -> OutboundMessage.Body.Opened
    ) throws -> OutboundRequest {
        // The function of the header captures only the URL, because a capture copies the whole request.
        let url = request.url
        return try OutboundRequest(
            request,
            exchange: exchange,
            route: route,
            hostHeader: hostHeader(for: url),
            pool: self,
            openBody: openBody
        )
    }

    /// Creates a request with an opened body.
    func makeRequest(
        _ request: TransportRequest,
        body: OutboundMessage.Body,
        exchange: Exchange
    ) throws -> OutboundRequest {
        try makeRequest(request, exchange: exchange) { _ in (body, nil) }
    }

    /// Returns the `Host` header for a request to a URL without one.
    private func hostHeader(for url: URL) -> String {
        // The connections to a proxy carry requests to any origin.
        guard case .forwarding = route else { return originHost }
        return Origin(url)?.hostHeader ?? ""
    }

    /// The connection of a request, or its wait for one.
    private enum Selection: Sendable {
        /// Run the request, and perform effects.
        case run(on: OpenConnection, [Effect])
        case wait(as: RequestID, [Effect])
        /// Fail the request: the pool is shut down, or does not have the selected connection any more.
        case fail
        /// Fail the request for an upgrade, which the HTTP/2 connections do not allow.
        case refuseUpgrade
        /// The pool is not in the table: it is new, or was unused.
        case addToTable
    }

    /// Runs a request of a caller, or lets it wait.
    ///
    /// The caller is the task of the request. If it runs on an event loop, the request uses an idle HTTP/1.1 connection of this event
    /// loop. Without one, it uses an idle connection of another event loop, so that it need not wait. If the event loop has no connection
    /// at all, one opens for the later requests, which would otherwise always use those of other event loops. Over HTTP/2, the event loop
    /// of the caller does not matter.
    func start(_ request: OutboundRequest) { runOrWait(request, isReturned: false) }

    /// Runs a request that a connection could not carry and has returned, or lets it wait.
    func restart(_ request: OutboundRequest) {
        request.exchange.removeCarrier()
        runOrWait(request, isReturned: true)
    }

    /// Runs a request on the connection that the state machine selects, or lets it wait.
    private func runOrWait(_ request: OutboundRequest, isReturned: Bool) {
        // A connection returns a request on its event loop, which need not be that of the request's task.
        let caller = isReturned ? nil : currentLoop
        switch selectConnection(for: request, isReturned ? .returned : request.history, caller: caller) {
        case .run(let connection, let effects):
            // If many idle connections have been closed, nested calls would recurse once for each of them.
            if isReturned { connection.runLater(request) } else { connection.run(request) }
            perform(effects)
        case .wait(let id, let effects): wait(request, as: id, on: loops[caller ?? 0], effects)
        case .fail: perform(.failUnprocessed(request))
        case .refuseUpgrade: fail(request.exchange, because: UpgradeNotAllowed())
        case .addToTable: poolInTable(for: request)?.runOrWait(request, isReturned: isReturned)
        }
    }

    /// Lets the state machine select the connection of a request; `caller` is the index of the event loop of the caller, if any.
    private func selectConnection(
        for request: OutboundRequest,
        _ history: WaitingRequests.History,
        caller: Int?
    ) -> Selection {
        let now = now
        return state.withLock { state in
            guard state.shutdownError == nil else { return .fail }
            guard state.isAttached else { return .addToTable }
            let (id, placement) = state.machine.place(
                history,
                canBeResent: request.canBeResent,
                isUpgrade: request.message.upgrade != nil,
                preferring: state.isNear(caller),
                at: now
            )
            switch placement {
            case .run(let connectionID):
                guard let connection = useConnection(connectionID, in: &state) else { return .fail }
                var effects: [Effect] = []
                appendReport(to: &effects, in: &state)
                guard let caller, !state.loopAssignment.hasConnection(on: caller) else {
                    return .run(on: connection, effects)
                }
                let actions = state.machine.openAnother()
                guard !actions.isEmpty else { return .run(on: connection, effects) }
                return .run(on: connection, effects + apply(actions, to: &state, because: nil, for: caller))
            case .wait(let actions):
                state.addWaiting(request, as: id)
                let effects = apply(actions, to: &state, because: nil, for: caller)
                state.recordConnectivity(at: now)
                return .wait(as: id, effects)
            case .refuseUpgrade: return .refuseUpgrade
            }
        }
    }

    /// Lets a request wait for a connection, as the carrier of its exchange.
    private func wait(_ request: OutboundRequest, as id: RequestID, on loop: any EventLoop, _ effects: [Effect]) {
        request.exchange.recorder?.deliver()
        // In the meantime, the exchange or the request may have changed:
        // - If the exchange has been cancelled or aborted, it stops the wait now.
        // - If the request already runs, the call has no effect.
        // - If a connection has returned the request, and it waits again, this function is called twice, and the first call of
        //   `setCarrier` counts. `stopWaiting` also finds a request that has another number.
        request.exchange.setCarrier(
            Exchange.Carrier(on: loop, poolStatus: { [self] in status }) { [self] in stopWaiting($0, as: id) }
        )
        perform(effects)
        if request.exchange.recorder != nil { observeAttempt(as: id) }
    }

    /// Returns the pool for the server in the table, which may be another one in the meantime; `nil` after the shutdown, which fails
    /// the request.
    private func poolInTable(for request: OutboundRequest) -> ConnectionPool? {
        let pool = table.add(self)
        if pool == nil { request.exchange.failed(.refusedAfterShutdown(url: request.exchange.url)) }
        return pool
    }

    /// The state of the pool for requests that wait for a connection.
    private var status: PoolStatus {
        let now = now
        return state.withLock { state in
            let capacity = state.machine.capacity
            return PoolStatus(
                timeout: connector.settings.connectionPoolTimeout,
                isConnectLimited: connector.settings.connectTimeout != nil,
                disconnected: state.disconnectedSince.map { max(.zero, now - $0) },
                capacity: capacity.count,
                isForStreams: capacity.isStreams,
                server: serverName
            )
        }
    }

    /// The server of the connections, for errors.
    private var serverName: String {
        let name = "\(connector.origin.scheme)://\(originHost)"
        guard let proxy = route.proxy else { return name }
        return if case .forwarding = route { "the proxy \(name)" } else { "\(name) through the proxy \(proxy)" }
    }

    /// Removes the request of an exchange that is over, if it still waits.
    private func stopWaiting(_ exchange: Exchange, as id: RequestID) {
        let timedOut = exchange.isCarrierSuspect
        handle { state, now in
            var id = id
            if state.waiting[id] == nil {
                // A connection may have returned the request before the exchange knew that it waits. It then has another number.
                guard let current = state.waiting.first(where: { $0.value.exchange === exchange }) else {
                    return []
                }
                id = current.key
            }
            _ = state.takeWaiting(id)
            return state.machine.requestCancelled(id, timedOut: timedOut, at: now)
        }
    }

    /// Fails an exchange with the `URLError` for an error of a connection or of the pool, on any thread.
    func fail(_ exchange: Exchange, because cause: any Error) {
        let url = exchange.url
        let (shutdownError, isRefusingAll) = state.withLock { ($0.shutdownError, $0.machine.isRefusingAll) }
        var error = cause
        if isRefusingAll, let refusal = error as? RequestNotProcessedError {
            error = RequestNotProcessedError(cause: refusal.cause, pace: .never)
        }
        if case .forwarding(let proxy) = route, let response = error as? HTTP1ResponseError {
            error = ProxyFailure(proxy.address, .invalidResponse(response))
        }
        exchange.failed(shutdownError?(url) ?? URLError(connectionError: error, url: url))
    }

    // MARK: Preconnecting

    /// Opens connections until the pool has this number, and waits for them.
    ///
    /// - Throws: `URLError`.
    func preconnect(_ count: Int, to url: URL) async throws {
        let waiter = Preconnecting.Waiter(count: count, url: url)
        let caller = currentLoop
        let (shutdownError, effects) = state.withLock { state in
            guard state.shutdownError == nil, state.isAttached else { return (state.shutdownError, nil as [Effect]?) }
            state.preconnecting.add(waiter)
            return (nil, updatePreconnecting(in: &state, for: caller))
        }
        if let shutdownError { throw shutdownError(url) }
        guard let effects else {
            guard let pool = table.add(self) else { throw URLError.refusedAfterShutdown(url: url) }
            return try await pool.preconnect(count, to: url)
        }
        try await withTaskCancellationHandler {
            perform(effects)
            try await waiter.result.wait().get()
        } onCancel: {
            handle { state, _ in state.preconnecting.remove(waiter) ? state.machine.cancelPreconnecting() : [] }
            waiter.result.fulfill(.failure(URLError.cancelled(url: url)))
        }
    }

    // MARK: Table

    /// Accepts requests, since the pool is in the table, and reports its connections to observers.
    func attach(observedBy observers: [any ConnectionObserver]) {
        state.withLock { state in
            state.isAttached = true
            state.reports.observers = observers
        }
    }

    /// Stops accepting requests, unless the pool has connections, connect attempts or requests.
    ///
    /// - Returns: Whether the pool has stopped, and the timer to cancel, if any.
    func detachIfUnused() -> (isDetached: Bool, timer: Scheduled<Void>?) {
        state.withLock { state in
            guard state.isAttached, state.isUnused else { return (false, nil) }
            state.isAttached = false
            defer { state.timer = nil }
            return (true, state.timer?.scheduled)
        }
    }

    /// Reports a connection to the table if it is idle, and returns another one to evict if there are too many.
    func markIdle(_ id: ConnectionID, in state: inout State) -> ConnectionPoolTable.Connection? {
        guard let connection = state.connections[id], state.machine.isIdle(id) else { return nil }
        return table.markIdle(connection.place)
    }

    /// Returns a connection for a request, and reports it to the table as used; `nil` if it has been closed in the meantime.
    func useConnection(_ id: ConnectionID, in state: inout State) -> OpenConnection? {
        guard let connection = state.connections[id] else { return nil }
        table.markUsed(connection.place)
        return connection
    }

    /// Removes a connection that is closed or closing from the pool and the table.
    func removeConnection(_ id: ConnectionID, in state: inout State) -> OpenConnection? {
        guard let connection = state.connections.removeValue(forKey: id) else { return nil }
        table.removeConnection(connection.place)
        return connection
    }

    // MARK: Shutdown

    /// Closes all connections.
    ///
    /// Running and waiting requests fail with the error.
    func shutDown(_ error: @escaping @Sendable (URL) -> URLError) -> EventLoopFuture<Void> {
        let (waiting, connectAttempts, connections, channels, timer, waiters) = state.withLock { state in
            state.shutdownError = error
            for connection in state.connections.values { table.removeConnection(connection.place) }
            defer {
                state.removeAllWaiting()
                (state.connections, state.upgradedConnections, state.timer) = ([:], [:], nil)
            }
            return (
                Array(state.waiting.values), Array(state.connectAttempts.values),
                Array(state.connections.values) + Array(state.upgradedConnections.values),
                Array(state.channels.values), state.timer?.scheduled, state.preconnecting.takeAll()
            )
        }
        reportEnd()
        timer?.cancel()
        for waiter in waiters { waiter.result.fulfill(.failure(error(waiter.url))) }
        for request in waiting { request.exchange.failed(error(request.exchange.url)) }
        perform(connectAttempts.map { .cancelConnect($0) })
        for connection in connections { connection.runOnLoop { $0.shutDown() } }
        for connected in channels {
            connected.channel.eventLoop.runOnLoop { connected.closeNow() }
        }
        return .andAllComplete(channels.map(\.channel.closeFuture), on: loops[0])
    }
}
#endif
