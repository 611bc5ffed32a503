#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat

/// An HTTP/1.1 connection, which runs one exchange at a time.
///
/// The handler is directly above TLS, or the socket.
final class HTTP1Connection: HTTPConnection, ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// An event for the pool.
    enum Event {
        /// The exchange is over, and the connection can be reused.
        ///
        /// `keepAliveTime` is the time for which the server keeps it open, if the server has named one.
        case freed(keepAliveTime: Duration?)
        /// The connection has not sent a request, whose exchange was over, and is free.
        case unused
        /// The connection cannot carry a request, of which nothing has been sent, and gives it back.
        case returned(OutboundRequest)
        /// The connection is upgraded to another protocol, and carries no more requests.
        case upgraded
        /// The exchange timed out on a reused connection before it got a response; other idle connections may be stale, too.
        case noResponse
        /// The connection is closed or closing.
        ///
        /// `isStale` is whether the server has closed an idle connection, or a reused one before it responded.
        case closed(isStale: Bool = false)
    }

    /// The running exchange.
    struct RunningExchange {
        let request: OutboundRequest
        /// The upload of a streamed body, or of the output of an upgraded connection, until it has been read completely.
        var upload: BodyUpload?
        /// The bytes that are sent, if the body is streamed.
        var sentBytes: SentBytes?
        /// The sending of the last piece of a streamed body, if the exchange has to know it.
        var lastPieceSent: EventLoopFuture<Void>?
        var delivery = ResponseDelivery()
    }

    /// The reason why the connection ends: ``endConnection(because:)``.
    enum EndCause {
        /// The exchange is over before its response is complete: it was cancelled or aborted, or its request body could not be read.
        case exchangeOver
        /// The response is complete, but the connection cannot be reused; or both directions of an upgraded connection have ended.
        case notReusable
        /// The pool shuts the connection down. A running request fails.
        case shutdown
        /// The server has closed the connection, or has sent bytes that are no valid response.
        ///
        /// The error is that of the layer that detected it; `nil` for the regular end of a connection.
        case lost((any Error)?)
    }

    private let closeNow: () -> Void
    private let requiresCloseNotify: Bool
    let report: (Event) -> Void
    private let failExchange: (Exchange, any Error) -> Void
    let loop: any EventLoop
    /// The carrier of all exchanges on the connection.
    private lazy var carrier = Exchange.Carrier(of: self, on: loop)
    private lazy var exchangeTimer = ExchangeTimer(on: loop) { [weak self] in
        (self?.runningExchange?.request).map { [($0.exchange, self?.takeLastTransfer())] } ?? []
    } hasPendingInput: { [weak self] in
        self?.socket?.hasPendingInput ?? false
    }
    private(set) var context: ChannelHandlerContext?
    private(set) var socket: ConnectionSocket?
    private lazy var connectionInfo = context.map { ConnectionInfo($0.channel) }
    /// The connect attempt that has opened the connection.
    private let opening: ConnectAttemptLog
    /// The facts of the connection for the times of exchanges.
    private lazy var exchangeConnection = connectionInfo?.connection(opening, "HTTP/1.1")
    /// The lowest handler, which also receives the bytes of incomplete TLS records.
    private weak var socketHandler: SocketHandler?
    var machine = HTTP1ConnectionStateMachine()
    var runningExchange: RunningExchange?
    /// The parser of the response to the running request.
    private var parser = HTTP1Connection.noParser
    /// Whether the channel waits to read until the exchange has taken a chunk.
    private var isReadPending = false
    /// The next request, which begins after the current read.
    private var nextRequest: OutboundRequest?
    private let delayedRequests: DelayedRequests
    /// The time since which the connection has no request.
    private var idleSince = NIODeadline.now()
    /// The start of the interval in which the parser counts interim responses.
    private var intervalStart = NIODeadline.uptimeNanoseconds(0)

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - loop: The event loop of the channel.
    ///   - opening: The connect attempt that has opened the connection.
    ///   - closeNow: Closes the connection below TLS: ``Connector/Connected/closeNow``.
    ///   - requiresCloseNotify: ``TransportConfiguration/requiresCloseNotify``.
    ///   - fail: Fails an exchange with an error of the connection.
    ///   - report: Receives events on the event loop. Before it returns, the pool may call ``run(_:)`` with the next request.
    init(
        on loop: any EventLoop,
        opening: ConnectAttemptLog = .begin(),
        closeNow: @escaping () -> Void,
        requiresCloseNotify: Bool = false,
        fail: @escaping (Exchange, any Error) -> Void,
        report: @escaping (Event) -> Void
    ) {
        self.loop = loop
        self.opening = opening
        delayedRequests = DelayedRequests(on: loop)
        self.closeNow = closeNow
        self.requiresCloseNotify = requiresCloseNotify
        failExchange = fail
        self.report = report
    }

    // MARK: Requests

    /// Sends a request.
    ///
    /// During the read that ends the previous one, it waits; otherwise the request returns to the pool while another one runs.
    /// A request whose exchange is already over is not sent; the connection is then reported as unused later.
    func run(_ request: OutboundRequest) {
        guard let context else { return report(.returned(request)) }
        switch machine.admission {
        case .now: break
        case .afterRead where nextRequest == nil: return nextRequest = request
        case .afterRead, .refused: return report(.returned(request))
        }
        let isReused = machine.phase == .idle
        if PendingInput.mustWaitForRead(before: request, isReused: isReused, idleTime: .now() - idleSince, socket) {
            return delayedRequests.add(request, run: run)
        }
        delayedRequests.restoreDelay()
        let (exchange, message) = (request.exchange, request.message)
        guard case .running(let time) = exchange.setCarrier(carrier) else { return reportUnusedLater() }
        if let recorder = exchange.recorder { recordConnection(to: recorder, isReused: isReused) }
        machine.begin(closesAfter: message.shouldCloseConnection)
        runningExchange = RunningExchange(request: request)
        parser = HTTP1ResponseParser(method: message.method, upgradeName: message.upgrade?.name)
        exchangeTimer.scheduleCheck(within: time)
        if message.upgrade != nil { allowHalfClosure(context) }
        let bytes = message.http1Start(context.channel.allocator)
        if case .reader(let reader) = message.body {
            // Started before anything is written: if the write fails, the upload exists and can be stopped.
            startUpload(of: reader, for: request)
        } else {
            machine.requestEnded()
        }
        let promise = startPromise(
            of: request,
            size: bytes.readableBytes,
            isWhole: runningExchange?.upload == nil,
            context
        )
        context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
        exchange.connected()
    }

    @inline(never)
    private func recordConnection(to recorder: ExchangeRecorder, isReused: Bool) {
        guard let exchangeConnection else { return }
        recorder.record(exchangeConnection, isReused: isReused, openedBy: opening)
    }

    /// Reports the connection as unused after the current event: the pool may run the next request immediately, and with many
    /// requests whose exchange is over the calls would be nested.
    private func reportUnusedLater() {
        guard let context, machine.isOpen else { return }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let connection = bound.value
            if connection.machine.isOpen, connection.runningExchange == nil { connection.report(.unused) }
        }
    }

    /// Stops the work on the running request, whose exchange is over: closes the connection.
    func stop(_ exchange: Exchange) {
        guard runningExchange?.request.exchange === exchange else { return }
        if machine.isReused, exchange.isCarrierSuspect, !exchange.hasReceivedHead { report(.noResponse) }
        endConnection(because: .exchangeOver)
    }

    // MARK: Response

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard bytes.readableBytes > 0 else { return }
        // Bytes after a response could be a forged response to the next request (RFC 9112, section 11.2).
        guard let request = runningExchange?.request, machine.isExpectingBytes else {
            return endConnection(because: .lost(nil))
        }
        machine.receivedBytes()
        request.exchange.recorder?.receivedBytes()
        if parser.isCountingInterimResponses { countIntervals() }
        parser.feed(bytes)
        parse(for: request)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        machine.readEnded()
        if let request = runningExchange?.request, let parts = runningExchange?.delivery.readEnded() {
            deliver(parts, of: request)
        }
        // After the read, which may have brought the end of the response.
        runningExchange?.upload?.readIfAllowed()
        if let next = nextRequest.take() { run(next) }
        context.fireChannelReadComplete()
    }

    /// Returns the time of the last byte of the server or of a streamed body, which restarts the idle time of the exchange.
    ///
    /// The byte may belong to an interim response, an incomplete head, a chunk extension or an incomplete TLS record.
    private func takeLastTransfer() -> NIODeadline? {
        let lastSent = socket.flatMap { runningExchange?.sentBytes?.takeLastTransfer($0) }
        guard let lastRead = socketHandler?.lastRead else { return lastSent }
        return max(lastRead, lastSent ?? lastRead)
    }

    private func countIntervals() {
        let now = NIODeadline.now()
        guard now - intervalStart >= TimeAmount(InterimResponseBudget.interval) else { return }
        intervalStart = now
        parser.intervalPassed()
    }

    private func parse(for request: OutboundRequest) {
        do {
            while runningExchange?.request === request, let event = try parser.next() {
                process(event, for: request)
            }
        } catch {
            endConnection(because: .lost(error))
        }
    }

    private func process(_ event: HTTP1ResponseParser.Event, for request: OutboundRequest) {
        switch event {
        case .interim(let head):
            countIntervals()
            request.exchange.recorder?.count(parser.headSize, in: .responseHead)
            runningExchange?.upload?.receivedInterim(status: head.status)
            if head.status == 101 {
                return endConnection(because: .lost(SwitchedProtocol(flaw: .init(of: request.message))))
            }
            request.exchange.receivedInterim(head)
            if parser.unparsed.readableBytes > 0 { request.exchange.recorder?.receivedBytes() }
        case .head(var head):
            request.exchange.recorder?.count(parser.headSize, in: .responseHead)
            head.info = connectionInfo?.http1(
                minorVersion: parser.minorVersion,
                reasonPhrase: parser.reasonPhrase
            )
            machine.receivedHead(status: head.status, ofLongRequest: request.message.isLong)
            head.isConnectionReusable = machine.canBeReused && parser.isPersistent
            runningExchange?.delivery.receivedHead(head)
            runningExchange?.upload?.receivedHead(status: head.status)
            if head.isUpgraded { beginUpgrade(of: request) }
        case .body(let chunk):
            if let parts = runningExchange?.delivery.receivedBody(chunk) { deliver(parts, of: request) }
        case .end:
            machine.receivedEnd(isPersistent: parser.isPersistent)
            if parser.unparsed.readableBytes > 0 { machine.receivedExcess() }
            let trailers = parser.trailers
            let rest = runningExchange?.delivery.removeAll() ?? ResponseDelivery.Parts()
            guard !machine.hasOpenOutput else { return request.exchange.inputEnded(with: rest) }
            // Before the caller continues: its next request should find the connection free, and not open another one.
            freeOrClose()
            request.exchange.finished(with: rest, trailers: trailers)
        }
    }

    private func deliver(_ parts: ResponseDelivery.Parts, of request: OutboundRequest) {
        if let head = parts.head { request.exchange.receivedHead(head) }
        guard let bytes = parts.chunk else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        request.exchange.received(Data(buffer: bytes)) {
            bound.eventLoop.runOnLoop { bound.value.chunkTaken(of: request) }
        }
    }

    /// Handles a chunk that the exchange has taken: delivers the bytes that were held, and allows the channel to read.
    private func chunkTaken(of request: OutboundRequest) {
        guard runningExchange?.request === request, let parts = runningExchange?.delivery.chunkTaken() else { return }
        deliver(parts, of: request)
        resumeReading()
    }

    func read(context: ChannelHandlerContext) {
        isReadPending = runningExchange?.delivery.hasUntakenChunk ?? false
        if !isReadPending { context.read() }
    }

    /// Reads if the channel waits to read, unless the exchange has no room.
    private func resumeReading() {
        guard isReadPending, let context else { return }
        read(context: context)
    }

    /// Removes the exchange whose response is complete, and frees the connection or closes it.
    ///
    /// The rest of the request is dropped, since the server has already responded.
    func freeOrClose() {
        if machine.endExchange() {
            let keepAliveTime = parser.keepAliveTime
            removeRunningExchange()
            idleSince = .now()
            report(.freed(keepAliveTime: keepAliveTime))
        } else {
            endConnection(because: .notReusable)
        }
        resumeReading()
    }

    /// Removes the running exchange, and stops its upload.
    private func removeRunningExchange() {
        runningExchange?.upload?.stop()
        runningExchange = nil
        parser = Self.noParser
    }

    /// A parser in place of one that keeps bytes of an exchange that is over.
    private static var noParser: HTTP1ResponseParser { HTTP1ResponseParser(method: "") }

    // MARK: End of the connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        socket = ConnectionSocket(context.channel)
        socketHandler = try? context.pipeline.syncOperations.handler(type: SocketHandler.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        endConnection(because: .lost(nil))
        (self.context, socket) = (nil, nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Many servers end a body of unknown length without a TLS close alert, which curl, Go and Node.js accept.
        if error.isMissingCloseNotify, !requiresCloseNotify {
            finishBodyWithoutLength()
            // The output of an upgraded connection goes on.
            if machine.hasOpenOutput, machine.hasResponseEnded, context.channel.isActive { return }
        }
        endConnection(because: .lost(error))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The server has closed its direction, which does not close a channel after a request for an upgrade.
        if case .inputClosed? = event as? ChannelEvent {
            finishBodyWithoutLength()
            if !machine.hasOpenOutput { endConnection(because: .lost(nil)) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // TLS has reported a missing close alert before.
        finishBodyWithoutLength()
        endConnection(because: .lost(nil))
        context.fireChannelInactive()
    }

    /// Completes a response whose body has no length, and so ends with the connection; ends the input of an upgraded connection.
    private func finishBodyWithoutLength() {
        guard machine.isOpen, let request = runningExchange?.request, let end = try? parser.finish() else {
            return
        }
        process(end, for: request)
    }

    func shutDown() { endConnection(because: .shutdown) }

    /// Ends the connection; does nothing if it has ended.
    ///
    /// A TLS close alert is sent if the connection is shut down without an exchange, or not reused after one whose body has been read
    /// completely. The connection does not wait for the alert of the server.
    func endConnection(because cause: EndCause) {
        guard machine.endConnection() else { return }
        exchangeTimer.stop()
        var (isStale, shouldSendAlert) = (false, false)
        switch cause {
        case .exchangeOver: break
        case .notReusable:
            shouldSendAlert = runningExchange?.upload == nil
        case .shutdown:
            shouldSendAlert = runningExchange == nil
            failRunningExchange(because: nil)
        case .lost(let error):
            isStale = runningExchange == nil || machine.isReused && machine.isBeforeResponse
            failRunningExchange(because: error)
        }
        removeRunningExchange()
        report(.closed(isStale: isStale))
        if let next = nextRequest.take() { report(.returned(next)) }
        // TLS would continue to read until the server closes, too.
        if shouldSendAlert { context?.close(promise: nil) }
        closeNow()
    }

    /// Fails the running request, if there is one, after delivering the received part of its response.
    private func failRunningExchange(because cause: (any Error)?) {
        guard let request = runningExchange?.request, let parts = runningExchange?.delivery.removeAll() else { return }
        deliver(parts, of: request)
        removeRunningExchange()
        let error = connectionLost(cause, hasResponse: !machine.isBeforeResponse, isReused: machine.isReused)
        // An exchange with a complete response ignores the error.
        failExchange(request.exchange, error)
    }
}
#endif
