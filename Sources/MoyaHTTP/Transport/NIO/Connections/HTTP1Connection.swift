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
            /// `keepAlive` is the time for which the server keeps it open, if it has said so.
            case free(keepAlive: Duration? = nil)
            /// The connection cannot carry a request.
            ///
            /// Nothing of it has been sent.
            case unsent(OutboundRequest)
            /// The exchange timed out before it got a response; other idle connections may be stale, too.
            case noResponse
            /// The connection is closed or closing.
            ///
            /// `isStale` is whether the server has closed an idle connection, or a reused one before it responded.
            case closed(isStale: Bool = false)
        }

        /// The size up to which pieces of a body in one read are joined.
        private static let longestJoined = 64 * 1024

        private let closeNow: () -> Void
        private let requiresCloseNotify: Bool
        private let report: (Event) -> Void
        private let fail: (Exchange, any Error) -> Void
        private let loop: any EventLoop
        /// The engine of all exchanges on the connection.
        private lazy var engine = Exchange.Engine(of: self, on: loop)
        private lazy var timer = ExchangeTimer(on: loop) { [weak self] in
            self?.request.map { [($0.exchange, self?.lastReceived)] } ?? []
        }
        private var context: ChannelHandlerContext?
        private lazy var info = context.map { ConnectionInfo($0.channel) }
        private var state = HTTP1ConnectionStateMachine()
        private var request: OutboundRequest?
        private var parser: HTTP1ResponseParser?
        /// The start of the interval in which the parser counts interim responses.
        private var intervalStart = NIODeadline.uptimeNanoseconds(0)
        /// The lowest handler, which also receives the bytes of incomplete TLS records.
        private weak var socket: NIOChannelCloser?
        private var upload: NIOUpload?
        /// The state of a request that expects 100 before its body is sent, and its timer.
        private var waiting: (state: ContinueStateMachine, timer: Scheduled<Void>)?
        /// The error of the connection, which is reported when it closes.
        private var failure: (any Error)?
        /// The parts of the response in the current read that have not been delivered; most responses are complete
        /// in one read.
        private var head: ResponseHead?
        private var body: ByteBuffer?
        /// Whether bytes of the current read may follow, which belong to no later request.
        private var isReading = false
        /// The time since which the connection has no request.
        private var idleSince = NIODeadline.now()
        /// The next request, which begins after the current read.
        private var next: OutboundRequest?
        /// Whether the reader's buffer is full.
        private var isHeld = false
        private var hasHeldRead = false

        /// Creates a connection.
        ///
        /// - Parameters:
        ///   - loop: The event loop of the channel.
        ///   - closeNow: Closes the connection below TLS: ``NIOConnector/Connected/closeNow``.
        ///   - requiresCloseNotify: ``TransportConfiguration/requiresCloseNotify``.
        ///   - fail: Fails an exchange with an error of the engine.
        ///   - report: Receives events on the event loop.
        init(
            on loop: any EventLoop,
            closeNow: @escaping () -> Void,
            requiresCloseNotify: Bool = false,
            fail: @escaping (Exchange, any Error) -> Void,
            report: @escaping (Event) -> Void
        ) {
            self.loop = loop
            self.closeNow = closeNow
            self.requiresCloseNotify = requiresCloseNotify
            self.fail = fail
            self.report = report
        }

        // MARK: Requests

        /// Sends a request.
        ///
        /// The previous one must be over.
        /// A request whose exchange is already over is not sent; the connection is then reported as free later.
        func run(_ request: OutboundRequest) {
            let exchange = request.exchange
            guard let context, state.isOpen, !state.isRunning, next == nil else {
                return report(.unsent(request))
            }
            guard !isReading else {
                next = request
                return
            }
            guard mayRun(request, context) else { return later(request) }
            guard let time = exchange.began(engine) else { return giveBack() }
            state.begin(closesAfter: request.closesConnection)
            self.request = request
            timer.check(after: time)
            parser = HTTP1ResponseParser(method: request.method)
            let head = request.head(context.channel.allocator)
            if case .reader(let reader) = request.body {
                // Started before anything is written: if the write fails, the upload exists and can be stopped.
                if let expectation = request.expectation {
                    wait(expectation, context)
                } else {
                    start(reader, request, context)
                }
            } else {
                state.sentEnd()
            }
            context.writeAndFlush(wrapOutboundOut(head), promise: nil)
            exchange.didSendData()
        }

        /// Returns false if the server may have closed an idle connection (``PendingInput``).
        private func mayRun(_ request: OutboundRequest, _ context: ChannelHandlerContext) -> Bool {
            guard state.isUsed && !request.isRepeatable || .now() - idleSince > PendingInput.uncheckedTime else {
                return true
            }
            return !context.hasPendingInput
        }

        /// Sends a request after the event loop has read what is waiting, or returns it if that is the end.
        private func later(_ request: OutboundRequest) {
            let bound = NIOLoopBound((connection: self, request: request), eventLoop: loop)
            loop.scheduleTask(in: PendingInput.readTime) {
                let (connection, request) = bound.value
                connection.run(request)
            }
        }

        /// Reports the connection as free, later rather than immediately: with many such requests, calls to the
        /// owner would be nested.
        private func giveBack() {
            guard let context, state.isOpen else { return }
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            context.eventLoop.execute {
                let connection = bound.value
                if connection.state.isOpen, connection.request == nil { connection.report(.free()) }
            }
        }

        /// Cancels a running request, and closes the connection.
        func abort(_ exchange: Exchange) {
            guard request?.exchange === exchange else { return }
            if exchange.hasTimedOut, !exchange.hasReceivedHead { report(.noResponse) }
            leave()
            close(gracefully: false)
        }

        /// Fails the running request, and closes the connection on behalf of its owner.
        ///
        /// If there is no request, a TLS close alert is sent, without waiting for a response.
        func shutDown() {
            let isIdle = request == nil
            failure = nil
            failed(gracefully: isIdle)
        }

        /// Closes a connection without a running request.
        func close() { shutDown() }

        private func leave() {
            (request, parser, head, body) = (nil, nil, nil, nil)
            upload?.stop()
            upload = nil
            waiting?.timer.cancel()
            waiting = nil
        }

        private func close(gracefully: Bool, isStale: Bool = false) {
            guard state.close() else { return }
            timer.stop()
            report(.closed(isStale: isStale))
            if let next = next.take() { report(.unsent(next)) }
            // A TLS close alert is sent, after which TLS would continue to read until the server closes, too.
            if gracefully { context?.close(promise: nil) }
            closeNow()
        }

        // MARK: Request body

        private func start(_ reader: HTTPBody.Reader, _ request: OutboundRequest, _ context: ChannelHandlerContext) {
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            upload = NIOUpload(reader, on: context.eventLoop) { event in
                let connection = bound.value
                if connection.request === request, let context = connection.context {
                    connection.uploaded(event, request, context)
                }
            }
        }

        /// Waits until the server agrees to the body, refuses the request, or does neither for too long.
        private func wait(_ expectation: ExpectContinue.Expectation, _ context: ChannelHandlerContext) {
            let timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(expectation.timeout)) {
                self.waiting?.state.timedOut()
                self.startIfAllowed()
            }
            waiting = (ContinueStateMachine(), timer)
        }

        /// Starts the body that has waited for the server.
        private func startIfAllowed() {
            guard waiting?.state.isAllowed == true, let request, let context,
                case .reader(let reader) = request.body
            else { return }
            waiting?.timer.cancel()
            waiting = nil
            request.expectation?.beginsBody()
            start(reader, request, context)
        }

        private func uploaded(_ event: NIOUpload.Event, _ request: OutboundRequest, _ context: ChannelHandlerContext) {
            switch event {
            case .piece(let piece, let sent):
                let buffers = request.buffers(for: piece)
                guard let last = buffers.last else { return sent() }
                for buffer in buffers.dropLast() { context.write(wrapOutboundOut(buffer), promise: nil) }
                let promise = context.eventLoop.makePromise(of: Void.self)
                promise.futureResult.whenComplete { [exchange = request.exchange] result in
                    if case .success = result { exchange.didSendData() }
                    sent()
                }
                context.writeAndFlush(wrapOutboundOut(last), promise: promise)
            case .end:
                upload = nil
                state.sentEnd()
                if let end = request.bodyEnd { context.writeAndFlush(wrapOutboundOut(end), promise: nil) }
            case .failed(let error):
                leave()
                request.exchange.bodyFailed(error)
                close(gracefully: false)
            }
        }

        // MARK: Channel events

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            socket = try? context.pipeline.syncOperations.handler(type: NIOChannelCloser.self)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            failed(gracefully: false)
            self.context = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            isReading = true
            let bytes = unwrapInboundIn(data)
            guard bytes.readableBytes > 0 else { return }
            // Bytes after a response could be a forged response to the next request (RFC 9112, section 11.2).
            guard let request, state.expectsBytes else { return close(gracefully: false, isStale: true) }
            state.receivedBytes()
            if parser?.countsInterimResponses == true { countIntervals() }
            parser?.feed(bytes)
            parse(request)
        }

        /// The time of the last byte of the server, for which an exchange is not idle: that of an interim response, an
        /// incomplete head, a chunk extension or an incomplete TLS record as well.
        private var lastReceived: NIODeadline? { socket?.lastRead }

        private func countIntervals() {
            let now = NIODeadline.now()
            guard now - intervalStart >= TimeAmount(InterimResponseBudget.interval) else { return }
            intervalStart = now
            parser?.intervalPassed()
        }

        private func parse(_ request: OutboundRequest) {
            do {
                while self.request === request, let event = try parser?.next() { received(event, request) }
            } catch {
                failure = failure ?? error
                failed(gracefully: false)
            }
        }

        private func received(_ event: HTTP1ResponseParser.Event, _ request: OutboundRequest) {
            switch event {
            case .interim(let head):
                countIntervals()
                waiting?.state.receivedInterim(status: head.status)
                guard head.status == 101 else {
                    request.exchange.receivedInterim(head)
                    break
                }
                failure = SwitchedProtocol()
                failed(gracefully: false)
            case .head(var head):
                if let parser {
                    head.info = info?.http1(minorVersion: parser.minorVersion, reasonPhrase: parser.reasonPhrase)
                }
                self.head = head
                waiting?.state.receivedHead(status: head.status)
                state.receivedHead(status: head.status, ofLongRequest: request.body.isReader)
            case .body(let piece):
                if let count = body?.readableBytes, count + piece.readableBytes <= Self.longestJoined {
                    body?.writeImmutableBuffer(piece)
                } else {
                    if body != nil { deliver() }
                    body = piece
                }
            case .end:
                state.receivedEnd(isKeepAlive: parser?.isKeepAlive ?? false)
                if (parser?.unparsed.readableBytes ?? 0) > 0 { state.receivedExcess() }
                let trailers = parser?.trailers ?? HTTPFields()
                let (head, body) = (head.take(), body.take().map { Data(buffer: $0) } ?? Data())
                // Before the caller continues, whose next request should find the connection free.
                finish()
                complete(request.exchange, head, body, trailers)
            }
        }

        /// Delivers the rest of a response.
        private func complete(_ exchange: Exchange, _ head: ResponseHead?, _ body: Data, _ trailers: HTTPFields) {
            if let head {
                if exchange.received(whole: head, body, trailers: trailers) { return }
                exchange.receivedHead(head)
            }
            if !body.isEmpty { exchange.received(body) {} }
            exchange.finished(trailers: trailers)
        }

        private func deliver() {
            guard let request else { return }
            if let head {
                self.head = nil
                request.exchange.receivedHead(head)
            }
            if let bytes = body {
                body = nil
                receive(bytes, request)
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            isReading = false
            deliver()
            if waiting != nil { startIfAllowed() }
            if let next = next.take() { run(next) }
            context.fireChannelReadComplete()
        }

        private func receive(_ bytes: ByteBuffer, _ request: OutboundRequest) {
            isHeld = true
            let bound = NIOLoopBound(self, eventLoop: loop)
            request.exchange.received(Data(buffer: bytes)) {
                let resume: @Sendable () -> Void = { bound.value.resume(request) }
                if bound.eventLoop.inEventLoop { resume() } else { bound.eventLoop.execute(resume) }
            }
        }

        private func resume(_ request: OutboundRequest) {
            guard self.request === request || self.request == nil else { return }
            isHeld = false
            readHeld()
        }

        private func readHeld() {
            guard hasHeldRead, !isHeld else { return }
            hasHeldRead = false
            context?.read()
        }

        func read(context: ChannelHandlerContext) {
            if isHeld { hasHeldRead = true } else { context.read() }
        }

        /// Leaves an exchange whose response is complete, and frees the connection or closes it.
        ///
        /// The rest of the request is dropped, since the server has already responded.
        private func finish() {
            guard let isReusable = state.end() else { return }
            let isSent = upload == nil
            let keepAlive = parser?.keepAlive
            leave()
            isHeld = false
            if isReusable {
                idleSince = .now()
                report(.free(keepAlive: keepAlive))
            } else {
                close(gracefully: isSent)
            }
            readHeld()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Many servers end a body of unknown length without a TLS close alert, which curl, Go and Node.js accept.
            if error.isMissingCloseNotify, !requiresCloseNotify, failure == nil, let request,
                parser?.endsWithConnection == true, let end = try? parser?.finish()
            {
                received(end, request)
            }
            failure = failure ?? error
            failed(gracefully: false)
        }

        func channelInactive(context: ChannelHandlerContext) {
            // A body without a length ends with the connection. TLS has reported a missing close alert before.
            if let request, failure == nil, let end = try? parser?.finish() { received(end, request) }
            failed(gracefully: false)
            context.fireChannelInactive()
        }

        private func failed(gracefully: Bool) {
            deliver()
            let isStale = request == nil || state.isReused && state.isBeforeResponse
            if let request {
                let error = connectionLost(
                    failure,
                    hasResponse: !state.isBeforeResponse,
                    isReused: state.isReused
                )
                leave()
                // An exchange with a complete response ignores the error.
                fail(request.exchange, error)
            }
            close(gracefully: gracefully, isStale: isStale)
        }
    }
#endif
