#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

// The connect attempts and the open connections of a pool.
extension ConnectionPool {
    /// Begins a connect attempt, on its event loop.
    func open(_ id: ConnectionID, on loop: any EventLoop) {
        guard state.withLock({ $0.connectAttempts[id] != nil }) else { return }
        let (result, cancel) = connector.connect(on: loop) {
            self.handle { $0.machine.beganConnecting(id, at: $1) }
        } report: { event in
            self.report(event, of: id)
        }
        let bound = NIOLoopBound(cancel, eventLoop: loop)
        let isWanted = state.withLock { state in
            state.connectAttempts[id]?.cancel = bound
            return state.connectAttempts[id] != nil
        }
        if !isWanted { cancel() }
        result.assumeIsolated().whenComplete { self.opened(id, $0, on: loop) }
    }

    /// Handles the result of a connect attempt, on its event loop.
    private func opened(
        _ id: ConnectionID,
        _ result: Result<Connector.Connected, any Error>,
        on loop: any EventLoop
    ) {
        if case .failure(let error) = result, reopen(id, after: error, on: loop) { return }
        if case .failure = result { report(.connectFailed, of: id) }
        // The result of a cancelled connect attempt is ignored.
        guard let (attempt, observers) = state.withLock({ $0.endAttempt(id) }) else {
            // It may have succeeded before it could be cancelled.
            if case .success(let connected) = result { connected.closeNow() }
            return
        }
        do {
            try add(try result.get(), id, openedBy: attempt.log, on: loop)
        } catch {
            if case .success(let connected) = result { connected.closeNow() }
            failConnect(id, because: error)
            observeOtherAttempts(observers)
        }
    }

    /// Adds the connection that a connect attempt has opened, on the event loop of the connection.
    private func add(
        _ connected: Connector.Connected,
        _ id: ConnectionID,
        openedBy log: ConnectAttemptLog,
        on loop: any EventLoop
    ) throws {
        // The server may have closed the channel already.
        guard connected.channel.isActive else { throw ConnectionClosed() }
        keepUntilClosed(connected)
        observeEnd(of: connected)
        let connection: any HTTPConnection & ChannelHandler =
            connected.isHTTP2 ? makeHTTP2(connected, id, openedBy: log) : makeHTTP1(connected, id, openedBy: log)
        let isEnded = state.withLock { state in
            guard state.shutdownError == nil else { return true }
            state.connections[id] = OpenConnection(
                bound: NIOLoopBound(connection, eventLoop: loop),
                loop: loop,
                closeFuture: connected.channel.closeFuture,
                place: table.addConnection(ConnectionPoolTable.Connection(pool: self, id: id))
            )
            return false
        }
        try connected.channel.pipeline.syncOperations.addHandler(connection)
        if isEnded { return connection.shutDown() }
        handle(markingIdle: id) { state, now in
            connected.isHTTP2
                ? state.machine.connectedHTTP2(id, streams: HTTP2Limits.streamsBeforeSettings, at: now)
                : state.machine.connectedHTTP1(id, at: now)
        }
    }

    /// Reports a failed connect attempt to the state machine, and to the callers that wait for connections without a request.
    private func failConnect(_ id: ConnectionID, because error: any Error) {
        let error = connector.alternative == nil ? error : AlternativeFailure(cause: error)
        var waiters: [Preconnecting.Waiter] = []
        handle(because: error) { state, now in
            _ = removeConnection(id, in: &state)
            state.unassign(id)
            waiters = state.preconnecting.takeAll()
            return state.machine.connectFailed(id, at: now)
        }
        for waiter in waiters {
            waiter.result.fulfill(.failure(URLError(connectionError: error, url: waiter.url)))
        }
    }

    /// Begins a connect attempt once more if the process had no file descriptors left for it.
    ///
    /// The idle connections of the transport are closed first.
    ///
    /// - Returns: Whether the connect attempt goes on.
    private func reopen(_ id: ConnectionID, after error: any Error, on loop: any EventLoop) -> Bool {
        guard error.isOutOfFileDescriptors else { return false }
        let isFirst = state.withLock { state in
            guard let attempt = state.connectAttempts[id], !attempt.isReopened else { return false }
            state.connectAttempts[id]?.isReopened = true
            state.connectAttempts[id]?.cancel = nil
            state.connectAttempts[id]?.log = .begin()
            return true
        }
        guard isFirst, let closed = table.evictIdleConnections(on: loop) else { return false }
        closed.hop(to: loop).whenComplete { _ in self.open(id, on: loop) }
        return true
    }

    /// Evicts a connection, unless it is in use.
    ///
    /// - Returns: A future that completes when it is closed; `nil` if it is in use.
    func evict(_ id: ConnectionID) -> EventLoopFuture<Void>? {
        let future = state.withLock { $0.connections[id]?.closeFuture }
        var isClosing = false
        handle { state, now in
            let actions = state.machine.evict(id, at: now)
            isClosing = !actions.isEmpty
            return actions
        }
        return isClosing ? future : nil
    }

    /// Keeps a channel until it is closed, so that a shutdown can close it and wait for that.
    private func keepUntilClosed(_ connected: Connector.Connected) {
        let key = ObjectIdentifier(connected.channel)
        state.withLock { $0.channels[key] = connected }
        connected.channel.closeFuture.whenComplete { [weak self] _ in
            self?.handle { state, _ in
                state.channels[key] = nil
                return []
            }
        }
    }

    /// Creates an HTTP/1.1 connection, which reports its events on its event loop.
    private func makeHTTP1(
        _ connected: Connector.Connected,
        _ id: ConnectionID,
        openedBy log: ConnectAttemptLog
    ) -> HTTP1Connection {
        HTTP1Connection(
            on: connected.channel.eventLoop,
            opening: log,
            closeNow: connected.closeNow,
            requiresCloseNotify: connector.settings.requiresCloseNotify,
            fail: { self.fail($0, because: $1) },
            report: { event in
                switch event {
                case .freed(let time):
                    self.handle(markingIdle: id) { $0.machine.freed(id, keepAliveTime: time, at: $1) }
                case .unused: self.handle(markingIdle: id) { $0.machine.unused(id, at: $1) }
                case .returned(let request): self.restart(request)
                case .upgraded: self.upgraded(id)
                case .noResponse: self.handle { state, _ in state.machine.closeIdleConnections() }
                case .closed(let isStale): self.closed(id, isStale: isStale)
                }
            }
        )
    }

    /// Creates an HTTP/2 connection, which reports its events on its event loop.
    private func makeHTTP2(
        _ connected: Connector.Connected,
        _ id: ConnectionID,
        openedBy log: ConnectAttemptLog
    ) -> HTTP2Connection {
        HTTP2Connection(
            on: connected.channel.eventLoop,
            opening: log,
            closeNow: connected.closeNow,
            fail: { self.fail($0, because: $1) },
            report: { event in
                switch event {
                case .beganResponding: self.handle { $0.machine.beganResponding(id, at: $1) }
                case .streamCompleted(let number):
                    self.handle(markingIdle: id) { $0.machine.streamCompleted(on: id, number: number, at: $1) }
                case .streamEnded: self.handle(markingIdle: id) { $0.machine.streamEnded(on: id, at: $1) }
                case .streamRefused: self.handle { $0.machine.streamRefused(on: id, at: $1) }
                case .streamUnopened: self.handle(markingIdle: id) { $0.machine.streamUnopened(on: id, at: $1) }
                case .streamUpgraded: self.handle { $0.machine.streamUpgraded(on: id, at: $1) }
                case .upgradedStreamEnded:
                    self.handle(markingIdle: id) { $0.machine.upgradedStreamEnded(on: id, at: $1) }
                case .upgradeRefused: self.handle { state, _ in state.machine.upgradeRefused(on: id) }
                case .returned(let request):
                    self.handle(markingIdle: id) { $0.machine.streamUnopened(on: id, at: $1) }
                    self.restart(request)
                case .streamLimitChanged(let limit):
                    self.handle { $0.machine.streamLimitChanged(to: limit, on: id, at: $1) }
                case .beganGoingAway(let departure, let error):
                    // Waiting requests fail if the server refuses all requests.
                    self.handle(because: RequestNotProcessedError(cause: error, pace: .never)) {
                        $0.machine.beganGoingAway(id, departure, at: $1)
                    }
                case .http1Required: self.useHTTP1()
                case .responsivenessChanged(let isResponsive):
                    self.handle { $0.machine.responsivenessChanged(to: isResponsive, of: id, at: $1) }
                case .closed: self.closed(id)
                }
            }
        )
    }

    /// Uses HTTP/1.1 for all further requests to the origin (RFC 9113, section 7).
    private func useHTTP1() {
        connector.settings.recordHTTP1Required(by: connector.origin)
        handle { $0.machine.http1Required(at: $1) }
    }

    /// Keeps an HTTP/1.1 connection that is upgraded to another protocol only for the shutdown of the pool.
    ///
    /// It keeps its place on the event loop, so that many such connections are on all event loops.
    private func upgraded(_ id: ConnectionID) {
        handle { state, now in
            guard let connection = removeConnection(id, in: &state) else { return [] }
            state.upgradedConnections[id] = connection
            return state.machine.upgraded(id, at: now)
        }
    }

    private func closed(_ id: ConnectionID, isStale: Bool = false) {
        handle { state, now in
            if state.upgradedConnections.removeValue(forKey: id) != nil {
                state.unassign(id)
                return []
            }
            guard removeConnection(id, in: &state) != nil else { return [] }
            state.unassign(id)
            return state.machine.closed(id, isStale: isStale, at: now)
        }
    }
}
#endif
