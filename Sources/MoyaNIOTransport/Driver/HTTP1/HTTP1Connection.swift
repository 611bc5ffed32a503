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

        /// An event for the owner of the connection.
        enum Event {
            /// The exchange is over, and the connection can be reused.
            ///
            /// `keepAlive` is the time for which the server keeps it open, if the server has named one.
            case freed(keepAlive: Duration? = nil)
            /// The connection cannot carry a request, of which nothing has been sent, and gives it back.
            case returned(OutboundRequest)
            /// The exchange timed out before it got a response; other idle connections may be stale, too.
            case noResponse
            /// The connection is closed or closing.
            ///
            /// `isStale` is whether the server has closed an idle connection, or a reused one before it responded.
            case closed(isStale: Bool = false)
        }

        /// The running exchange.
        struct RunningExchange {
            let request: OutboundRequest
            var parser: HTTP1ResponseParser
            var upload = UploadPhase.none
            /// The parts of the response in the current read that have not been delivered; most responses are complete
            /// in one read.
            var head: ResponseHead?
            var body: ByteBuffer?
        }

        /// Whether the channel may read.
        private enum ReadPhase {
            case open
            /// The buffer of the reader is full.
            case held
            /// The buffer of the reader is full, and the channel waits to read.
            case pending
        }

        /// The size up to which pieces of a body in one read are joined.
        private static let longestJoined = 64 * 1024

        private let closeNow: () -> Void
        private let requiresCloseNotify: Bool
        private let report: (Event) -> Void
        private let failExchange: (Exchange, any Error) -> Void
        private let loop: any EventLoop
        /// The carrier of all exchanges on the connection.
        private lazy var carrier = Exchange.Carrier(of: self, on: loop)
        private lazy var exchangeTimer = ExchangeTimer(on: loop) { [weak self] in
            (self?.running?.request).map { [($0.exchange, self?.lastReceived)] } ?? []
        } hasPendingInput: { [weak self] in
            self?.context?.hasPendingInput ?? false
        }
        private(set) var context: ChannelHandlerContext?
        private lazy var connectionInfo = context.map { ConnectionInfo($0.channel) }
        /// The lowest handler, which also receives the bytes of incomplete TLS records.
        private weak var socket: NIOChannelCloser?
        var machine = HTTP1ConnectionStateMachine()
        var running: RunningExchange?
        private var readPhase = ReadPhase.open
        /// The next request, which begins after the current read.
        private var next: OutboundRequest?
        private let delayedRequests: DelayedRequests
        /// The time since which the connection has no request.
        private var idleSince = NIODeadline.now()
        /// The start of the interval in which the parser counts interim responses.
        private var intervalStart = NIODeadline.uptimeNanoseconds(0)
        /// The error of the connection, which is reported when it closes.
        private var failure: (any Error)?

        /// Creates a connection.
        ///
        /// - Parameters:
        ///   - loop: The event loop of the channel.
        ///   - closeNow: Closes the connection below TLS: ``NIOConnector/Connected/closeNow``.
        ///   - requiresCloseNotify: ``TransportConfiguration/requiresCloseNotify``.
        ///   - fail: Fails an exchange with an error of the connection.
        ///   - report: Receives events on the event loop. Before it returns, the owner may call ``run(_:)`` with the next request.
        init(
            on loop: any EventLoop,
            closeNow: @escaping () -> Void,
            requiresCloseNotify: Bool = false,
            fail: @escaping (Exchange, any Error) -> Void,
            report: @escaping (Event) -> Void
        ) {
            self.loop = loop
            delayedRequests = DelayedRequests(on: loop)
            self.closeNow = closeNow
            self.requiresCloseNotify = requiresCloseNotify
            failExchange = fail
            self.report = report
        }

        // MARK: Requests

        /// Sends a request.
        ///
        /// The previous one must be over.
        /// A request whose exchange is already over is not sent; the connection is then reported as free later.
        func run(_ request: OutboundRequest) {
            guard let context else { return report(.returned(request)) }
            switch machine.phase {
            case .endingRead where next == nil:
                next = request
            case .closed, .running, .endingRead:
                report(.returned(request))
            case .unused, .idle:
                guard !hasPendingInput(before: request, context) else { return delayedRequests.add(request, run: run) }
                delayedRequests.resetDelay()
                begin(request, context)
            }
        }

        private func begin(_ request: OutboundRequest, _ context: ChannelHandlerContext) {
            let (exchange, message) = (request.exchange, request.message)
            guard let time = exchange.began(carrier) else { return reportFreeLater() }
            machine.begin(closesAfter: message.shouldCloseConnection)
            running = RunningExchange(request: request, parser: HTTP1ResponseParser(method: message.method))
            exchangeTimer.check(after: time)
            let head = message.head(context.channel.allocator)
            if case .reader(let reader) = message.body {
                // Started before anything is written: if the write fails, the upload exists and can be stopped.
                if let expectation = request.expectation {
                    wait(for: expectation, context)
                } else {
                    startUpload(of: reader, for: request, context)
                }
            } else {
                machine.sentEnd()
            }
            context.writeAndFlush(wrapOutboundOut(head), promise: nil)
            exchange.sentData()
        }

        /// Returns whether unread bytes, or the unread end of the connection, wait in the socket of an idle connection
        /// (``PendingInput``).
        private func hasPendingInput(before request: OutboundRequest, _ context: ChannelHandlerContext) -> Bool {
            guard
                machine.phase == .idle && !request.isRepeatable || .now() - idleSince > PendingInput.uncheckedTime
            else { return false }
            return context.hasPendingInput
        }

        /// Reports the connection as free after the current event: the owner may run the next request immediately, and with many
        /// requests whose exchange is over the calls would be nested.
        private func reportFreeLater() {
            guard let context, machine.isOpen else { return }
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            context.eventLoop.execute {
                let connection = bound.value
                if connection.machine.isOpen, connection.running == nil { connection.report(.freed()) }
            }
        }

        /// Cancels a running request, and closes the connection.
        func cancel(_ exchange: Exchange) {
            guard running?.request.exchange === exchange else { return }
            if exchange.hasTimedOut, !exchange.hasReceivedHead { report(.noResponse) }
            removeRunning()
            close(sendingAlert: false)
        }

        /// Fails the running request, and closes the connection on behalf of its owner.
        ///
        /// If there is no request, a TLS close alert is sent, without waiting for a response.
        func shutDown() {
            failure = nil
            end(sendingAlert: running == nil)
        }

        /// Closes a connection without a running request.
        func close() { shutDown() }

        /// Removes the running exchange, and stops its upload.
        func removeRunning() {
            running?.upload.stop()
            running = nil
        }

        func close(sendingAlert: Bool, isStale: Bool = false) {
            guard machine.close() else { return }
            exchangeTimer.stop()
            report(.closed(isStale: isStale))
            if let next = next.take() { report(.returned(next)) }
            // A TLS close alert is sent, after which TLS would continue to read until the server closes, too.
            if sendingAlert { context?.close(promise: nil) }
            closeNow()
        }

        // MARK: Response

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            guard bytes.readableBytes > 0 else { return }
            // Bytes after a response could be a forged response to the next request (RFC 9112, section 11.2).
            guard let request = running?.request, machine.isExpectingBytes else {
                return close(sendingAlert: false, isStale: true)
            }
            machine.receivedBytes()
            if running?.parser.isCountingInterimResponses == true { countIntervals() }
            running?.parser.feed(bytes)
            parse(for: request)
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            machine.readEnded()
            deliver()
            if running?.upload.isWaiting == true { startAllowedUpload() }
            if let next = next.take() { run(next) }
            context.fireChannelReadComplete()
        }

        /// The time of the last byte of the server, which restarts the idle time of the exchange.
        ///
        /// The byte may belong to an interim response, an incomplete head, a chunk extension or an incomplete TLS record.
        private var lastReceived: NIODeadline? { socket?.lastRead }

        private func countIntervals() {
            let now = NIODeadline.now()
            guard now - intervalStart >= TimeAmount(InterimResponseBudget.interval) else { return }
            intervalStart = now
            running?.parser.intervalPassed()
        }

        private func parse(for request: OutboundRequest) {
            do {
                while running?.request === request, let event = try running?.parser.next() {
                    received(event, for: request)
                }
            } catch {
                failure = failure ?? error
                end(sendingAlert: false)
            }
        }

        private func received(_ event: HTTP1ResponseParser.Event, for request: OutboundRequest) {
            switch event {
            case .interim(let head):
                countIntervals()
                running?.upload.update { $0.receivedInterim(status: head.status) }
                guard head.status == 101 else {
                    request.exchange.receivedInterim(head)
                    break
                }
                failure = SwitchedProtocol(isRequested: request.message.headers.contains(.upgrade))
                end(sendingAlert: false)
            case .head(var head):
                if let minorVersion = running?.parser.minorVersion, let phrase = running?.parser.reasonPhrase {
                    head.info = connectionInfo?.http1(minorVersion: minorVersion, reasonPhrase: phrase)
                }
                running?.head = head
                running?.upload.update { $0.receivedHead(status: head.status) }
                machine.receivedHead(status: head.status, ofLongRequest: request.message.body.isReader)
            case .body(let piece):
                if let count = running?.body?.readableBytes, count + piece.readableBytes <= Self.longestJoined {
                    running?.body?.writeImmutableBuffer(piece)
                } else {
                    if running?.body != nil { deliver() }
                    running?.body = piece
                }
            case .end:
                machine.receivedEnd(isKeepAlive: running?.parser.isKeepAlive ?? false)
                if (running?.parser.unparsed.readableBytes ?? 0) > 0 { machine.receivedExcess() }
                let trailers = running?.parser.trailers ?? HTTPFields()
                let head = running?.head.take()
                let body = running?.body.take().map { Data(buffer: $0) } ?? Data()
                // Before the caller continues: its next request should find the connection free, and not open another one.
                finish()
                complete(request.exchange, head: head, body: body, trailers: trailers)
            }
        }

        /// Delivers the rest of a response.
        private func complete(_ exchange: Exchange, head: ResponseHead?, body: Data, trailers: HTTPFields) {
            if let head {
                if exchange.received(whole: head, body, trailers: trailers) { return }
                exchange.receivedHead(head)
            }
            if !body.isEmpty { exchange.received(body) {} }
            exchange.finished(trailers: trailers)
        }

        /// Delivers the received parts of the response.
        private func deliver() {
            guard let request = running?.request else { return }
            if let head = running?.head.take() { request.exchange.receivedHead(head) }
            if let bytes = running?.body.take() { deliver(bytes, for: request) }
        }

        private func deliver(_ bytes: ByteBuffer, for request: OutboundRequest) {
            if readPhase == .open { readPhase = .held }
            let bound = NIOLoopBound(self, eventLoop: loop)
            request.exchange.received(Data(buffer: bytes)) {
                let resume: @Sendable () -> Void = { bound.value.resumeReading(for: request) }
                if bound.eventLoop.inEventLoop { resume() } else { bound.eventLoop.execute(resume) }
            }
        }

        private func resumeReading(for request: OutboundRequest) {
            guard running == nil || running?.request === request else { return }
            resumeReading()
        }

        private func resumeReading() {
            let isPending = readPhase == .pending
            readPhase = .open
            if isPending { context?.read() }
        }

        func read(context: ChannelHandlerContext) {
            if readPhase == .open { context.read() } else { readPhase = .pending }
        }

        /// Removes the exchange whose response is complete, and frees the connection or closes it.
        ///
        /// The rest of the request is dropped, since the server has already responded.
        private func finish() {
            guard let isReusable = machine.end() else { return }
            let isSent = running?.upload.isReading != true
            let keepAlive = running?.parser.keepAlive
            removeRunning()
            if isReusable {
                idleSince = .now()
                report(.freed(keepAlive: keepAlive))
            } else {
                close(sendingAlert: isSent)
            }
            resumeReading()
        }

        // MARK: End of the connection

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            socket = try? context.pipeline.syncOperations.handler(type: NIOChannelCloser.self)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            end(sendingAlert: false)
            self.context = nil
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Many servers end a body of unknown length without a TLS close alert, which curl, Go and Node.js accept.
            if error.isMissingCloseNotify, !requiresCloseNotify, failure == nil, let request = running?.request,
                running?.parser.isEndedByClose == true, let end = try? running?.parser.finish()
            {
                received(end, for: request)
            }
            failure = failure ?? error
            end(sendingAlert: false)
        }

        func channelInactive(context: ChannelHandlerContext) {
            // A body without a length ends with the connection. TLS has reported a missing close alert before.
            if let request = running?.request, failure == nil, let end = try? running?.parser.finish() {
                received(end, for: request)
            }
            end(sendingAlert: false)
            context.fireChannelInactive()
        }

        /// Fails the running request, if there is one, and closes the connection.
        private func end(sendingAlert: Bool) {
            deliver()
            let isStale = running == nil || machine.isReused && machine.isBeforeResponse
            if let request = running?.request {
                let error = connectionLost(
                    failure,
                    hasResponse: !machine.isBeforeResponse,
                    isReused: machine.isReused
                )
                removeRunning()
                // An exchange with a complete response ignores the error.
                failExchange(request.exchange, error)
            }
            close(sendingAlert: sendingAlert, isStale: isStale)
        }
    }
#endif
