import Foundation
import HTTPTypes

/// One exchange with a server: a ``Carrier`` sends the request and reports the response by callbacks, and a reader awaits the
/// response.
///
/// It protects ``ExchangeStateMachine`` and ``TimeoutState`` with a lock, and calls callbacks after releasing it. The transports
/// over SwiftNIO, URLSession and AsyncHTTPClient use it, so that buffering, backpressure, timeouts and cancellation are the same.
///
/// The methods for events of the carrier are past participles, such as ``connected()`` and ``failed(_:)``. The methods for commands, and
/// for the records of times, are imperatives, such as ``cancel()`` and ``recordActivity()``.
package final class Exchange: Sendable {
    typealias ChunkWaiter = Promise<Result<Data?, any Error>>

    struct State: Sendable {
        var machine: ExchangeStateMachine
        var timeouts: TimeoutState
        var carrier: Carrier?
        /// The response, or the error that came instead of it, until the reader gets it.
        var response: Result<TransportResponse, any Error>?
        // Not a promise, which would be one more lock and allocation for each exchange.
        var responseWaiter: UnsafeContinuation<Void, Never>?
        var chunkWaiter: ChunkWaiter?
        /// The functions `onTaken` of the chunks after which the carrier pauses; several if further chunks arrive meanwhile.
        var untakenChunks: [@Sendable () -> Void] = []
        var stopTimer: (@Sendable () -> Void)?
        /// Whether the carrier must stop, even if it begins later.
        var shouldStopCarrier = false
        var isCarrierSuspect = false
        /// The trailers, once the carrier has finished.
        var trailers = HTTPFields()
        /// The callback for the beginning of the request on a connection: ``TransportRequest/onConnect``.
        var onConnect: (@Sendable () -> Void)?
        /// The callbacks for the end of the exchange.
        var onOver: [@Sendable () -> Void] = []

        /// Restarts the idle timeout, which stays paused while the carrier pauses.
        mutating func recordActivity(at now: Duration) {
            timeouts.recordActivity(at: now, isPaused: !untakenChunks.isEmpty)
        }

        /// Sets the response, and returns the continuation that waits for it.
        mutating func setResponse(_ response: Result<TransportResponse, any Error>) -> UnsafeContinuation<Void, Never>?
        {
            self.response = response
            return responseWaiter.take()
        }
    }

    package let url: URL
    /// The recorder of the exchange's times; `nil` if nobody asks for them.
    package let recorder: ExchangeRecorder?
    /// Whether a timeout begins with ``requestSent()``.
    private let hasFirstByteTimeout: Bool
    private let onInterimResponse: (@Sendable (Int, HTTPFields) -> Void)?
    private let started = MonotonicTime.now
    let state: InlineLocked<State>

    /// Creates an exchange.
    ///
    /// - Parameter request: The request.
    package init(_ request: borrowing TransportRequest) {
        url = request.url
        hasFirstByteTimeout = request.firstByteTimeout != nil
        recorder = request.recorder
        onInterimResponse = request.onInterimResponse
        state = InlineLocked(
            State(
                machine: ExchangeStateMachine(
                    bufferLimit: request.responseBufferLimit,
                    droppable: request.droppableBodies
                ),
                timeouts: TimeoutState(request),
                onConnect: request.onConnect
            )
        )
        // The request may have been sent before.
        recorder?.restart()
    }

    /// Whether the carrier has to call ``requestSent()``, because somebody needs the time.
    package var needsTimeOfSending: Bool { hasFirstByteTimeout || recorder != nil }

    /// The time since the exchange was created.
    package var elapsed: Duration { .now - started }

    /// Whether the exchange is over, so that further events of the carrier are ignored.
    package var isOver: Bool { state.withLock { $0.machine.isOver } }

    /// Whether the exchange has timed out in a way that makes its carrier suspect: its connection, or the connect attempt for which it
    /// waited, may never complete.
    package var isCarrierSuspect: Bool { state.withLock { $0.isCarrierSuspect } }

    /// Whether the head of a response has been received.
    package var hasReceivedHead: Bool { state.withLock { $0.machine.hasReceivedHead } }

    // MARK: End

    /// Cancels the exchange for its reader, which then gets `URLError.cancelled` in place of data, the end, or another error, unless it has
    /// got the whole response or an error before.
    package func cancel() {
        recorder?.record(.failed)
        handle(stopsCarrier: true) { state in state.machine.readerCancelled(.url(.cancelled(url: url))) }
    }

    /// Aborts the exchange with an error of our side, unless it is over: fails it, and stops its carrier.
    func abort(with error: URLError) { abort(.url(error)) }

    private func abort(_ failure: ExchangeStateMachine.Failure) {
        recorder?.record(.failed)
        handle(stopsCarrier: true) { state in state.machine.failed(failure) }
    }

    /// Aborts the exchange because its transport is shut down.
    package func abortForShutdown() { abort(with: .cancelledByShutdown(url: url)) }

    /// Handles a request body that could not be read: aborts the exchange.
    ///
    /// The carrier must not send the end of the body.
    package func bodyFailed(_ error: RequestBodyError) {
        abort(error.reason == .cancelled ? .url(.cancelled(url: url)) : .body(error))
    }

    /// Calls a function when the exchange is over, or immediately if it is over already.
    package func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.machine.isOver { state.onOver.append(body) }
            return state.machine.isOver
        }
        if isOver { body() }
    }

    // MARK: Carrier

    /// The result of ``setCarrier(_:)``.
    package enum CarrierStart: Sendable {
        /// The exchange is over, or another carrier has already replaced a waiting one.
        case over
        /// The exchange runs, or waits.
        ///
        /// A carrier without timers must call ``checkTimeouts(due:lastTransfer:hasPendingInput:)`` after the time.
        case running(checkAfter: Duration)
    }

    /// Sets the carrier: the connection or task that runs the request, or the pool in which the request waits.
    ///
    /// If the exchange has already been cancelled or aborted, the carrier is stopped. A pool does not replace another carrier:
    /// the exchange waits in it for the connection, which may have become the carrier already.
    ///
    /// - Parameter carrier: The carrier.
    /// - Returns: Whether the carrier has work.
    @discardableResult
    package func setCarrier(_ carrier: Carrier) -> CarrierStart {
        enum Next: Sendable { case over, stop, check(after: Duration) }
        let pool = carrier.poolStatus?()
        let (next, stopTimer) = state.withLock { state -> (Next, (@Sendable () -> Void)?) in
            if state.shouldStopCarrier { return (.stop, nil) }
            if state.machine.isOver || pool != nil && state.carrier != nil { return (.over, nil) }
            state.carrier = carrier
            let time =
                pool.map { state.timeouts.beganWaiting(at: elapsed, timeout: $0.timeout) }
                ?? state.timeouts.began(at: elapsed)
            return (.check(after: time), state.stopTimer.take())
        }
        stopTimer?()
        switch next {
        case .over: return .over
        case .stop:
            carrier.stop(self)
            return .over
        case .check(let time):
            scheduleCheck(by: carrier, after: time)
            return .running(checkAfter: time)
        }
    }

    /// Reports an interim response (RFC 9110, section 15.2).
    package func receivedInterim(_ head: ResponseHead) {
        recorder?.record(.interim(status: head.status))
        guard let onInterimResponse, !isOver else { return }
        onInterimResponse(head.status, head.headers)
    }

    /// Removes a carrier that has not sent anything, so that the exchange can wait for another one.
    package func removeCarrier() {
        let stopTimer = state.withLock { state in
            state.carrier = nil
            return state.stopTimer.take()
        }
        stopTimer?()
    }

    /// Handles the head of a response whose body follows.
    ///
    /// From the head of an upgrade on, no timeout ends the exchange.
    package func receivedHead(_ head: ResponseHead) {
        recorder?.record(.responseHead(status: head.status, bytes: nil))
        handle(beginsResponse: true) { state in
            if head.isUpgraded { state.timeouts.recordUpgrade() }
            return state.machine.receivedHead(head)
        }
    }

    /// Handles a chunk.
    ///
    /// `onTaken` is called once, on any thread, possibly before this method returns, when there is room for more bytes, or the
    /// exchange is over.
    package func received(_ chunk: Data, onTaken: @escaping @Sendable () -> Void) {
        recorder?.count(chunk.count, in: .responseBody)
        handle(onTaken: onTaken) { state in state.machine.received(chunk) }
    }

    /// Handles a complete response, which the reader gets as one value, or as a stream.
    package func received(whole head: ResponseHead, _ body: Data, trailers: HTTPFields = HTTPFields()) {
        recorder?.recordResponse(status: head.status, bodyBytes: body.count)
        handle(beginsResponse: true) { state in
            state.trailers = trailers
            return state.machine.received(whole: head, body)
        }
    }

    /// Handles the end of the server's direction of an upgraded connection, while the output goes on.
    ///
    /// The reader gets the end. The exchange goes on until ``finished(trailers:)`` or ``failed(_:)``, so that its reader can cancel it.
    package func inputEnded() { handle { state in state.machine.inputEnded() } }

    /// Handles the end of the body, with the trailers.
    package func finished(trailers: HTTPFields = HTTPFields()) {
        recorder?.record(.responseEnded(bodyBytes: nil))
        handle { state in
            state.trailers = trailers
            return state.machine.finished()
        }
    }

    /// Handles an error of the connection, the server or the transport.
    package func failed(_ error: URLError) {
        recorder?.record(.failed)
        handle { state in state.machine.failed(.url(error)) }
    }

    /// Handles the beginning of the request on a connection: restarts the idle timeout, and calls ``TransportRequest/onConnect`` the first
    /// time.
    package func connected() {
        let onConnect = state.withLock { state in
            state.recordActivity(at: elapsed)
            return state.onConnect.take()
        }
        onConnect?()
    }

    /// Handles the end of the request, with its body: begins the time until the head of the response.
    ///
    /// - Parameter bodyBytes: The size of the body; `nil` if the carrier has counted it for the recorder, or does not know it.
    package func requestSent(bodyBytes: Int64? = nil) {
        recorder?.record(.requestSent(bodyBytes: bodyBytes))
        beginWaitForResponse()
    }

    /// Begins the time until the head of the response, for a carrier that has recorded the sending itself, or does not know its time.
    package func beginWaitForResponse() {
        guard hasFirstByteTimeout else { return }
        state.withLock { $0.timeouts.recordSent(at: elapsed) }
    }

    /// Records that the carrier has sent data, which restarts the idle timeout.
    package func recordActivity() {
        state.withLock { $0.recordActivity(at: elapsed) }
    }

    /// Pauses the idle timeout while the carrier waits for a network, until data is sent or received.
    package func pauseForConnectivity() {
        state.withLock { $0.timeouts.pauseForConnectivity(at: elapsed) }
    }

    /// Lets the call of ``TransportRequest/onConnect`` report the progress of an inline body, which no ``HTTPBody/Reader`` reads
    /// (BodyProgress.swift).
    package func reportInlineBodyOnConnect(_ body: HTTPBody?) {
        guard let report = body?.reportSentWhole else { return }
        state.withLock { state in
            let onConnect = state.onConnect
            state.onConnect = {
                onConnect?()
                report()
            }
        }
    }

    // MARK: Private

    /// Passes an event to the state machine, and performs its action.
    ///
    /// The callbacks are called after the lock is released, in this order:
    /// 1. The connection is reported (`onConnect`), and the timer stops.
    /// 2. The carrier stops. The next request of the reader must not be sent on a connection that has just timed out, so this step is
    ///    before the next one. It has this effect on the event loop of the carrier; another thread only queues the stop.
    /// 3. The reader continues.
    /// 4. The carrier continues: it reads, or enlarges the window of the stream.
    /// 5. The end is reported.
    private func handle(
        beginsResponse: Bool = false,
        stopsCarrier: Bool = false,
        onTaken: (@Sendable () -> Void)? = nil,
        _ event: (inout State) -> ExchangeStateMachine.Action
    ) {
        let calls = state.withLock { state in
            var calls = Calls()
            if beginsResponse {
                calls.onConnect = state.onConnect.take()
                state.timeouts.recordResponse()
            }
            if stopsCarrier {
                state.shouldStopCarrier = true
                calls.carrierToStop = state.carrier
            }
            let action = event(&state)
            if action.shouldPauseCarrier, let onTaken {
                state.untakenChunks.append(onTaken)
            } else {
                calls.onTaken = onTaken
            }
            deliver(action, in: &state, by: &calls)
            if state.machine.isOver { calls.takeAll(from: &state) }
            state.recordActivity(at: elapsed)
            return calls
        }
        calls.onConnect?()
        calls.stopTimer?()
        calls.carrierToStop?.stop(self)
        calls.waiter?.resume()
        if let (waiter, chunk) = calls.chunk { waiter.fulfill(chunk) }
        for onTaken in calls.untakenChunks { onTaken() }
        calls.onTaken?()
        for over in calls.onOver { over() }
    }

    /// Sets the result of an action for the reader that waits for it, if any.
    private func deliver(_ action: ExchangeStateMachine.Action, in state: inout State, by calls: inout Calls) {
        switch action {
        case .deliver(let head, let body):
            calls.waiter = state.setResponse(.success(makeResponse(head, .complete(body), trailers: state.trailers)))
        case .stream(let head, _):
            calls.waiter = state.setResponse(
                .success(makeResponse(head, .stream(makeStream()), trailers: HTTPFields()))
            )
        case .deliverChunk(let chunk):
            calls.chunk = state.chunkWaiter.take().map { ($0, .success(chunk)) }
        case .deliverEnd:
            calls.chunk = state.chunkWaiter.take().map { ($0, .success(nil)) }
        case .fail(let failure):
            if let waiter = state.chunkWaiter.take() {
                calls.chunk = (waiter, .failure(failure.error))
            } else {
                calls.waiter = state.setResponse(.failure(failure.error))
            }
        case .proceed, .pause:
            break
        }
    }

    /// The callbacks to call, and the references to release, after the lock is released.
    private struct Calls: Sendable {
        var onConnect: (@Sendable () -> Void)?
        var waiter: UnsafeContinuation<Void, Never>?
        var chunk: (waiter: ChunkWaiter, result: Result<Data?, any Error>)?
        var onTaken: (@Sendable () -> Void)?
        var untakenChunks: [@Sendable () -> Void] = []
        var stopTimer: (@Sendable () -> Void)?
        var carrierToStop: Carrier?
        var carrierToRelease: Carrier?
        var onOver: [@Sendable () -> Void] = []

        /// Takes the callbacks and the carrier of an exchange that is over.
        mutating func takeAll(from state: inout State) {
            // A carrier that was paused must be able to finish, whatever the outcome of the exchange.
            swap(&untakenChunks, &state.untakenChunks)
            stopTimer = state.stopTimer.take()
            swap(&onOver, &state.onOver)
            swap(&carrierToRelease, &state.carrier)
        }
    }

    private func makeResponse(
        _ head: ResponseHead,
        _ body: TransportBody,
        trailers: HTTPFields
    ) -> TransportResponse {
        var response = TransportResponse(status: head.status, fields: head.fields, body: body, trailers: trailers)
        response.isDecoded = false
        response.info = head.info
        response.isConnectionReusable = head.isConnectionReusable
        response.isUpgraded = head.isUpgraded
        return response
    }
}
