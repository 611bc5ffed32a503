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
            case cancelConnect(OpeningConnection)
            /// Evict an idle connection, which may be one of another pool.
            case evict(ConnectionPoolTable.Connection)
            case fail(OutboundRequest)
            /// Resume callers that wait for connections without a request, because there are enough.
            case finishPreconnecting([Preconnecting.Waiter])
            case schedule(at: Duration)
        }

        /// Passes an event to the state machine, and performs its actions, on any thread.
        ///
        /// - Parameters:
        ///   - connection: A connection that the table must know as idle, if it is idle after the event.
        ///   - error: The error of waiting requests that fail.
        ///   - event: Passes the event on, and returns the actions.
        func handle(
            markingIdle connection: ConnectionID? = nil,
            because error: any Error = ConnectionClosed(isReused: false),
            _ event: (inout State, _ now: Duration) -> [Action]
        ) {
            let now = now
            let (effects, isUnused) = state.withLock { state -> ([Effect], Bool) in
                let actions = event(&state, now)
                guard state.shutdownError == nil else { return ([], false) }
                var effects = apply(actions, to: &state)
                state.recordConnectivity(at: now)
                if let connection, let excess = markIdle(connection, in: &state) { effects.append(.evict(excess)) }
                return (effects, state.isUnused)
            }
            perform(effects, because: error)
            if isUnused { table.remove(self) }
        }

        /// Applies actions of the state machine to the state of the pool.
        ///
        /// - Returns: The effects to perform after the lock is released.
        func apply(_ actions: [Action], to state: inout State) -> [Effect] {
            var effects: [Effect] = []
            for action in actions {
                switch action {
                case .run(let request, let id):
                    guard let request = state.waiting.removeValue(forKey: request) else { continue }
                    effects.append(run(request, on: id, in: &state))
                case .open(let id):
                    let index = state.loopAssignment.add(isHTTP2: state.machine.version == .http2)
                    state.loopIndices[id] = index
                    state.connectAttempts[id] = OpeningConnection(loop: loops[index])
                    effects.append(.open(id, on: loops[index]))
                case .close(let id):
                    state.unassign(id)
                    if let connection = removeConnection(id, in: &state) { effects.append(.close(connection)) }
                case .cancelConnect(let id):
                    // Without an entry the connection has just opened; the state machine closes it when it learns of that.
                    guard let attempt = state.connectAttempts.removeValue(forKey: id) else { continue }
                    state.unassign(id)
                    effects.append(.cancelConnect(attempt))
                case .fail(let request):
                    if let request = state.waiting.removeValue(forKey: request) { effects.append(.fail(request)) }
                }
            }
            // The event may also have opened the last connection that a caller without a request waits for.
            if !state.preconnecting.isEmpty {
                let done = state.preconnecting.takeSatisfied { state.machine.hasConnections($0) }
                if !done.isEmpty { effects.append(.finishPreconnecting(done)) }
                if let count = state.preconnecting.count {
                    let actions = state.machine.preconnect(count)
                    if !actions.isEmpty { effects += apply(actions, to: &state) }
                }
            }
            if let time = state.machine.nextDeadline, time < state.timer?.time ?? .longestTimeout {
                effects.append(.schedule(at: time))
            }
            return effects
        }

        /// Marks the connection that the state machine has selected for a request as used.
        ///
        /// - Returns: The effect to perform after the lock is released.
        func run(_ request: OutboundRequest, on id: ConnectionID, in state: inout State) -> Effect {
            useConnection(id, in: &state).map { .run(request, on: $0) } ?? .failUnprocessed(request)
        }

        /// Performs effects, on any thread.
        func perform(_ effects: [Effect], because error: any Error = ConnectionClosed(isReused: false)) {
            for effect in effects { perform(effect, because: error) }
        }

        /// Performs an effect, on any thread: one that uses a connection or a connect attempt runs on its event loop.
        func perform(_ effect: Effect, because error: any Error = ConnectionClosed(isReused: false)) {
            switch effect {
            case .run(let request, let connection): connection.run(request)
            case .failUnprocessed(let request): fail(request.exchange, because: RequestNotProcessedError())
            case .open(let id, let loop):
                if loop.inEventLoop { open(id, on: loop) } else { loop.execute { self.open(id, on: loop) } }
            case .close(let connection): connection.onLoop { $0.close() }
            case .evict(let connection): _ = connection.pool.evict(connection.id)
            case .cancelConnect(let attempt):
                guard let cancel = attempt.cancel else { return }
                if attempt.loop.inEventLoop { cancel.value() } else { attempt.loop.execute { cancel.value() } }
            case .fail(let request): fail(request.exchange, because: error)
            case .finishPreconnecting(let waiters): for waiter in waiters { waiter.result.fulfill(.success(())) }
            case .schedule(let time): schedule(at: time)
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
