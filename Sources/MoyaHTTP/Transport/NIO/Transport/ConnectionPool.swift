#if NIO && !canImport(Darwin)
    import Foundation
    import NIOCore

    /// The connections to one origin, or one proxy, and their requests: ``ConnectionPoolStateMachine`` and the channels that
    /// it manages.
    ///
    /// A lock protects the state. Its decisions are performed after the lock is released, each on the event loop of the
    /// connection that it concerns: a connection may have been closed in the meantime, and then refuses the request as not
    /// processed.
    final class ConnectionPool: Sendable {
        typealias ConnectionID = ConnectionPoolStateMachine.ConnectionID
        fileprivate typealias RequestID = ConnectionPoolStateMachine.RequestID
        fileprivate typealias Action = ConnectionPoolStateMachine.Action

        /// An open connection.
        fileprivate struct OpenConnection: Sendable {
            let connection: NIOLoopBound<any HTTPConnection>
            let loop: any EventLoop
            /// Completes when the channel is closed.
            let closeFuture: EventLoopFuture<Void>
            /// The place in the transport's idle connections.
            let place: IdleConnections<ConnectionPoolTable.Connection>.Place
            /// Whether the connection was reported to the table as idle.
            var isIdle = false

            /// Sends a request on the event loop of the connection, immediately if that is the current one.
            func run(_ request: OutboundRequest) {
                if loop.inEventLoop { return connection.value.run(request) }
                loop.execute { connection.value.run(request) }
            }

            /// Calls a function on the event loop of the connection, immediately if that is the current one.
            func perform(_ body: @escaping @Sendable (any HTTPConnection) -> Void) {
                if loop.inEventLoop { return body(connection.value) }
                loop.execute { body(connection.value) }
            }
        }

        /// A connection attempt.
        fileprivate struct Attempt: Sendable {
            let loop: any EventLoop
            /// Cancels the attempt; `nil` if it has not begun.
            ///
            /// It must be called on the event loop.
            var cancel: NIOLoopBound<() -> Void>?
            /// Whether it has failed once because the process had no file descriptors left.
            var isSecond = false
        }

        fileprivate struct State: Sendable {
            var machine: ConnectionPoolStateMachine
            var loops: LoopAssignment
            /// The indices of the event loops of connections and attempts.
            var assigned: [ConnectionID: Int] = [:]
            var waiting: [RequestID: OutboundRequest] = [:]
            var attempts: [ConnectionID: Attempt] = [:]
            var connections: [ConnectionID: OpenConnection] = [:]
            /// The channels that have not been closed, including those that are closing.
            var channels: [ObjectIdentifier: NIOConnector.Connected] = [:]
            var timer: (scheduled: Scheduled<Void>, time: Duration)?
            /// Whether the pool is in the table.
            ///
            /// Requests are accepted only then.
            var isAttached = false
            /// The time since which there is no connection that serves requests; `nil` if there is one.
            var disconnectedSince: Duration? = .zero
            var ended: (@Sendable (URL) -> URLError)?
            /// Those who wait for connections without a request.
            var preconnecting = Preconnecting()
        }

        /// An action with the objects that it concerns.
        fileprivate enum Effect: Sendable {
            case run(OutboundRequest, on: OpenConnection)
            /// Fail a request whose connection is gone.
            case refuse(OutboundRequest)
            case open(ConnectionID, on: any EventLoop)
            case close(OpenConnection)
            /// Give up an idle connection, which may be one of another pool.
            case giveUp(ConnectionPoolTable.Connection)
            case cancel(Attempt)
            case fail(OutboundRequest)
            /// Tell those who wait for connections without a request that there are enough.
            case preconnected([Preconnecting.Waiter])
            case schedule(at: Duration)
        }

        private let connector: NIOConnector
        /// The server in the table.
        let key: ConnectionPoolTable.Key
        private let table: ConnectionPoolTable
        /// The event loops, beginning with the one whose connections are used first.
        private let loops: [any EventLoop]
        /// The `Host` header for requests without one (RFC 9112, section 3.2), unless they are for a proxy.
        private let hostHeader: String
        /// The way of the connections.
        let route: ProxyRoute
        private let started = NIODeadline.now()
        private let state: Locked<State>

        /// Creates a pool without connections, which its first request adds to the table.
        ///
        /// - Parameters:
        ///   - connector: Opens connections to the origin.
        ///   - key: The server in the table.
        ///   - table: The pools of the transport.
        ///   - loops: The event loops of the connections, at least one. The first ones get the first connections.
        init(
            _ connector: NIOConnector,
            key: ConnectionPoolTable.Key,
            in table: ConnectionPoolTable,
            on loops: [any EventLoop]
        ) {
            self.connector = connector
            self.key = key
            self.table = table
            self.loops = loops
            hostHeader = connector.origin.hostHeader
            route = connector.route
            state = Locked(
                State(
                    machine: ConnectionPoolStateMachine(
                        limit: connector.settings.limit,
                        maySpeakHTTP2: connector.trust != nil && connector.settings.maySpeakHTTP2
                            && !connector.settings.http1Origins.contains(connector.origin),
                        idleTimeout: connector.settings.idleConnectionTimeout,
                        secondAttemptDelay: connector.settings.secondAttemptDelay
                    ),
                    loops: LoopAssignment(loops: loops.count)
                )
            )
        }

        private var now: Duration { .nanoseconds((NIODeadline.now() - started).nanoseconds) }

        /// Returns the `Host` header for a request to a URL without one.
        func hostHeader(for url: URL) -> String {
            // The connections to a proxy are for any origin.
            guard case .forwarding = route else { return hostHeader }
            return Origin(url)?.hostHeader ?? ""
        }

        // MARK: Requests

        /// Sends a request as soon as a connection is available.
        func start(_ request: OutboundRequest) {
            start(request, request.isResent ? .resent(age: request.age) : .new)
        }

        /// Sends a request whose connection was closed before any of it was sent, on another one.
        private func restart(_ request: OutboundRequest) {
            request.exchange.engineEnded()
            start(request, .returned)
        }

        private func start(_ request: OutboundRequest, _ origin: ConnectionPoolStateMachine.Origin) {
            enum Start: Sendable {
                case run(OpenConnection?)
                case waits(RequestID, [Effect])
                case ended(@Sendable (URL) -> URLError)
                case detached
            }
            let now = now
            let start: Start = state.withLock { state in
                if let ended = state.ended { return .ended(ended) }
                guard state.isAttached else { return .detached }
                let (id, result) = state.machine.enqueue(origin, isRepeatable: request.isRepeatable, at: now)
                switch result {
                case .run(let connection):
                    markUsed(connection, &state)
                    return .run(state.connections[connection])
                case .wait(let actions):
                    state.waiting[id] = request
                    let effects = effects(of: actions, &state)
                    state.noteConnections(at: now)
                    return .waits(id, effects)
                }
            }
            switch start {
            case .run(let connection?) where origin == .returned:
                // Not nested: all idle connections may be closed.
                connection.loop.execute { connection.connection.value.run(request) }
            case .run(let connection?): connection.run(request)
            case .run(nil): perform([.refuse(request)])
            case .ended(let error): request.exchange.failed(error(request.exchange.url))
            case .detached:
                // The pool of the table may be another one.
                if let pool = table.add(self) { return pool.start(request, origin) }
                request.exchange.failed(.refusedAfterShutdown(url: request.exchange.url))
            case .waits(let id, let effects):
                // An exchange that was cancelled in the meantime is cancelled now; one that runs already has an engine.
                request.exchange.began(
                    Exchange.Engine(on: loops[0], wait: { [self] in wait }) { [self] in
                        cancel(id, timedOut: $0.hasTimedOut)
                    },
                    isWaiting: true
                )
                perform(effects)
            }
        }

        /// The state of the pool for requests that wait for a connection.
        private var wait: ConnectionWait {
            let now = now
            return state.withLock { state in
                let capacity = state.machine.capacity
                return ConnectionWait(
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
            let name = "\(connector.origin.scheme)://\(hostHeader)"
            return if case .forwarding = route { "the proxy \(name)" } else { name }
        }

        /// Cancels a request, unless it does not wait any more.
        private func cancel(_ request: RequestID, timedOut: Bool) {
            update { state, now in
                state.waiting[request] = nil
                return state.machine.cancelRequest(request, timedOut: timedOut, at: now)
            }
        }

        private func fail(_ exchange: Exchange, _ error: any Error) {
            let url = exchange.url
            let (ended, refusesAll) = state.withLock { ($0.ended, $0.machine.refusesAll) }
            var error = error
            if refusesAll, let refusal = error as? RequestNotProcessedError {
                error = RequestNotProcessedError(cause: refusal.cause, .never)
            }
            exchange.failed(ended?(url) ?? URLError(engineError: error, url: url))
        }

        // MARK: Preconnecting

        /// Opens connections until there are as many, and waits for them.
        ///
        /// - Throws: `URLError`.
        func preconnect(_ count: Int, to url: URL) async throws {
            let waiter = Preconnecting.Waiter(count: count, url: url)
            let (ended, isAttached) = state.withLock { state in
                if state.ended == nil, state.isAttached { state.preconnecting.add(waiter) }
                return (state.ended, state.isAttached)
            }
            if let ended { throw ended(url) }
            guard isAttached else {
                guard let pool = table.add(self) else { throw URLError.refusedAfterShutdown(url: url) }
                return try await pool.preconnect(count, to: url)
            }
            try await withTaskCancellationHandler {
                update { _, _ in [] }
                try await waiter.result.wait().get()
            } onCancel: {
                update { state, _ in state.preconnecting.remove(waiter) ? state.machine.cancelPreconnect() : [] }
                waiter.result.fulfill(.failure(URLError.cancelled(url: url)))
            }
        }

        // MARK: Connections

        /// Starts an attempt, on its event loop.
        private func open(_ id: ConnectionID, on loop: any EventLoop) {
            guard state.withLock({ $0.attempts[id] != nil }) else { return }
            let (result, cancel) = connector.connect(on: loop) {
                self.update { state, now in state.machine.connecting(id, at: now) }
            }
            let bound = NIOLoopBound(cancel, eventLoop: loop)
            let isWanted = state.withLock { state in
                state.attempts[id]?.cancel = bound
                return state.attempts[id] != nil
            }
            if !isWanted { cancel() }
            result.assumeIsolated().whenComplete { self.opened(id, $0, on: loop) }
        }

        private func opened(
            _ id: ConnectionID,
            _ result: Result<NIOConnector.Connected, any Error>,
            on loop: any EventLoop
        ) {
            if case .failure(let error) = result, attemptAgain(id, after: error, on: loop) { return }
            // The result of a cancelled attempt is ignored.
            guard state.withLock({ $0.attempts.removeValue(forKey: id) != nil }) else {
                // It may have succeeded before it could be cancelled.
                if case .success(let connected) = result { connected.closeNow() }
                return
            }
            do {
                let connected = try result.get()
                // The channel was closed before the connection was added.
                guard connected.channel.isActive else { throw ConnectionClosed(isReused: false) }
                keep(connected)
                let connection: any HTTPConnection & ChannelHandler =
                    connected.isHTTP2 ? makeHTTP2(connected, id) : makeHTTP1(connected, id)
                let isEnded = state.withLock { state in
                    guard state.ended == nil else { return true }
                    state.connections[id] = OpenConnection(
                        connection: NIOLoopBound(connection, eventLoop: loop),
                        loop: loop,
                        closeFuture: connected.channel.closeFuture,
                        place: table.open(ConnectionPoolTable.Connection(pool: self, id: id))
                    )
                    return false
                }
                try connected.channel.pipeline.syncOperations.addHandler(connection)
                if isEnded { return connection.shutDown() }
                update(of: id) { state, now in
                    connected.isHTTP2
                        ? state.machine.connectedHTTP2(id, streams: HTTP2Limits.streamsBeforeSettings, at: now)
                        : state.machine.connectedHTTP1(id, at: now)
                }
            } catch {
                if case .success(let connected) = result { connected.closeNow() }
                var waiters: [Preconnecting.Waiter] = []
                update(because: error) { state, now in
                    _ = removeConnection(id, &state)
                    state.unassign(id)
                    waiters = state.preconnecting.takeAll()
                    return state.machine.failed(id, at: now)
                }
                for waiter in waiters { waiter.result.fulfill(.failure(URLError(engineError: error, url: waiter.url))) }
            }
        }

        /// Gives up the idle connections of the transport if an attempt has failed because the process has no file
        /// descriptors left, and starts it once more when they are closed; otherwise returns false.
        private func attemptAgain(_ id: ConnectionID, after error: any Error, on loop: any EventLoop) -> Bool {
            guard error.isOutOfFileDescriptors else { return false }
            let isFirst = state.withLock { state in
                guard let attempt = state.attempts[id], !attempt.isSecond else { return false }
                state.attempts[id]?.isSecond = true
                state.attempts[id]?.cancel = nil
                return true
            }
            guard isFirst, let closed = table.giveUpIdleConnections(on: loop) else { return false }
            closed.hop(to: loop).whenComplete { _ in self.open(id, on: loop) }
            return true
        }

        /// Gives up a connection, unless it is in use.
        ///
        /// - Returns: A future that completes when it is closed; `nil` if it is in use.
        func giveUp(_ id: ConnectionID) -> EventLoopFuture<Void>? {
            let future = state.withLock { $0.connections[id]?.closeFuture }
            var isClosing = false
            update { state, now in
                let actions = state.machine.giveUp(id, at: now)
                isClosing = !actions.isEmpty
                return actions
            }
            return isClosing ? future : nil
        }

        /// Keeps a channel for the shutdown until it is closed.
        private func keep(_ connected: NIOConnector.Connected) {
            let key = ObjectIdentifier(connected.channel)
            state.withLock { $0.channels[key] = connected }
            connected.channel.closeFuture.whenComplete { [weak self] _ in
                self?.update { state, _ in
                    state.channels[key] = nil
                    return []
                }
            }
        }

        private func makeHTTP1(_ connected: NIOConnector.Connected, _ id: ConnectionID) -> HTTP1Connection {
            HTTP1Connection(
                on: connected.channel.eventLoop,
                closeNow: connected.closeNow,
                requiresCloseNotify: connector.settings.requiresCloseNotify,
                fail: { self.fail($0, $1) },
                report: { event in
                    switch event {
                    case .free(let keepAlive):
                        self.update(of: id) { state, now in state.machine.freed(id, keepAlive: keepAlive, at: now) }
                    case .unsent(let request): self.restart(request)
                    case .noResponse: self.update { state, _ in state.machine.closeIdleConnections() }
                    case .closed(let isStale): self.closed(id, isStale: isStale)
                    }
                }
            )
        }

        private func makeHTTP2(_ connected: NIOConnector.Connected, _ id: ConnectionID) -> HTTP2Connection {
            HTTP2Connection(
                on: connected.channel.eventLoop,
                closeNow: connected.closeNow,
                fail: { self.fail($0, $1) },
                report: { event in
                    switch event {
                    case .streamEnded(let number):
                        self.update(of: id) { state, now in state.machine.streamEnded(on: id, number: number, at: now) }
                    case .unsent(let request):
                        self.update(of: id) { state, now in state.machine.streamUnsent(on: id, at: now) }
                        self.restart(request)
                    case .streamLimit(let limit):
                        self.update { state, now in state.machine.allowsStreams(limit, on: id, at: now) }
                    case .goingAway(let departure, let error):
                        // Waiting requests fail if the server refuses all requests.
                        self.update(because: RequestNotProcessedError(cause: error, .never)) { state, now in
                            state.machine.goingAway(id, departure, at: now)
                        }
                    case .requiresHTTP1: self.useHTTP1()
                    case .responsive(let isResponsive):
                        self.update { state, now in state.machine.isResponsive(isResponsive, id, at: now) }
                    case .closed: self.closed(id)
                    }
                }
            )
        }

        /// Uses HTTP/1.1 for all further requests to the origin (RFC 9113, section 7).
        private func useHTTP1() {
            connector.settings.http1Origins.insert(connector.origin)
            update { state, now in state.machine.serverRequiresHTTP1(at: now) }
        }

        private func closed(_ id: ConnectionID, isStale: Bool = false) {
            update { state, now in
                guard removeConnection(id, &state) != nil else { return [] }
                state.unassign(id)
                return state.machine.closed(id, isStale: isStale, at: now)
            }
        }

        // MARK: Actions

        /// Passes an event to the state machine, and performs its actions.
        ///
        /// `connection` is one that may be idle afterwards.
        private func update(
            of connection: ConnectionID? = nil,
            because error: any Error = ConnectionClosed(isReused: false),
            _ event: (inout State, _ now: Duration) -> [Action]
        ) {
            let now = now
            let (needed, isUnused) = state.withLock { state -> ([Effect], Bool) in
                let actions = event(&state, now)
                guard state.ended == nil else { return ([], false) }
                var needed = effects(of: actions, &state)
                state.noteConnections(at: now)
                if let connection, let excess = markIdle(connection, &state) { needed.append(.giveUp(excess)) }
                return (needed, state.isUnused)
            }
            perform(needed, because: error)
            if isUnused { table.remove(self) }
        }

        // MARK: Table

        /// Accepts requests, since the pool is in the table.
        func attach() { state.withLock { $0.isAttached = true } }

        /// Accepts no requests any more, unless there are connections, attempts or requests.
        ///
        /// - Returns: Whether there are none, and the timer to cancel, if any.
        func detachIfUnused() -> (isDetached: Bool, timer: Scheduled<Void>?) {
            state.withLock { state in
                guard state.isAttached, state.isUnused else { return (false, nil) }
                state.isAttached = false
                defer { state.timer = nil }
                return (true, state.timer?.scheduled)
            }
        }

        /// Reports a connection to the table if it is idle, and returns the one to give up for it, if any.
        private func markIdle(_ id: ConnectionID, _ state: inout State) -> ConnectionPoolTable.Connection? {
            guard let place = state.connections[id]?.place, state.machine.isIdle(id) else { return nil }
            state.connections[id]?.isIdle = true
            return table.markIdle(place)
        }

        /// Reports a connection to the table as used.
        private func markUsed(_ id: ConnectionID, _ state: inout State) {
            guard let connection = state.connections[id], connection.isIdle else { return }
            state.connections[id]?.isIdle = false
            table.markUsed(connection.place)
        }

        /// Removes a connection that is closed or closing from the pool and the table.
        private func removeConnection(_ id: ConnectionID, _ state: inout State) -> OpenConnection? {
            guard let connection = state.connections.removeValue(forKey: id) else { return nil }
            table.close(connection.place)
            return connection
        }

        /// Adds to the actions of the state machine the objects that they concern.
        private func effects(of actions: [Action], _ state: inout State) -> [Effect] {
            var effects: [Effect] = []
            for action in actions {
                switch action {
                case .run(let request, let id):
                    guard let request = state.waiting.removeValue(forKey: request) else { continue }
                    markUsed(id, &state)
                    effects.append(state.run(request, on: id))
                case .open(let id):
                    let index = state.loops.add()
                    state.assigned[id] = index
                    state.attempts[id] = Attempt(loop: loops[index])
                    effects.append(.open(id, on: loops[index]))
                case .close(let id):
                    state.unassign(id)
                    if let attempt = state.attempts.removeValue(forKey: id) { effects.append(.cancel(attempt)) }
                    if let connection = removeConnection(id, &state) { effects.append(.close(connection)) }
                case .fail(let request):
                    if let request = state.waiting.removeValue(forKey: request) { effects.append(.fail(request)) }
                }
            }
            // The event may also have been one that those who wait without a request have waited for.
            if !state.preconnecting.isEmpty {
                let done = state.preconnecting.takeSatisfied { state.machine.hasConnections($0) }
                if !done.isEmpty { effects.append(.preconnected(done)) }
                if let count = state.preconnecting.count {
                    let actions = state.machine.preconnect(count)
                    if !actions.isEmpty { effects += self.effects(of: actions, &state) }
                }
            }
            if let time = state.machine.nextDeadline, time < state.timer?.time ?? .longestTimeout {
                effects.append(.schedule(at: time))
            }
            return effects
        }

        private func perform(_ effects: [Effect], because error: any Error = ConnectionClosed(isReused: false)) {
            for effect in effects {
                switch effect {
                case .run(let request, let connection): connection.run(request)
                case .refuse(let request): fail(request.exchange, RequestNotProcessedError())
                case .open(let id, let loop):
                    if loop.inEventLoop { open(id, on: loop) } else { loop.execute { self.open(id, on: loop) } }
                case .close(let connection): connection.perform { $0.close() }
                case .giveUp(let connection): _ = connection.pool.giveUp(connection.id)
                case .cancel(let attempt):
                    guard let cancel = attempt.cancel else { continue }
                    if attempt.loop.inEventLoop { cancel.value() } else { attempt.loop.execute { cancel.value() } }
                case .fail(let request): fail(request.exchange, error)
                case .preconnected(let waiters): for waiter in waiters { waiter.result.fulfill(.success(())) }
                case .schedule(let time): schedule(at: time)
                }
            }
        }

        // MARK: Time

        /// Schedules a timer for a deadline of the state machine.
        private func schedule(at time: Duration) {
            let scheduled = loops[0].scheduleTask(in: TimeAmount(max(.zero, time - now))) { [weak self] () -> Void in
                self?.expire(at: time)
            }
            let stopped = state.withLock { state -> Scheduled<Void>? in
                guard state.ended == nil, time < state.timer?.time ?? .longestTimeout else { return scheduled }
                defer { state.timer = (scheduled, time) }
                return state.timer?.scheduled
            }
            stopped?.cancel()
        }

        private func expire(at time: Duration) {
            update { state, now in
                if state.timer?.time == time { state.timer = nil }
                return state.machine.expire(at: max(now, time))
            }
        }

        /// Closes all connections.
        ///
        /// Running and waiting requests fail with the error.
        func shutDown(_ error: @escaping @Sendable (URL) -> URLError) -> EventLoopFuture<Void> {
            let (waiting, attempts, connections, channels, timer, waiters) = state.withLock { state in
                state.ended = error
                for connection in state.connections.values { table.close(connection.place) }
                defer {
                    (state.waiting, state.attempts, state.connections, state.timer) = ([:], [:], [:], nil)
                }
                return (
                    Array(state.waiting.values), Array(state.attempts.values), Array(state.connections.values),
                    Array(state.channels.values), state.timer?.scheduled, state.preconnecting.takeAll()
                )
            }
            timer?.cancel()
            for waiter in waiters { waiter.result.fulfill(.failure(error(waiter.url))) }
            for request in waiting { request.exchange.failed(error(request.exchange.url)) }
            perform(attempts.map { .cancel($0) })
            for connection in connections { connection.perform { $0.shutDown() } }
            for connected in channels {
                let loop = connected.channel.eventLoop
                if loop.inEventLoop { connected.closeNow() } else { loop.execute { connected.closeNow() } }
            }
            return .andAllComplete(channels.map(\.channel.closeFuture), on: loops[0])
        }
    }

    extension ConnectionPool.State {
        /// Whether there is nothing that the pool is needed for.
        fileprivate var isUnused: Bool {
            machine.isUnused && connections.isEmpty && channels.isEmpty && attempts.isEmpty && waiting.isEmpty
                && preconnecting.isEmpty
        }

        /// Records since when there is no connection that serves requests.
        fileprivate mutating func noteConnections(at now: Duration) {
            if machine.hasConnection {
                disconnectedSince = nil
            } else if disconnectedSince == nil {
                disconnectedSince = now
            }
        }

        /// Returns the effect of running a request on a connection.
        fileprivate func run(
            _ request: OutboundRequest,
            on id: ConnectionPoolStateMachine.ConnectionID
        ) -> ConnectionPool.Effect {
            connections[id].map { .run(request, on: $0) } ?? .refuse(request)
        }

        /// Gives the place of a connection on its event loop to others.
        fileprivate mutating func unassign(_ id: ConnectionPoolStateMachine.ConnectionID) {
            if let index = assigned.removeValue(forKey: id) { loops.remove(from: index) }
        }
    }

    /// A connection that runs requests.
    ///
    /// It must be used on its event loop only.
    protocol HTTPConnection: AnyObject {
        /// Sends a request.
        func run(_ request: OutboundRequest)
        /// Cancels a running request.
        func abort(_ exchange: Exchange)
        /// Fails all running requests, and closes the connection immediately.
        func shutDown()
        /// Closes a connection without running requests.
        func close()
    }

    extension Exchange.Engine {
        /// Creates the engine of all exchanges on a connection, which checks their timeouts itself.
        ///
        /// It does not keep the connection alive, since the connection owns it.
        init(of connection: any HTTPConnection, on loop: any EventLoop) {
            let bound = NIOLoopBound(WeakConnection(connection: connection), eventLoop: loop)
            self.init(
                cancel: { exchange in
                    let cancel: @Sendable () -> Void = { bound.value.connection?.abort(exchange) }
                    if bound.eventLoop.inEventLoop { cancel() } else { bound.eventLoop.execute(cancel) }
                },
                schedule: nil
            )
        }
    }

    private struct WeakConnection {
        weak var connection: (any HTTPConnection)?
    }
#endif
