#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore

/// An HTTP/2 connection, which runs each exchange on a stream: ``HTTP2ConnectionStateMachine`` and the actions that
/// it requires.
///
/// It is the last handler of its channel, above TLS, and must be used on the channel's event loop only. There are no channels
/// for streams. ``endStream(_:because:)`` ends a stream while the connection stays open, and reports that once.
///
/// These functions end the connection:
/// - ``close()``: by the pool, without requests: GOAWAY, a TLS close alert, and then the socket;
/// - ``shutDown()``: by the pool, with its requests, which fail; immediately;
/// - ``endConnection(because:closing:)``: with its requests, because of an error, or because the server has closed it.
final class HTTP2Connection: HTTPConnection, ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// An event for the pool.
    enum Event {
        /// The head of the first response on the connection has been received.
        case beganResponding
        /// The response on a stream is complete; `number` is the number of the stream on its connection, from 1.
        case streamCompleted(number: Int)
        /// A stream has ended without a complete response.
        case streamEnded
        /// The server has refused a request on its stream, whose end is reported next.
        case streamRefused
        /// No stream was opened for a request, whose exchange is over, or fails because its head is not accepted.
        case streamUnopened
        /// A stream is upgraded to another protocol; its end is then reported as `upgradedStreamEnded`.
        case streamUpgraded
        case upgradedStreamEnded
        /// The server does not allow a request for an upgrade, whose end is reported next.
        case upgradeRefused
        /// The connection cannot carry a request, of which nothing has been sent, and gives it back.
        case returned(OutboundRequest)
        /// The maximum number of concurrent streams has changed.
        case streamLimitChanged(to: Int)
        /// No more requests may be sent; requests that the server processes continue.
        ///
        /// The error is that of the server; `nil` if the connection has no more stream identifiers.
        case beganGoingAway(ConnectionPoolStateMachine.Departure, HTTP2Error?)
        /// The server requires HTTP/1.1 (RFC 9113, section 7).
        case http1Required
        /// The server responds again, or it is in doubt whether it does.
        ///
        /// While that is in doubt, no requests should be sent.
        case responsivenessChanged(to: Bool)
        /// The connection is closed or closing.
        case closed
    }

    private enum Phase {
        case betweenReads
        /// A read goes on. Output is sent after its end.
        case reading
        case closed
    }

    let report: (Event) -> Void
    let failExchange: (Exchange, any Error) -> Void
    private let closeNow: () -> Void
    let loop: any EventLoop
    /// The carrier of all exchanges on the connection.
    private lazy var carrier = Exchange.Carrier(of: self, on: loop)
    private lazy var exchangeTimer = ExchangeTimer(on: loop) { [weak self] in
        self?.takeTransferTimes() ?? []
    } hasPendingInput: { [weak self] in
        self?.socket?.hasPendingInput ?? false
    }
    private(set) var context: ChannelHandlerContext?
    private(set) var socket: ConnectionSocket?
    /// The facts of all responses on the connection.
    private lazy var responseInfo = context.map { ConnectionInfo($0.channel).http2() }
    /// The connect attempt that has opened the connection.
    private let opening: ConnectAttemptLog
    /// The facts of the connection for the times of exchanges.
    private lazy var exchangeConnection = context.map { ConnectionInfo($0.channel).connection(opening, "HTTP/2") }
    private var phase = Phase.betweenReads
    private var frameReader = HTTP2FrameReader()
    var machine = HTTP2ConnectionStateMachine()
    /// The streams until their end, which is delivered to their exchanges after they are removed.
    ///
    /// The state machine has the streams until their end is received, and sent if they are upgraded:
    /// ``HTTP2ConnectionStateMachine/openStreams``.
    private(set) var runningStreams: [HTTP2Frame.StreamID: RunningStream] = [:]
    /// The streams on which a part of a response has been received in the current read.
    var receivingStreams: [RunningStream] = []
    /// The streams whose send windows have grown in the current read.
    private var grownStreams: [RunningStream] = []
    /// Whether the send windows of all streams may have grown in the current read.
    private var hasGrownWindows = false
    /// Whether the head of a response has been received.
    private var hasResponded = false
    private var hasCompletedStream = false
    /// The error with which the server has ended the connection.
    private var goAwayError: HTTP2Error?
    private let delayedRequests: DelayedRequests
    /// The requests for upgrades that wait until the server's settings show whether it allows them.
    var requestsAwaitingSettings: [OutboundRequest] = []
    /// The start of the interval in which frames without effect are counted.
    private var intervalStart = NIODeadline.now()

    var sendState = SendState()
    private lazy var pingTimer = PingTimer(on: loop, at: intervalStart) { [weak self] in
        self?.runningStreams.isEmpty == false
    } hasPendingInput: { [weak self] in
        self?.socket?.hasPendingInput ?? false
    } report: { [weak self] event in
        self?.handle(event)
    }

    var isOpen: Bool { phase != .closed }
    var isReading: Bool { phase == .reading }

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - loop: The event loop of the channel.
    ///   - opening: The connect attempt that has opened the connection.
    ///   - closeNow: Closes the connection below TLS: ``Connector/Connected/closeNow``.
    ///   - fail: Fails an exchange with an error of the connection.
    ///   - report: Receives events on the event loop. Before it returns, the pool may call the connection again: the end of a
    ///     stream makes room for a request, which the pool passes to ``run(_:)``. So the connection reports an event only
    ///     when its state includes the event.
    init(
        on loop: any EventLoop,
        opening: ConnectAttemptLog = .begin(),
        closeNow: @escaping () -> Void,
        fail: @escaping (Exchange, any Error) -> Void,
        report: @escaping (Event) -> Void
    ) {
        self.loop = loop
        self.opening = opening
        delayedRequests = DelayedRequests(on: loop)
        failExchange = fail
        self.closeNow = closeNow
        self.report = report
    }

    // MARK: Requests

    /// Sends a request on a new stream.
    ///
    /// The pool counts the streams that the server allows. If the connection has learned of an end or a lower limit before
    /// the pool, it gives the request back.
    func run(_ request: OutboundRequest) {
        let (exchange, message) = (request.exchange, request.message)
        guard context != nil, isOpen, machine.canOpenStream else {
            if machine.hasUsedAllStreamIDs { report(.beganGoingAway(.init(), nil)) }
            return report(.returned(request))
        }
        let now = NIODeadline.now()
        if runningStreams.isEmpty,
            PendingInput.mustWaitForRead(
                before: request,
                isReused: hasCompletedStream,
                idleTime: now - pingTimer.lastReceived,
                socket
            )
        {
            return delayedRequests.add(request, run: run)
        }
        delayedRequests.restoreDelay()
        // A request that has just been cancelled or timed out must not be sent.
        guard case .running(let time) = exchange.setCarrier(carrier) else { return report(.streamUnopened) }
        exchangeTimer.scheduleCheck(within: time)
        guard message.upgrade == nil || machine.allowsUpgrades == true else {
            return refuseUpgradeOrWait(request)
        }
        open(request, at: now)
    }

    /// Opens the stream of a request, whose carrier is the connection.
    func open(_ request: OutboundRequest, at now: NIODeadline) {
        let (exchange, message) = (request.exchange, request.message)
        let isUpgrade = message.upgrade != nil
        let id: HTTP2Frame.StreamID
        let outputSize = machine.output.readableBytes
        do throws(HTTP2RequestError) {
            id = try machine.open(
                HTTP2RequestHead(message),
                isHeadRequest: message.method == "HEAD",
                isUpgradeRequest: isUpgrade,
                endStream: message.body.isNone && !isUpgrade
            )
        } catch {
            // Before the caller continues: for its next request, the pool must not count this one any more.
            report(.streamUnopened)
            return failExchange(exchange, error)
        }
        let stream = RunningStream(id, request, isReused: hasCompletedStream, sentAt: now)
        runningStreams[id] = stream
        if let recorder = exchange.recorder {
            record(stream, headSize: machine.output.readableBytes - outputSize, to: recorder)
        } else if message.body.isNone {
            // Nothing of a request for an upgrade follows its head before the response.
            trackEnd(of: stream)
        }
        startBody(of: stream)
        pingTimer.sentRequest(at: now)
        flushLater()
        exchange.connected()
    }

    /// Records the connection of a stream, and the sending of the request's head when that is done.
    @inline(never)
    private func record(_ stream: RunningStream, headSize: Int, to recorder: ExchangeRecorder) {
        guard let exchangeConnection else { return }
        let isFirstStream = HTTP2ConnectionStateMachine.streamCount(upTo: stream.id) == 1
        recorder.record(exchangeConnection, isReused: !isFirstStream, openedBy: opening)
        recorder.count(headSize, in: .requestHead)
        recorder.count(0, in: .requestBody)
        trackFrame(of: stream)
    }

    /// Returns whether the exchange of a stream goes on: the stream has not been removed.
    func isRunning(_ stream: RunningStream) -> Bool { runningStreams[stream.id] === stream }

    /// Stops the work on a running request, whose exchange is over: resets its stream.
    func stop(_ exchange: Exchange) {
        if let index = requestsAwaitingSettings.firstIndex(where: { $0.exchange === exchange }) {
            requestsAwaitingSettings.remove(at: index)
            return report(.streamUnopened)
        }
        // All streams are searched: a table by exchange would cost each request more than it saves those that are stopped.
        guard let stream = runningStreams.values.first(where: { $0.exchange === exchange }) else { return }
        endStream(stream, because: .stopped)
        flush()
    }

    /// Ends a stream while the connection stays open: removes it, reports that to the pool, and delivers the end to its exchange.
    ///
    /// The report comes before the end: for the next request of the caller, the pool must not count this one any more.
    func endStream(_ stream: RunningStream, because cause: StreamEndCause) {
        let rest = stream.delivery.removeAll()
        remove(stream)
        let ended: Event = stream.isUpgraded ? .upgradedStreamEnded : .streamEnded
        switch cause {
        case .completed(let trailers):
            hasCompletedStream = true
            report(
                stream.isUpgraded
                    ? ended : .streamCompleted(number: HTTP2ConnectionStateMachine.streamCount(upTo: stream.id))
            )
            stream.exchange.finished(with: rest, trailers: trailers)
        case .stopped:
            machine.reset(stream.id)
            // A server that has not responded to the request may be unreachable.
            if stream.exchange.isCarrierSuspect, !stream.exchange.hasReceivedHead {
                pingTimer.requestTimedOut(sentAt: stream.sentAt, at: .now())
            }
            report(ended)
        case .failed(let failure):
            // Only a stream whose trailers cannot be sent is still open.
            machine.reset(stream.id)
            report(ended)
            fail(stream, delivering: rest, because: failure)
        }
    }

    /// Delivers the rest of a removed stream, and fails its exchange.
    private func fail(_ stream: RunningStream, delivering rest: ResponseDelivery.Parts, because failure: StreamFailure)
    {
        deliver(rest, of: stream)
        let exchange = stream.exchange
        failExchange(exchange, failure.error(hasResponse: exchange.hasReceivedHead, isReused: stream.isReused))
    }

    /// Removes a stream, and drops the rest of its request body, and the part of the response that it holds.
    private func remove(_ stream: RunningStream) {
        runningStreams[stream.id] = nil
        stream.delivery = ResponseDelivery()
        stream.upload?.stop()
        stream.upload = nil
        stream.pieces.removeAll()
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        socket = ConnectionSocket(context.channel)
        if context.channel.isActive { flush() }
    }

    func handlerRemoved(context: ChannelHandlerContext) { (self.context, socket) = (nil, nil) }

    func channelActive(context: ChannelHandlerContext) {
        flush()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.now()
        if now - intervalStart >= TimeAmount(HTTP2Limits.interval) {
            intervalStart = now
            machine.intervalPassed()
        }
        pingTimer.receivedBytes(at: now)
        if isOpen { phase = .reading }
        frameReader.append(unwrapInboundIn(data))
        do throws(HTTP2Error) {
            while isOpen, let frame = try frameReader.next() {
                // Frames of the connection do not count: a PING does not show that a request is worked on.
                runningStreams[frame.streamID]?.received(frame, at: now)
                process(try machine.received(frame))
            }
            if let id = frameReader.incompleteStreamID { runningStreams[id]?.lastReceived = now }
        } catch {
            // The error is reported to the server and to the requests.
            machine.writeGoAway(error.code)
            endConnection(because: error, closing: closeWithAlert)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        deliverReceived()
        sendInGrownWindows()
        if isReading { phase = .betweenReads }
        flush()
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        endConnection(because: error, closing: closeNow)
    }

    func channelInactive(context: ChannelHandlerContext) {
        endConnection(because: nil, closing: {})
        context.fireChannelInactive()
    }

    /// Passes the meaning of a frame to the exchange of its stream, or to the pool.
    ///
    /// The pool may call ``run(_:)``, ``stop(_:)`` or ``close()`` meanwhile: see `report` of ``init(on:opening:closeNow:fail:report:)``.
    private func process(_ event: HTTP2ConnectionStateMachine.Event) {
        switch event {
        case .none: break
        case .interim(let id, let head):
            guard let stream = runningStreams[id] else { return }
            stream.exchange.receivedInterim(head)
            stream.upload?.receivedInterim(status: head.status)
            stream.upload?.readIfAllowed()
        case .head(let id, var head, let isEnd):
            if !hasResponded {
                hasResponded = true
                report(.beganResponding)
            }
            guard let stream = runningStreams[id] else { return }
            head.info = responseInfo
            receivedHead(head, on: stream)
            if head.isUpgraded { beginUpgrade(of: stream) }
            if isEnd { return receivedEnd(of: stream) }
            stream.upload?.receivedHead(status: head.status)
            stream.upload?.readIfAllowed()
        case .data(let id, let bytes, let isEnd):
            guard let stream = runningStreams[id] else { return }
            receivedBody(bytes, on: stream)
            if isEnd { receivedEnd(of: stream) }
        case .end(let id, let trailers):
            if let stream = runningStreams[id] { receivedEnd(of: stream, trailers: trailers) }
        case .failed(let id, let error):
            guard let stream = runningStreams[id] else { return }
            if error.isHTTP1Required, stream.isAwaitingUpgrade {
                // Other requests can use the connection.
                report(.upgradeRefused)
                return endStream(stream, because: .failed(.upgradeNotAllowed))
            }
            // Before the failure: the resent request must not use this connection.
            if error.isHTTP1Required { report(.http1Required) } else if error.isRefusal { report(.streamRefused) }
            endStream(stream, because: .failed(.reset(error)))
        case .windowGrown(let id?):
            if let stream = runningStreams[id] { grownStreams.append(stream) }
        case .windowGrown(nil):
            hasGrownWindows = true
        case .settingsChanged:
            hasGrownWindows = true
            // The pool counts these requests already.
            runRequestsAwaitingSettings()
            report(.streamLimitChanged(to: machine.streamLimit))
        case .goAway(let unprocessed, let processed, let error):
            receivedGoAway(error, unprocessed: unprocessed, processed: processed)
        }
    }

    /// Sends in the windows that have grown in a read.
    ///
    /// After the read, because a server could enlarge a window byte by byte, and each time cause a DATA frame or a visit to all
    /// streams.
    private func sendInGrownWindows() {
        if hasGrownWindows { writeOnAllStreams() } else { for stream in grownStreams { writeBody(of: stream) } }
        hasGrownWindows = false
        if !grownStreams.isEmpty { grownStreams = [] }
    }

    private func handle(_ event: PingTimer.Event) {
        switch event {
        case .pingDue:
            machine.ping()
            flush()
        case .responsivenessChanged(let isResponsive): report(.responsivenessChanged(to: isResponsive))
        case .pingTimedOut: endConnection(because: ServerUnresponsive(), closing: closeNow)
        }
    }

    // MARK: End of the connection

    /// Handles a GOAWAY: the server accepts no more requests.
    private func receivedGoAway(_ error: HTTP2Error, unprocessed: [HTTP2Frame.StreamID], processed: Int) {
        let isError = error.code != .noError
        if isError { goAwayError = error }
        if error.isHTTP1Required {
            report(.http1Required)
        } else {
            let refused = unprocessed.count
            report(.beganGoingAway(.init(processed: processed, refused: refused, isError: isError), error))
        }
        for id in unprocessed {
            if let stream = runningStreams[id] { endStream(stream, because: .failed(.unprocessed(error))) }
        }
    }

    /// Fails all running requests, and closes the connection.
    func shutDown() { endConnection(because: nil, closing: closeNow) }

    /// Closes a connection without running requests.
    func close() {
        guard isOpen else { return }
        phase = .closed
        stopTimers()
        machine.writeGoAway(.noError)
        closeWithAlert()
    }

    /// Sends the output and a TLS close alert, and closes the connection.
    ///
    /// TLS would continue to read until the server closes, too.
    private func closeWithAlert() {
        flush()
        context?.close(promise: nil)
        closeNow()
    }

    /// Ends the connection.
    ///
    /// `error` is that of the layer that detected the end; `nil` for the regular end of a connection.
    private func endConnection(because error: (any Error)?, closing close: () -> Void) {
        guard isOpen else { return }
        phase = .closed
        stopTimers()
        report(.closed)
        failRequestsAwaitingSettings(because: error)
        for stream in runningStreams.values.sorted(by: { $0.id < $1.id }) {
            let rest = stream.delivery.removeAll()
            remove(stream)
            fail(stream, delivering: rest, because: .connectionEnded(error, goAway: goAwayError))
        }
        close()
    }

    private func stopTimers() {
        pingTimer.stop()
        exchangeTimer.stop()
    }
}
#endif
