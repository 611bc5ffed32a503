#if NIO && !canImport(Darwin)
    import Foundation
    import NIOCore

    /// The connections to one origin and their requests: ``ConnectionPoolStateMachine`` and the channels that it
    /// manages.
    ///
    /// All work is done on one event loop, so that no locks are needed and requests do not switch threads.
    final class ConnectionPool: Sendable {
        private let loop: any EventLoop
        /// The `Host` header for requests without one (RFC 9112, section 3.2).
        let hostHeader: String
        /// The way of the connections.
        let route: ProxyRoute
        private let core: NIOLoopBoundBox<Core>

        init(_ connector: NIOConnector, on loop: any EventLoop) {
            self.loop = loop
            hostHeader = connector.origin.hostHeader
            route = connector.route
            core = .makeBoxSendingValue(Core(connector, loop), as: Core.self, eventLoop: loop)
        }

        /// Sends a request as soon as a connection is available.
        func start(_ request: OutboundRequest) {
            loop.execute { self.core.value.start(request) }
        }

        /// Opens connections until there are as many, and waits for them.
        func preconnect(_ count: Int, to url: URL) async throws {
            let promise = loop.makePromise(of: Void.self)
            loop.execute { self.core.value.preconnect(count, to: url, promise) }
            try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                loop.execute { self.core.value.cancelPreconnect(promise) }
            }
        }

        /// Closes all connections.
        ///
        /// Running and waiting requests fail with the error.
        func shutDown(_ error: @escaping @Sendable (URL) -> URLError) -> EventLoopFuture<Void> {
            loop.flatSubmit { self.core.value.shutDown(error) }
        }
    }

    /// A connection that runs requests.
    ///
    /// It must be used on its event loop only.
    protocol HTTPConnection: AnyObject {
        /// Sends a request.
        func run(_ call: PooledRequest)
        /// Cancels a running request.
        func abort(_ call: PooledRequest)
        /// Fails all running requests, and closes the connection immediately.
        func shutDown()
        /// Closes a connection without running requests.
        func close()
    }

    /// The part of a pool that runs on its event loop.
    private final class Core {
        private let connector: NIOConnector
        private let loop: any EventLoop
        private let started = NIODeadline.now()
        private var state: ConnectionPoolStateMachine
        private var waiting: [ConnectionPoolStateMachine.RequestID: PooledRequest] = [:]
        private var attempts: [ConnectionPoolStateMachine.ConnectionID: () -> Void] = [:]
        private var connections: [ConnectionPoolStateMachine.ConnectionID: any HTTPConnection] = [:]
        /// The connections that have not been closed, including those that are closing.
        private var open: [ObjectIdentifier: NIOConnector.Connected] = [:]
        private var timer: (scheduled: Scheduled<Void>, time: Duration)?
        private var ended: (@Sendable (URL) -> URLError)?
        /// Those who wait for connections without a request.
        private var preconnecting = Preconnecting()

        init(_ connector: NIOConnector, _ loop: any EventLoop) {
            self.connector = connector
            self.loop = loop
            state = ConnectionPoolStateMachine(
                limit: connector.settings.limit,
                maySpeakHTTP2: connector.trust != nil && connector.settings.maySpeakHTTP2,
                idleTimeout: connector.settings.idleConnectionTimeout
            )
        }

        private var now: Duration { .nanoseconds((NIODeadline.now() - started).nanoseconds) }

        // MARK: Requests

        func start(_ request: OutboundRequest) {
            let exchange = request.exchange
            let call = PooledRequest(request)
            if let ended {
                call.state = .over
                exchange.failed(ended(exchange.url))
                return
            }
            guard !exchange.isOver else {
                call.state = .over
                return
            }
            let (id, result) = state.enqueue(isResent: request.isResent, at: now)
            switch result {
            case .run(let connection):
                run(call, on: connection)
            case .wait(let actions):
                call.state = .waiting(id)
                waiting[id] = call
                perform(actions)
                scheduleExpiry()
            }
            // The place of the request has been set, so an exchange that was cancelled in the meantime cancels it
            // now.
            began(call)
        }

        /// Connects the exchange to the request.
        private func began(_ call: PooledRequest) {
            let bound = NIOLoopBound((pool: self, call: call), eventLoop: loop)
            call.exchange.began(
                Exchange.Engine(on: loop) {
                    let cancel: @Sendable () -> Void = { bound.value.pool.cancel(bound.value.call) }
                    if bound.eventLoop.inEventLoop { cancel() } else { bound.eventLoop.execute(cancel) }
                }
            )
        }

        private func cancel(_ call: PooledRequest) {
            let timedOut = call.exchange.hasTimedOut
            switch call.state {
            case .over: break
            case .running(let connection):
                if timedOut, !call.exchange.hasReceivedHead { perform(state.closeIdleConnections()) }
                connection.abort(call)
            case .waiting(let request):
                call.state = .over
                waiting[request] = nil
                perform(state.cancelRequest(request, timedOut: timedOut, at: now))
                continuePreconnecting()
                scheduleExpiry()
            }
        }

        private func run(_ call: PooledRequest, on id: ConnectionPoolStateMachine.ConnectionID) {
            guard let connection = connections[id] else {
                call.state = .over
                fail(call.exchange, RequestNotProcessedError())
                return
            }
            connection.run(call)
        }

        private func fail(_ exchange: Exchange, _ error: any Error) {
            let url = exchange.url
            exchange.failed(ended?(url) ?? URLError(engineError: error, url: url))
        }

        // MARK: Connections

        private func open(_ id: ConnectionPoolStateMachine.ConnectionID) {
            let (result, cancel) = connector.connect(on: loop)
            attempts[id] = cancel
            result.assumeIsolated().whenComplete { self.opened(id, $0) }
        }

        private func opened(
            _ id: ConnectionPoolStateMachine.ConnectionID,
            _ result: Result<NIOConnector.Connected, any Error>
        ) {
            // The result of a cancelled attempt is ignored.
            guard attempts.removeValue(forKey: id) != nil else { return }
            do {
                let connected = try result.get()
                // The channel was closed before the connection was added.
                guard connected.channel.isActive else { throw ConnectionClosed(isReused: false) }
                keep(connected)
                let connection: any HTTPConnection & ChannelHandler =
                    connected.isHTTP2 ? makeHTTP2(connected, id) : makeHTTP1(connected, id)
                connections[id] = connection
                try connected.channel.pipeline.syncOperations.addHandler(connection)
                perform(
                    connected.isHTTP2
                        ? state.connectedHTTP2(id, streams: HTTP2Limits.streamsBeforeSettings, at: now)
                        : state.connectedHTTP1(id, at: now)
                )
            } catch {
                connections[id] = nil
                if case .success(let connected) = result { connected.closeNow() }
                perform(state.failed(id, at: now), because: error)
                preconnecting.fail { self.ended?($0) ?? URLError(engineError: error, url: $0) }
            }
            continuePreconnecting()
            scheduleExpiry()
        }

        /// Keeps a connection for the shutdown until it is closed.
        private func keep(_ connected: NIOConnector.Connected) {
            let key = ObjectIdentifier(connected.channel)
            open[key] = connected
            connected.channel.closeFuture.assumeIsolated().whenComplete { _ in self.open[key] = nil }
        }

        private func makeHTTP1(_ connected: NIOConnector.Connected, _ id: ConnectionPoolStateMachine.ConnectionID)
            -> HTTP1Connection
        {
            HTTP1Connection(
                closeNow: connected.closeNow,
                fail: { self.fail($0, $1) },
                report: { event in
                    switch event {
                    case .free: self.update { $0.freed(id, at: self.now) }
                    case .closed: self.closed(id)
                    }
                }
            )
        }

        private func makeHTTP2(_ connected: NIOConnector.Connected, _ id: ConnectionPoolStateMachine.ConnectionID)
            -> HTTP2Connection
        {
            HTTP2Connection(
                closeNow: connected.closeNow,
                fail: { self.fail($0, $1) },
                report: { event in
                    switch event {
                    case .streamEnded: self.update { $0.streamEnded(on: id, at: self.now) }
                    case .streamLimit(let limit): self.update { $0.allowsStreams(limit, on: id) }
                    case .goingAway: self.update { $0.goingAway(id, at: self.now) }
                    case .responsive(let isResponsive):
                        self.update { $0.isResponsive(isResponsive, id, at: self.now) }
                    case .closed: self.closed(id)
                    }
                }
            )
        }

        private func update(_ event: (inout ConnectionPoolStateMachine) -> [ConnectionPoolStateMachine.Action]) {
            guard ended == nil else { return }
            perform(event(&state))
            scheduleExpiry()
        }

        private func closed(_ id: ConnectionPoolStateMachine.ConnectionID) {
            guard connections.removeValue(forKey: id) != nil else { return }
            update { $0.closed(id, at: now) }
        }

        private func close(_ id: ConnectionPoolStateMachine.ConnectionID) {
            if let cancel = attempts.removeValue(forKey: id) { cancel() }
            connections.removeValue(forKey: id)?.close()
        }

        private func perform(
            _ actions: [ConnectionPoolStateMachine.Action],
            because error: any Error = ConnectionClosed(isReused: false)
        ) {
            for action in actions {
                switch action {
                case .run(let request, let id):
                    if let call = waiting.removeValue(forKey: request) { run(call, on: id) }
                case .open(let id): open(id)
                case .close(let id): close(id)
                case .fail(let request):
                    guard let call = waiting.removeValue(forKey: request) else { continue }
                    call.state = .over
                    fail(call.exchange, error)
                }
            }
        }

        // MARK: Preconnecting

        func preconnect(_ count: Int, to url: URL, _ promise: EventLoopPromise<Void>) {
            if let ended { return promise.fail(ended(url)) }
            preconnecting.add(count, url, promise)
            continuePreconnecting()
            scheduleExpiry()
        }

        private func continuePreconnecting() {
            preconnecting.succeed { state.hasConnections($0) }
            if let count = preconnecting.count { perform(state.preconnect(count)) }
        }

        func cancelPreconnect(_ promise: EventLoopPromise<Void>) {
            guard preconnecting.cancel(promise) else { return }
            perform(state.cancelPreconnect())
            continuePreconnecting()
            scheduleExpiry()
        }

        // MARK: Time

        /// Schedules a timer for the next deadline of the state.
        private func scheduleExpiry() {
            guard ended == nil, let time = state.nextDeadline else { return }
            if let timer {
                guard time < timer.time else { return }
                timer.scheduled.cancel()
            }
            let scheduled = loop.assumeIsolated().scheduleTask(in: TimeAmount(max(.zero, time - now))) {
                self.timer = nil
                self.update { $0.expire(at: self.now) }
            }
            timer = (scheduled, time)
        }

        func shutDown(_ error: @escaping @Sendable (URL) -> URLError) -> EventLoopFuture<Void> {
            ended = error
            timer?.scheduled.cancel()
            timer = nil
            let waiting = waiting.values
            self.waiting = [:]
            for call in waiting {
                call.state = .over
                call.exchange.failed(error(call.exchange.url))
            }
            preconnecting.fail(error)
            let (attempts, connections) = (attempts.values, connections.values)
            self.attempts = [:]
            self.connections = [:]
            for cancel in attempts { cancel() }
            for connection in connections { connection.shutDown() }
            let open = Array(self.open.values)
            for connected in open { connected.closeNow() }
            return .andAllComplete(open.map(\.channel.closeFuture), on: loop)
        }
    }
#endif
