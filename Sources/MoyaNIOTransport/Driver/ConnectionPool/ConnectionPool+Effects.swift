#if NIO && !canImport(Darwin)
import NIOCore

// The actions of the state machine, and their effects on connections and requests.
extension ConnectionPool {
    /// An action of the state machine, with the objects that it concerns, or another one that follows from it.
    enum Effect: Sendable {
        case run(OutboundRequest, on: OpenConnection)
        /// Fail a request whose connection is gone.
        case failUnprocessed(OutboundRequest)
        case open(ConnectionID, on: any EventLoop)
        case close(OpenConnection)
        /// Cancel a connect attempt, which waiting requests may have observed.
        case cancelConnect(RunningConnectAttempt, [RequestID] = [])
        /// Evict an idle connection, which may be one of another pool.
        case evict(ConnectionPoolTable.Connection)
        case fail(OutboundRequest, because: any Error)
        /// Resume callers that wait for connections without a request, because there are enough.
        case finishPreconnecting([Preconnecting.Waiter])
        case schedule(at: Duration)
        /// Report the number of connections to the observers.
        case report(ConnectionCounts, to: [any ConnectionObserver])
    }

    /// Passes an event to the state machine, and performs its actions, on any thread.
    ///
    /// - Parameters:
    ///   - connection: A connection that the table must know as idle, if it is idle after the event.
    ///   - error: The error of waiting requests that fail, if the event has one.
    ///   - caller: The event loop of the caller, on which connections open, if any.
    ///   - event: Passes the event on, and returns the actions.
    func handle(
        markingIdle connection: ConnectionID? = nil,
        because error: (any Error)? = nil,
        for caller: Int? = nil,
        _ event: (inout State, _ now: Duration) -> [Action]
    ) {
        let now = now
        let (effects, isUnused) = state.withLock { state -> ([Effect], Bool) in
            let actions = event(&state, now)
            guard state.shutdownError == nil else { return ([], false) }
            var effects = apply(actions, to: &state, because: error, for: caller)
            // The event may have opened the last connection that a caller without a request waits for, or closed one.
            if !state.preconnecting.isEmpty { effects += updatePreconnecting(in: &state, for: caller) }
            state.recordConnectivity(at: now)
            if let connection, let excess = markIdle(connection, in: &state) { effects.append(.evict(excess)) }
            appendReport(to: &effects, in: &state)
            return (effects, state.isUnused)
        }
        perform(effects)
        if isUnused { table.remove(self) }
    }

    /// Applies actions of the state machine to the state of the pool.
    ///
    /// Connections open on the event loop of the caller, if there is one.
    ///
    /// - Returns: The effects to perform after the lock is released.
    func apply(
        _ actions: [Action],
        to state: inout State,
        because error: (any Error)?,
        for caller: Int? = nil
    ) -> [Effect] {
        var effects: [Effect] = []
        for action in actions {
            switch action {
            case .run(let request, let id):
                guard let request = state.takeWaiting(request) else { continue }
                effects.append(
                    useConnection(id, in: &state).map { .run(request, on: $0) } ?? .failUnprocessed(request)
                )
            case .open(let id):
                let isFurther = state.machine.http2.hasUsable()
                let index = state.loopAssignment.add(isFurther: isFurther, for: caller)
                state.loopIndices[id] = index
                state.connectAttempts[id] = RunningConnectAttempt(loop: loops[index])
                effects.append(.open(id, on: loops[index]))
            case .close(let id):
                state.unassign(id)
                if let connection = removeConnection(id, in: &state) { effects.append(.close(connection)) }
            case .cancelConnect(let id):
                // Without an entry the connection has just opened; the state machine closes it when it learns of that.
                guard let (attempt, observers) = state.endAttempt(id) else { continue }
                state.unassign(id)
                effects.append(.cancelConnect(attempt, observers))
            case .fail(let request):
                guard let request = state.takeWaiting(request) else { continue }
                effects.append(.fail(request, because: error ?? ConnectionClosed()))
            }
        }
        if let time = state.machine.nextDeadline, time < state.timer?.time ?? .longestTimeout {
            effects.append(.schedule(at: time))
        }
        return effects
    }

    /// Finishes the callers without a request for which there are enough connections, and starts connect attempts for the others.
    ///
    /// - Returns: The effects to perform after the lock is released.
    func updatePreconnecting(in state: inout State, for caller: Int?) -> [Effect] {
        var effects: [Effect] = []
        let done = state.preconnecting.takeSatisfied { state.machine.hasConnections($0) }
        if !done.isEmpty { effects.append(.finishPreconnecting(done)) }
        guard let count = state.preconnecting.count else { return effects }
        let actions = state.machine.preconnect(count)
        guard !actions.isEmpty else { return effects }
        return effects + apply(actions, to: &state, because: nil, for: caller)
    }

    /// Performs effects, on any thread.
    func perform(_ effects: [Effect]) {
        for effect in effects { perform(effect) }
    }

    /// Performs an effect, on any thread: one that uses a connection or a connect attempt runs on its event loop.
    func perform(_ effect: Effect) {
        switch effect {
        case .run(let request, let connection): connection.run(request)
        case .failUnprocessed(let request): fail(request.exchange, because: RequestNotProcessedError())
        case .open(let id, let loop):
            // Before the attempt begins, because it may fail at once.
            observeNewAttempt()
            loop.runOnLoop { self.open(id, on: loop) }
        case .close(let connection): connection.runOnLoop { $0.close() }
        case .evict(let connection): _ = connection.pool.evict(connection.id)
        case .cancelConnect(let attempt, let observers):
            if let cancel = attempt.cancel { attempt.loop.runOnLoop { cancel.value() } }
            observeOtherAttempts(observers)
        case .fail(let request, let error): fail(request.exchange, because: error)
        case .finishPreconnecting(let waiters): for waiter in waiters { waiter.result.fulfill(.success(())) }
        case .schedule(let time): schedule(at: time)
        case .report(let counts, let observers): for observer in observers { observer.connectionsChanged(counts) }
        }
    }

    // MARK: Time

    /// Schedules a timer for a deadline of the state machine.
    func schedule(at time: Duration) {
        let scheduled = loops[0].scheduleTask(in: TimeAmount(max(.zero, time - now))) { [weak self] () -> Void in
            self?.timerFired(at: time)
        }
        let stopped = state.withLock { state -> Scheduled<Void>? in
            guard state.shutdownError == nil, time < state.timer?.time ?? .longestTimeout else { return scheduled }
            defer { state.timer = (scheduled, time) }
            return state.timer?.scheduled
        }
        stopped?.cancel()
    }

    private func timerFired(at time: Duration) {
        handle { state, now in
            if state.timer?.time == time { state.timer = nil }
            return state.machine.deadlinePassed(at: max(now, time))
        }
    }
}
#endif
