#if NIO && !canImport(Darwin)
import NIOCore

// The waiting requests that observe connect attempts, because somebody asks for their times.
//
// The pool does not know which connection a waiting request will get, so each one observes one attempt: of those with the fewest
// observers, the oldest. When an attempt fails, its requests that still wait observe others. A request that then runs on a connection
// gets the events of the attempt that has opened this connection (``ExchangeRecorder/record(_:isReused:openedBy:)``).
extension ConnectionPool {
    /// Passes an event of a connect attempt to the requests that observe it, on the attempt's event loop.
    func report(_ event: ExchangeEvent, of id: ConnectionID) {
        let timed = TimedEvent(event, at: .now)
        let (number, recorders) = state.withLock { $0.record(timed, of: id) }
        for recorder in recorders { recorder.record(timed, ofAttempt: number) }
    }

    /// Lets the oldest waiting request that observes no connect attempt observe one that begins.
    func observeNewAttempt() {
        if let id = state.withLock({ $0.oldestUnobserving }) { observeAttempt(as: id) }
    }

    /// Lets requests observe another connect attempt, if there is one, because theirs has failed.
    func observeOtherAttempts(_ requests: [RequestID]) {
        for id in requests { observeAttempt(as: id) }
    }

    /// Lets a waiting request observe a connect attempt, if there is one: it gets the events so far, and then those that follow.
    ///
    /// Its events come on the event loop of the attempt, so that none is missing or early.
    func observeAttempt(as id: RequestID) {
        guard let (attempt, loop) = state.withLock({ $0.attemptToObserve(for: id) }) else { return }
        loop.runOnLoop { [self] in
            guard let (recorder, log) = state.withLock({ $0.observe(attempt, as: id) }) else { return }
            recorder.record(log)
        }
    }
}

extension ConnectionPool.State {
    typealias RequestID = ConnectionPoolStateMachine.RequestID
    typealias ConnectionID = ConnectionPoolStateMachine.ConnectionID

    /// Adds a request that waits for a connection.
    mutating func addWaiting(_ request: OutboundRequest, as id: RequestID) {
        waiting[id] = request
        guard let recorder = request.exchange.recorder else { return }
        // The recorder takes no lock of the pool. The event must come before the request can get a connection.
        recorder.enqueue(.queued)
        observers[id] = ConnectionPool.ConnectObserver(recorder: recorder)
    }

    /// Removes and returns a request that waits; `nil` if it does not wait.
    mutating func takeWaiting(_ id: RequestID) -> OutboundRequest? {
        if let attempt = observers.removeValue(forKey: id)?.attempt { connectAttempts[attempt]?.observerCount -= 1 }
        return waiting.removeValue(forKey: id)
    }

    /// Removes all requests that wait, and all connect attempts.
    mutating func removeAllWaiting() { (waiting, observers, connectAttempts) = ([:], [:], [:]) }

    /// Removes a connect attempt that has ended.
    ///
    /// - Returns: The attempt, and the waiting requests that have observed it, the oldest first; `nil` if it was cancelled.
    mutating func endAttempt(
        _ id: ConnectionID
    ) -> (attempt: ConnectionPool.RunningConnectAttempt, observers: [RequestID])? {
        guard let attempt = connectAttempts.removeValue(forKey: id) else { return nil }
        guard attempt.observerCount > 0 else { return (attempt, []) }
        let observing = observers.filter { $0.value.attempt == id }.keys.sorted()
        for request in observing { observers[request]?.attempt = nil }
        return (attempt, observing)
    }

    /// The oldest waiting request with a recorder that observes no connect attempt; `nil` if there is none.
    fileprivate var oldestUnobserving: RequestID? {
        observers.isEmpty ? nil : observers.lazy.filter { $0.value.attempt == nil }.map(\.key).min()
    }

    /// Records an event of a connect attempt, and returns the attempt's number and the recorders of the requests that observe it.
    fileprivate mutating func record(_ timed: TimedEvent, of id: ConnectionID) -> (Int, [ExchangeRecorder]) {
        connectAttempts[id]?.log.append(timed)
        guard let attempt = connectAttempts[id], attempt.observerCount > 0 else { return (0, []) }
        return (attempt.log.number, observers.values.filter { $0.attempt == id }.map(\.recorder))
    }

    /// Returns the connect attempt that a waiting request should observe; `nil` if it observes one, and if there is none.
    fileprivate func attemptToObserve(for id: RequestID) -> (ConnectionID, any EventLoop)? {
        guard let observer = observers[id], observer.attempt == nil else { return nil }
        return
            connectAttempts
            .min { ($0.value.observerCount, $0.key) < ($1.value.observerCount, $1.key) }
            .map { ($0.key, $0.value.loop) }
    }

    /// Lets a waiting request observe a connect attempt, and returns its recorder and the events so far; `nil` if one of them has ended.
    fileprivate mutating func observe(
        _ attempt: ConnectionID,
        as id: RequestID
    ) -> (ExchangeRecorder, ConnectAttemptLog)? {
        guard let observer = observers[id], observer.attempt == nil, let log = connectAttempts[attempt]?.log else {
            return nil
        }
        observers[id]?.attempt = attempt
        connectAttempts[attempt]?.observerCount += 1
        return (observer.recorder, log)
    }
}
#endif
