import Foundation
import HTTPTypes

/// One exchange with a server: a ``Carrier`` sends the request and reports the response by callbacks, and a reader awaits the
/// response.
///
/// It protects ``ExchangeStateMachine`` and ``TimeoutState`` with a lock, and calls callbacks after releasing it. All
/// transports of this package use it, so that buffering, backpressure, timeouts and cancellation are the same.
package final class Exchange: Sendable {
    private typealias ChunkWaiter = Promise<Result<Data?, any Error>>

    private struct State: Sendable {
        var machine: ExchangeStateMachine
        var timeouts: TimeoutState
        var carrier: Carrier?
        /// The response, or the error that came instead of it, until it is taken.
        var response: Result<TransportResponse, any Error>?
        // Not a promise, which would be one more lock and allocation for each exchange.
        var responseWaiter: UnsafeContinuation<Void, Never>?
        var chunkWaiter: ChunkWaiter?
        /// The demands of the chunks after which the carrier pauses; several if further chunks arrive meanwhile.
        var pausedDemands: [@Sendable () -> Void] = []
        var stopTimer: (@Sendable () -> Void)?
        /// Whether the carrier must stop, even if it begins later.
        var isCancelled = false
        var hasTimedOut = false
        /// The trailers, once the carrier has finished.
        var trailers = HTTPFields()
        /// The callback for the first byte sent.
        var onConnect: (@Sendable () -> Void)?
        /// The callbacks for the end of the exchange.
        var onOver: [@Sendable () -> Void] = []

        /// Sets the response, and returns the continuation that waits for it.
        mutating func respond(_ response: Result<TransportResponse, any Error>) -> UnsafeContinuation<Void, Never>? {
            self.response = response
            return responseWaiter.take()
        }
    }

    package let url: URL
    private let bufferLimit: Int
    private let onInterimResponse: (@Sendable (Int, HTTPFields) -> Void)?
    private let started = ContinuousClock.now
    private let state: Locked<State>

    /// Creates an exchange.
    ///
    /// - Parameter request: The request.
    init(_ request: TransportRequest) {
        url = request.url
        bufferLimit = request.responseBufferLimit
        onInterimResponse = request.onInterimResponse
        state = Locked(
            State(
                machine: ExchangeStateMachine(
                    bufferLimit: request.responseBufferLimit,
                    droppable: request.droppableBodies
                ),
                timeouts: TimeoutState(request),
                onConnect: request.onConnect
            )
        )
    }

    /// The time since the exchange was created.
    var elapsed: Duration { ContinuousClock.now - started }

    /// Whether the exchange is over, so that further events of the carrier are ignored.
    package var isOver: Bool { state.withLock { $0.machine.isOver } }

    /// Whether the exchange has timed out, so that its connection, or the attempt for which it waited, may never complete.
    var hasTimedOut: Bool { state.withLock { $0.hasTimedOut } }

    /// Whether the head of a response has been received.
    var hasReceivedHead: Bool { state.withLock { $0.machine.hasReceivedHead } }

    /// The trailers of the response, once its reader has got all of its body.
    private var trailers: HTTPFields? { state.withLock { $0.machine.hasDeliveredEnd ? $0.trailers : nil } }

    // MARK: Reader

    /// Starts the carrier and waits for the response.
    ///
    /// It must be called once.
    /// `start` makes the carrier call ``began(_:)``, immediately or later, on any thread.
    package nonisolated(nonsending) func response(start: () -> Void) async throws -> TransportResponse {
        try await withTaskCancellationHandler {
            if !isOver { start() }
            while true {
                // Read under the lock, not passed by the continuation, so that the thread sanitizer recognizes the
                // synchronization.
                if let response = state.withLock({ $0.response.take() }) { return try response.get() }
                await withUnsafeContinuation { waiter in
                    let isGiven = state.withLock { state in
                        if state.response == nil { state.responseWaiter = waiter }
                        return state.response != nil
                    }
                    if isGiven { waiter.resume() }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    private func nextChunk() async throws -> Data? {
        try await withTaskCancellationHandler {
            let waiter = ChunkWaiter()
            let (action, pausedDemands) = state.withLock { state in
                let action = state.machine.readerRequestedChunk()
                if action == .wait { state.chunkWaiter = waiter }
                defer { state.pausedDemands = [] }
                if !state.pausedDemands.isEmpty { state.timeouts.recordActivity(at: elapsed) }
                return (action, state.pausedDemands)
            }
            for demand in pausedDemands { demand() }
            switch action {
            case .wait: return try await waiter.wait().get()
            case .chunk(let chunk): return chunk
            case .end: return nil
            case .fail(let error): throw error.asThrown
            }
        } onCancel: {
            cancel()
        }
    }

    /// Fails the exchange with `URLError.cancelled`, unless it is over.
    package func cancel() { cancel(with: .cancelled(url: url)) }

    /// Cancels the exchange because its transport is shut down, unless it is over.
    package func cancelForShutdown() { cancel(with: .cancelledByShutdown(url: url)) }

    /// Calls a function when the exchange is over, or immediately if it is over already.
    package func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.machine.isOver { state.onOver.append(body) }
            return state.machine.isOver
        }
        if isOver { body() }
    }

    // MARK: Carrier

    /// Sets the running carrier.
    ///
    /// If the exchange has already been cancelled, the carrier is cancelled.
    ///
    /// - Parameters:
    ///   - carrier: The carrier.
    ///   - isWaiting: Whether the exchange waits for another carrier, which replaces this one, and may have done so already.
    /// - Returns: The time after which a carrier without timers must call ``checkTimeouts(due:lastReceived:)``; `nil`
    ///   if the exchange is over.
    @discardableResult
    package func began(_ carrier: Carrier, isWaiting: Bool = false) -> Duration? {
        enum Next: Sendable { case over, cancel, check(after: Duration) }
        let wait = carrier.wait?()
        let (next, stopTimer) = state.withLock { state -> (Next, (@Sendable () -> Void)?) in
            if state.isCancelled { return (.cancel, nil) }
            if state.machine.isOver || isWaiting && state.carrier != nil { return (.over, nil) }
            state.carrier = carrier
            let time =
                wait.map { state.timeouts.beginWait(at: elapsed, timeout: $0.timeout) }
                ?? state.timeouts.begin(at: elapsed)
            return (.check(after: time), state.stopTimer.take())
        }
        stopTimer?()
        switch next {
        case .over: return nil
        case .cancel:
            carrier.cancel(self)
            return nil
        case .check(let time):
            scheduleCheck(by: carrier, after: time)
            return time
        }
    }

    /// Reports an interim response (RFC 9110, section 15.2).
    package func receivedInterim(_ head: ResponseHead) {
        guard let onInterimResponse, !isOver else { return }
        onInterimResponse(head.status, head.headers)
    }

    /// Removes a carrier that has not sent anything, so that the exchange can wait for another one.
    func removeCarrier() {
        let stopTimer = state.withLock { state in
            state.carrier = nil
            return state.stopTimer.take()
        }
        stopTimer?()
    }

    package func receivedHead(_ head: ResponseHead) {
        perform(isFromServer: true) { state in state.machine.receivedHead(head) }
    }

    /// Handles a chunk.
    ///
    /// `demand` is called once, when the reader is ready for the next one.
    package func received(_ chunk: Data, demand: @escaping @Sendable () -> Void) {
        perform(demand: demand) { state in state.machine.received(chunk) }
    }

    /// Handles a complete response.
    ///
    /// It returns false if the reader expects a stream; the response must then be delivered in pieces.
    func received(whole head: ResponseHead, _ body: Data, trailers: HTTPFields = HTTPFields()) -> Bool {
        guard body.count <= bufferLimit, bufferLimit > 0 else { return false }
        perform(isFromServer: true) { state in
            let action = state.machine.received(whole: head, body)
            if action != .ignore { state.trailers = trailers }
            return action
        }
        return true
    }

    /// Fails the exchange because its request body could not be read.
    ///
    /// The carrier must not send the end of the body.
    package func bodyFailed(_ error: RequestBodyError) {
        cancel(
            with: error.reason == .cancelled
                ? .cancelled(url: url) : .make(.requestBodyStreamExhausted, url: url, cause: error)
        )
    }

    package func finished(trailers: HTTPFields = HTTPFields()) {
        perform { state in
            state.trailers = trailers
            return state.machine.finished()
        }
    }

    package func failed(_ error: URLError) {
        perform { state in state.machine.failed(error) }
    }

    /// Records that data was sent, which resets the idle timeout.
    package func didSendData() {
        let onConnect = state.withLock { state in
            state.timeouts.recordActivity(at: elapsed, isWaitingForReader: !state.pausedDemands.isEmpty)
            return state.onConnect.take()
        }
        onConnect?()
    }

    /// Pauses the idle timeout while the carrier waits for a network, until data is sent or received.
    func pauseForConnectivity() {
        state.withLock { $0.timeouts.pauseForConnectivity(at: elapsed) }
    }

    // MARK: Private

    private func perform(
        demand: (@Sendable () -> Void)? = nil,
        isFromServer: Bool = false,
        isCancellation: Bool = false,
        _ event: (inout State) -> ExchangeStateMachine.Action
    ) {
        let calls = state.withLock { state in
            var calls = Calls()
            if isFromServer {
                calls.onConnect = state.onConnect.take()
                state.timeouts.recordResponse()
            }
            if isCancellation {
                state.isCancelled = true
                calls.cancelled = state.carrier
            }
            let action = event(&state)
            if action.pausesCarrier, let demand { state.pausedDemands.append(demand) } else { calls.demand = demand }
            deliver(action, in: &state, by: &calls)
            if state.machine.isOver { calls.takeAll(from: &state) }
            state.timeouts.recordActivity(at: elapsed, isWaitingForReader: !state.pausedDemands.isEmpty)
            return calls
        }
        calls.onConnect?()
        calls.stopTimer?()
        // Before the reader continues: its next request must not be sent on a connection that has just timed out.
        calls.cancelled?.cancel(self)
        calls.waiter?.resume()
        if let (waiter, chunk) = calls.chunk { waiter.fulfill(chunk) }
        for demand in calls.pausedDemands { demand() }
        calls.demand?()
        for over in calls.onOver { over() }
    }

    /// Sets the result of an action for the reader that waits for it, if any.
    private func deliver(_ action: ExchangeStateMachine.Action, in state: inout State, by calls: inout Calls) {
        switch action {
        case .deliver(let head, let body):
            calls.waiter = state.respond(.success(response(head, .complete(body), trailers: state.trailers)))
        case .stream(let head, _):
            calls.waiter = state.respond(.success(response(head, .stream(stream()), trailers: HTTPFields())))
        case .deliverChunk(let chunk):
            calls.chunk = state.chunkWaiter.take().map { ($0, .success(chunk)) }
        case .deliverEnd:
            calls.chunk = state.chunkWaiter.take().map { ($0, .success(nil)) }
        case .fail(let error):
            if let waiter = state.chunkWaiter.take() {
                calls.chunk = (waiter, .failure(error.asThrown))
            } else {
                calls.waiter = state.respond(.failure(error.asThrown))
            }
        case .proceed, .pause, .ignore:
            break
        }
    }

    /// The callbacks to call, and the references to release, after the lock is released.
    private struct Calls: Sendable {
        var onConnect: (@Sendable () -> Void)?
        var waiter: UnsafeContinuation<Void, Never>?
        var chunk: (waiter: ChunkWaiter, result: Result<Data?, any Error>)?
        var demand: (@Sendable () -> Void)?
        var pausedDemands: [@Sendable () -> Void] = []
        var stopTimer: (@Sendable () -> Void)?
        /// The carrier to cancel.
        var cancelled: Carrier?
        /// The carrier to release.
        var carrier: Carrier?
        var onOver: [@Sendable () -> Void] = []

        /// Takes the callbacks and the carrier of an exchange that is over.
        mutating func takeAll(from state: inout State) {
            // A carrier that was paused must be able to finish, whatever the outcome of the exchange.
            swap(&pausedDemands, &state.pausedDemands)
            stopTimer = state.stopTimer.take()
            swap(&onOver, &state.onOver)
            swap(&carrier, &state.carrier)
        }
    }

    private func response(
        _ head: ResponseHead,
        _ body: TransportBody,
        trailers: HTTPFields
    ) -> TransportResponse {
        var response = TransportResponse(status: head.status, headers: head.headers, body: body, trailers: trailers)
        response.isDecoded = false
        response.info = head.info
        return response
    }

    /// Returns a stream that keeps the exchange alive, and cancels it when the last reader is released.
    private func stream() -> TransportBodyStream {
        let reader = Reader(exchange: self)
        return TransportBodyStream {
            try await reader.exchange.nextChunk()
        } trailers: {
            // Captures the exchange and not the reader, whose release ends an unread stream.
            self.trailers
        }
    }

    private final class Reader: Sendable {
        let exchange: Exchange

        init(exchange: Exchange) { self.exchange = exchange }

        deinit { exchange.cancel() }
    }

    /// Schedules a check of the timeouts, unless the carrier makes it itself.
    private func scheduleCheck(by carrier: Carrier, after time: Duration) {
        guard let schedule = carrier.schedule else { return }
        let due = elapsed + time
        let stop = schedule(time) { [weak self] in self?.timerFired(due: due) }
        let isOver = state.withLock { state in
            if !state.machine.isOver { state.stopTimer = stop }
            return state.machine.isOver
        }
        if isOver { stop() }
    }

    private func timerFired(due: Duration) {
        guard let time = checkTimeouts(due: due) else { return }
        if let carrier = state.withLock({ $0.carrier }) { scheduleCheck(by: carrier, after: time) }
    }

    /// Cancels an exchange that has timed out: ``TimeoutState/check(due:lastReceived:_:at:)``.
    ///
    /// - Parameters:
    ///   - due: When the check was to be made, as ``elapsed``.
    ///   - lastReceived: When the carrier received the last bytes of the response, as ``elapsed``, including those that it has
    ///     not delivered; `nil` if it does not know.
    /// - Returns: The time until the next check; `nil` if the exchange is over.
    func checkTimeouts(due: Duration, lastReceived: Duration? = nil) -> Duration? {
        // Not under the lock, since it takes that of the pool.
        let wait = state.withLock { $0.carrier?.wait }.map { $0() }
        let result = state.withLock { state -> (verdict: TimeoutState.Verdict, waited: Duration?)? in
            guard !state.machine.isOver else { return nil }
            let now = elapsed
            let verdict = state.timeouts.check(due: due, lastReceived: lastReceived, wait, at: now)
            switch verdict {
            case .checkAgain: break
            // The pool continues an attempt for which others wait, too, unless nothing else ends it.
            case .idleTooLong, .tookTooLong:
                state.hasTimedOut = wait.map { $0.disconnected != nil || !$0.isConnectLimited } ?? true
            case .waitedTooLong: state.hasTimedOut = wait?.isConnectLimited == false
            }
            return (verdict, state.timeouts.waited(at: now))
        }
        guard let result else { return nil }
        if case .checkAgain(let time) = result.verdict { return time }
        if let wait, let waited = result.waited {
            cancel(with: .timedOut(wait, after: waited, url: url))
        } else {
            cancel(with: .timedOut(result.verdict, url: url))
        }
        return nil
    }

    /// Fails the exchange with an error, unless it is over, and stops its carrier.
    private func cancel(with error: URLError) {
        perform(isCancellation: true) { state in state.machine.failed(error) }
    }
}

extension URLError {
    /// The error to throw: the error of the request body is more specific than the `URLError`.
    fileprivate var asThrown: any Error { userInfo[NSUnderlyingErrorKey] as? RequestBodyError ?? self }
}

extension Optional {
    /// Returns the value and sets the optional to `nil`.
    fileprivate mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
