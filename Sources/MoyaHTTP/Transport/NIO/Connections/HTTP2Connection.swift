#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    /// An HTTP/2 connection, which runs each exchange on a stream: ``HTTP2ConnectionStateMachine`` and the actions that
    /// it requires.
    ///
    /// It is the last handler of its channel, above TLS, and must be used on the channel's event loop only. There
    /// are no channels for streams.
    final class HTTP2Connection: HTTPConnection, ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        /// An event for the pool.
        enum Event {
            /// The exchange of a stream is over.
            ///
            /// `number` is that of the stream among those of the connection, if its response is complete.
            case streamEnded(number: Int? = nil)
            /// The connection cannot carry a request.
            ///
            /// Nothing of it has been sent.
            case unsent(OutboundRequest)
            /// The maximum number of concurrent streams has changed.
            case streamLimit(Int)
            /// No more requests may be sent.
            ///
            /// Running requests continue.
            ///
            /// The error is that of the server, if it has ended the connection.
            case goingAway(ConnectionPoolStateMachine.Departure, HTTP2Error?)
            /// The server requires HTTP/1.1 (RFC 9113, section 7).
            case requiresHTTP1
            /// Whether the server responds.
            ///
            /// While that is in doubt, no requests should be sent.
            case responsive(Bool)
            /// The connection is closed or closing.
            case closed
        }

        /// The time without received data, while requests are running, after which a PING is sent.
        private static let pingAfter = TimeAmount.seconds(30)
        /// The maximum time until the response to a PING.
        private static let pingTimeout = TimeAmount.seconds(20)
        /// The interval in which ``HTTP2Limits/framesWithoutEffect`` are counted.
        private static let effectInterval = TimeAmount.seconds(10)
        /// The number of bytes queued for the socket at which DATA frames are delayed, whatever the windows allow.
        ///
        /// Queued data delays the heads of other requests, and is wasted if the server refuses the request.
        private static let unsentLimit = 128 * 1024

        private final class Stream {
            let id: HTTP2Frame.StreamID
            let request: OutboundRequest
            /// Whether another exchange had completed on the connection before.
            let isReused: Bool
            var upload: NIOUpload?
            /// The state of a request that expects 100 before its body is sent, and its timer.
            var waiting: (state: ContinueStateMachine, timer: Scheduled<Void>)?
            /// The unsent pieces of the body that have been read.
            var pieces = CircularBuffer<(bytes: ByteBuffer, sent: @Sendable () -> Void)>()
            var isBodyRead = false
            /// The time of the last bytes of a frame of this stream, for which its exchange is not idle.
            var lastReceived: NIODeadline?
            /// The part of the response that has not been delivered; most responses are complete in one read.
            var early: (head: ResponseHead, body: ByteBuffer?)?
            /// Whether the reader's buffer is full.
            ///
            /// Further data is buffered here, up to the stream's window.
            var isHeld = false
            var held = ByteBuffer()

            var exchange: Exchange { request.exchange }

            init(_ id: HTTP2Frame.StreamID, _ request: OutboundRequest, isReused: Bool) {
                self.id = id
                self.request = request
                self.isReused = isReused
            }
        }

        private let report: (Event) -> Void
        private let fail: (Exchange, any Error) -> Void
        private let closeNow: () -> Void
        private let loop: any EventLoop
        /// The engine of all exchanges on the connection.
        private lazy var engine = Exchange.Engine(of: self, on: loop)
        private lazy var exchangeTimer = ExchangeTimer(on: loop) { [weak self] in
            self?.streams.values.map { ($0.exchange, $0.lastReceived) } ?? []
        }
        private var context: ChannelHandlerContext?
        /// The facts of all responses on the connection.
        private lazy var info = context.map { ConnectionInfo($0.channel).http2() }
        private var reader = HTTP2FrameReader()
        private var state = HTTP2ConnectionStateMachine()
        private var streams: [HTTP2Frame.StreamID: Stream] = [:]
        /// The streams whose response started in the current read.
        private var early: [Stream] = []
        /// The functions to call when the output has been sent.
        private var sent: [@Sendable () -> Void] = []
        /// The number of bytes written to the channel that have not been sent.
        private var unsent = 0
        /// Whether DATA frames wait until output has been sent.
        private var isSendingHeld = false
        /// The stream that sends the next DATA frame if not all can.
        private var nextToSend: HTTP2Frame.StreamID = 0
        /// The error with which the server has ended the connection.
        private var departure: HTTP2Error?
        private var isOpen = true
        private var isReading = false
        private var isFlushScheduled = false
        private var hasCompletedStream = false
        private var lastReceived = NIODeadline.now()
        /// The start of the interval in which frames without effect are counted.
        private var intervalStart = NIODeadline.now()
        private var pinged: NIODeadline?
        private var isUnresponsive = false
        private var timer: Scheduled<Void>?

        /// Creates a connection.
        ///
        /// - Parameters:
        ///   - loop: The event loop of the channel.
        ///   - closeNow: Closes the connection below TLS: ``NIOConnector/Connected/closeNow``.
        ///   - fail: Fails an exchange with an error of the engine.
        ///   - report: Receives events on the event loop.
        init(
            on loop: any EventLoop,
            closeNow: @escaping () -> Void,
            fail: @escaping (Exchange, any Error) -> Void,
            report: @escaping (Event) -> Void
        ) {
            self.loop = loop
            self.fail = fail
            self.closeNow = closeNow
            self.report = report
        }

        // MARK: Requests

        /// Sends a request on a new stream.
        ///
        /// The pool ensures that the server allows one.
        func run(_ request: OutboundRequest) {
            let exchange = request.exchange
            guard let context, isOpen, state.acceptsStream else {
                if state.isExhausted { report(.goingAway(.init(), nil)) }
                return report(.unsent(request))
            }
            guard mayRun(request, context) else { return later(request) }
            // A request that has just been cancelled or timed out must not be sent.
            guard let time = exchange.began(engine) else { return report(.streamEnded()) }
            let id: HTTP2Frame.StreamID
            do throws(HTTP2RequestError) {
                id = try state.open(
                    HTTP2RequestHead(request),
                    isHeadRequest: request.method == "HEAD",
                    endStream: request.body.isNone
                )
            } catch {
                fail(exchange, error == .noStream ? RequestNotProcessedError() : error)
                return report(.streamEnded())
            }
            let stream = Stream(id, request, isReused: hasCompletedStream)
            streams[id] = stream
            exchangeTimer.check(after: time)
            switch request.body {
            case .none: break
            case .bytes(let bytes):
                stream.pieces.append((bytes, {}))
                stream.isBodyRead = true
                send(stream)
            case .reader(let reader):
                if let expectation = request.expectation {
                    wait(expectation, on: stream, context)
                } else {
                    upload(reader, on: stream, context)
                }
            }
            scheduleLivenessCheck()
            flushLater()
            exchange.didSendData()
        }

        /// Returns false if the server may have closed an idle connection (``PendingInput``).
        private func mayRun(_ request: OutboundRequest, _ context: ChannelHandlerContext) -> Bool {
            guard streams.isEmpty,
                hasCompletedStream && !request.isRepeatable || .now() - lastReceived > PendingInput.uncheckedTime
            else { return true }
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

        /// Cancels a running request.
        func abort(_ exchange: Exchange) {
            guard let stream = streams.values.first(where: { $0.exchange === exchange }) else { return }
            remove(stream)
            state.cancel(stream.id)
            // A server that has not responded to the request may be unreachable.
            if exchange.hasTimedOut, !exchange.hasReceivedHead { markUnresponsive() }
            report(.streamEnded())
            flush()
        }

        /// Fails all running requests, and closes the connection.
        func shutDown() {
            end(nil, closing: closeNow)
        }

        /// Closes a connection without running requests.
        func close() {
            guard isOpen else { return }
            isOpen = false
            stopTimer()
            state.close(.noError)
            closeGracefully()
        }

        /// Sends a TLS close alert and closes the connection.
        ///
        /// TLS would continue to read until the server closes, too.
        private func closeGracefully() {
            isReading = false
            flush()
            context?.close(promise: nil)
            closeNow()
        }

        private func remove(_ stream: Stream) {
            streams[stream.id] = nil
            stream.early = nil
            stream.upload?.stop()
            stream.upload = nil
            stream.waiting?.timer.cancel()
            stream.waiting = nil
            stream.pieces.removeAll()
        }

        // MARK: Request body

        private func upload(_ reader: HTTPBody.Reader, on stream: Stream, _ context: ChannelHandlerContext) {
            let bound = NIOLoopBound((connection: self, stream: stream), eventLoop: context.eventLoop)
            stream.upload = NIOUpload(reader, on: context.eventLoop) { event in
                let (connection, stream) = bound.value
                guard connection.streams[stream.id] === stream else { return }
                switch event {
                case .piece(let bytes, let sent):
                    stream.pieces.append((bytes, sent))
                    connection.send(stream)
                case .end:
                    stream.upload = nil
                    stream.isBodyRead = true
                    connection.send(stream)
                case .failed(let error):
                    connection.remove(stream)
                    connection.state.cancel(stream.id)
                    stream.exchange.bodyFailed(error)
                    connection.report(.streamEnded())
                }
                connection.flush()
            }
        }

        /// Waits until the server agrees to the body, refuses the request, or does neither for too long.
        private func wait(
            _ expectation: ExpectContinue.Expectation,
            on stream: Stream,
            _ context: ChannelHandlerContext
        ) {
            let timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(expectation.timeout)) {
                stream.waiting?.state.timedOut()
                self.startIfAllowed(stream)
            }
            stream.waiting = (ContinueStateMachine(), timer)
        }

        /// Starts the body that has waited for the server.
        private func startIfAllowed(_ stream: Stream) {
            guard stream.waiting?.state.isAllowed == true, let context,
                case .reader(let reader) = stream.request.body
            else { return }
            stream.waiting?.timer.cancel()
            stream.waiting = nil
            stream.request.expectation?.beginsBody()
            upload(reader, on: stream, context)
        }

        /// Writes all data that may be sent on a stream.
        private func send(_ stream: Stream) {
            while sendFrame(stream) {}
        }

        /// Writes one DATA frame.
        ///
        /// Returns false if there was no data or no room for it.
        private func sendFrame(_ stream: Stream) -> Bool {
            guard streams[stream.id] === stream, !state.isRequestSent(stream.id) else { return false }
            guard unsent + state.output.readableBytes < Self.unsentLimit else {
                isSendingHeld = true
                return false
            }
            guard var piece = stream.pieces.first else {
                var nothing = ByteBuffer()
                return stream.isBodyRead && state.write(&nothing, isLast: true, to: stream.id)
            }
            // Avoids a second reference to the bytes, which would cause a copy.
            stream.pieces[stream.pieces.startIndex].bytes = ByteBuffer()
            let isLast = stream.isBodyRead && stream.pieces.count == 1
            let isWritten = state.write(&piece.bytes, isLast: isLast, to: stream.id)
            if piece.bytes.readableBytes == 0, isWritten || !isLast {
                stream.pieces.removeFirst()
                sent.append { [exchange = stream.exchange, sent = piece.sent] in
                    exchange.didSendData()
                    sent()
                }
                return true
            }
            stream.pieces[stream.pieces.startIndex].bytes = piece.bytes
            return isWritten
        }

        /// Writes all data that may be sent on all streams, one frame of each in turn.
        private func sendOnAllStreams() {
            var waiting = streams.values.filter { !$0.pieces.isEmpty || $0.isBodyRead }.sorted { $0.id < $1.id }
            if let first = waiting.firstIndex(where: { $0.id >= nextToSend }) {
                waiting = Array(waiting[first...] + waiting[..<first])
            }
            while !waiting.isEmpty {
                waiting = waiting.filter { stream in
                    guard sendFrame(stream) else { return false }
                    nextToSend = stream.id + 1
                    return true
                }
            }
        }

        /// Sends the output after the requests that are already on their way to the event loop, in one record of TLS and one
        /// write.
        private func flushLater() {
            guard !isFlushScheduled else { return }
            isFlushScheduled = true
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.execute {
                bound.value.isFlushScheduled = false
                bound.value.flush()
            }
        }

        private func flush() {
            guard let context, !isReading, state.output.readableBytes > 0 else { return }
            let bytes = state.output
            state.output = ByteBuffer()
            let sent = sent
            self.sent = []
            let count = bytes.readableBytes
            unsent += count
            let promise = context.eventLoop.makePromise(of: Void.self)
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            promise.futureResult.whenComplete { _ in
                bound.value.flushed(count)
                for done in sent { done() }
            }
            context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
        }

        private func flushed(_ count: Int) {
            state.flushed()
            unsent -= count
            guard isSendingHeld, let context else { return }
            isSendingHeld = false
            // Delayed, so that frames about the requests can be read in between.
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            context.eventLoop.execute {
                let connection = bound.value
                guard connection.isOpen else { return }
                connection.sendOnAllStreams()
                connection.flush()
            }
        }

        // MARK: Channel events

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            if context.channel.isActive { flush() }
        }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelActive(context: ChannelHandlerContext) {
            flush()
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            lastReceived = .now()
            if lastReceived - intervalStart >= Self.effectInterval {
                intervalStart = lastReceived
                state.intervalPassed()
            }
            pinged = nil
            if isUnresponsive {
                isUnresponsive = false
                report(.responsive(true))
            }
            isReading = true
            reader.append(unwrapInboundIn(data))
            do throws(HTTP2Error) {
                while isOpen, let frame = try reader.next() {
                    // Frames of the connection do not count: a PING does not show that a request is worked on.
                    streams[frame.streamID]?.lastReceived = lastReceived
                    process(try state.received(frame))
                }
                if let id = reader.incompleteStreamID { streams[id]?.lastReceived = lastReceived }
            } catch {
                // The error is reported to the server and to the requests.
                state.close(error.code)
                end(error, closing: closeGracefully)
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            let early = early
            self.early = []
            for stream in early { deliverEarly(stream) }
            isReading = false
            flush()
            context.fireChannelReadComplete()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            end(error, closing: closeNow)
        }

        func channelInactive(context: ChannelHandlerContext) {
            end(nil) {}
            context.fireChannelInactive()
        }

        private func process(_ event: HTTP2ConnectionStateMachine.Event) {
            switch event {
            case .none: break
            case .interim(let id, let head):
                guard let stream = streams[id] else { return }
                stream.exchange.receivedInterim(head)
                guard stream.waiting != nil else { return }
                stream.waiting?.state.receivedInterim(status: head.status)
                startIfAllowed(stream)
            case .head(let id, var head, let isEnd):
                guard let stream = streams[id] else { return }
                head.info = info
                stream.early = (head, nil)
                early.append(stream)
                if isEnd { return finish(stream) }
                guard stream.waiting != nil else { return }
                stream.waiting?.state.receivedHead(status: head.status)
                startIfAllowed(stream)
            case .data(let id, let bytes, let isEnd):
                guard let stream = streams[id] else { return }
                receive(bytes, on: stream)
                if isEnd { finish(stream) }
            case .end(let id, let trailers):
                if let stream = streams[id] { finish(stream, trailers: trailers) }
            case .failed(let id, let error):
                guard let stream = streams[id] else { return }
                fail(stream) { hasResponse -> any Error in
                    // A request with a response has been processed, whatever the server reports.
                    error.isRefusal && !hasResponse ? RequestNotProcessedError(cause: error) : error
                }
                if error.requiresHTTP1 { report(.requiresHTTP1) }
                report(.streamEnded())
            case .mayWrite(let id?):
                if let stream = streams[id] { send(stream) }
            case .mayWrite(nil):
                sendOnAllStreams()
            case .settingsChanged:
                report(.streamLimit(state.streamLimit))
                sendOnAllStreams()
            case .goingAway(let unprocessed, let processed, let error):
                if error.code != .noError { departure = error }
                if error.requiresHTTP1 {
                    report(.requiresHTTP1)
                } else {
                    let isError = error.code != .noError
                    report(
                        .goingAway(.init(processed: processed, refused: unprocessed.count, isError: isError), error)
                    )
                }
                for id in unprocessed {
                    guard let stream = streams[id] else { continue }
                    fail(stream) {
                        $0 ? ResponseTruncated() as any Error : RequestNotProcessedError(cause: error, .byTransport)
                    }
                    report(.streamEnded())
                }
            }
        }

        // MARK: Response

        private func receive(_ bytes: ByteBuffer, on stream: Stream) {
            if stream.early != nil, stream.early?.body == nil {
                stream.early?.body = bytes
                return
            }
            deliverEarly(stream)
            if stream.isHeld {
                var bytes = bytes
                stream.held.writeBuffer(&bytes)
            } else {
                deliver(bytes, on: stream)
            }
        }

        private func deliverEarly(_ stream: Stream) {
            guard let (head, body) = stream.early else { return }
            stream.early = nil
            stream.exchange.receivedHead(head)
            if let body { deliver(body, on: stream) }
        }

        /// Delivers a part of a body, and allows the server to send more when the reader has taken it.
        private func deliver(_ bytes: ByteBuffer, on stream: Stream) {
            guard let context, bytes.readableBytes > 0 else { return }
            stream.isHeld = true
            let bound = NIOLoopBound((connection: self, stream: stream), eventLoop: context.eventLoop)
            let count = bytes.readableBytes
            stream.exchange.received(Data(buffer: bytes)) {
                let resume: @Sendable () -> Void = {
                    let (connection, stream) = bound.value
                    connection.resume(stream, consumed: count)
                }
                if bound.eventLoop.inEventLoop { resume() } else { bound.eventLoop.execute(resume) }
            }
        }

        private func resume(_ stream: Stream, consumed count: Int) {
            stream.isHeld = false
            state.consumed(count, on: stream.id)
            if streams[stream.id] === stream { deliverHeld(stream) }
            flush()
        }

        /// Fails a stream after delivering the received data.
        ///
        /// - Parameters:
        ///   - stream: An open stream.
        ///   - error: Returns the error, depending on whether the response has started.
        private func fail(_ stream: Stream, with error: (_ hasResponse: Bool) -> any Error) {
            deliverEarly(stream)
            deliverHeld(stream)
            remove(stream)
            let exchange = stream.exchange
            fail(exchange, error(exchange.hasReceivedHead))
        }

        private func deliverHeld(_ stream: Stream) {
            guard stream.held.readableBytes > 0 else { return }
            let held = stream.held
            stream.held = ByteBuffer()
            deliver(held, on: stream)
        }

        private func finish(_ stream: Stream, trailers: HTTPFields = HTTPFields()) {
            let exchange = stream.exchange
            hasCompletedStream = true
            if let (head, body) = stream.early,
                exchange.received(whole: head, body.map { Data(buffer: $0) } ?? Data(), trailers: trailers)
            {
                remove(stream)
            } else {
                deliverEarly(stream)
                // All data is delivered even if the reader's buffer is full, since the stream has ended.
                deliverHeld(stream)
                remove(stream)
                exchange.finished(trailers: trailers)
            }
            report(.streamEnded(number: Int(stream.id / 2) + 1))
        }

        // MARK: End of the connection

        /// Ends the connection.
        ///
        /// `error` is that of the layer that detected the end; `nil` for the regular end of a connection.
        private func end(_ error: (any Error)?, closing close: () -> Void) {
            guard isOpen else { return }
            isOpen = false
            stopTimer()
            report(.closed)
            let ended = streams.values.sorted { $0.id < $1.id }
            early = []
            for stream in ended {
                fail(stream) { hasResponse in
                    guard let departure, error?.isEndOfConnection ?? true else {
                        return connectionLost(error, hasResponse: hasResponse, isReused: stream.isReused)
                    }
                    if hasResponse { return ResponseTruncated(cause: departure) }
                    if departure.requiresHTTP1 { return RequestNotProcessedError(cause: departure, .byTransport) }
                    return ConnectionClosed(isReused: stream.isReused, cause: departure)
                }
            }
            close()
        }

        // MARK: Keep-alive

        /// Schedules a PING to detect an unreachable server, for example after a router has dropped the connection.
        private func scheduleLivenessCheck() {
            guard pinged == nil else { return }
            if .now() - lastReceived >= Self.pingAfter {
                ping()
            } else if timer == nil {
                schedule(at: lastReceived + Self.pingAfter)
            }
        }

        private func markUnresponsive() {
            isUnresponsive = true
            report(.responsive(false))
            if pinged == nil { ping() }
        }

        private func ping() {
            pinged = .now()
            state.ping()
            stopTimer()
            schedule(at: .now() + Self.pingTimeout)
            flush()
        }

        private func schedule(at time: NIODeadline) {
            timer = context?.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
                self.timer = nil
                self.checkLiveness()
            }
        }

        private func checkLiveness() {
            guard isOpen else { return }
            if let pinged, .now() - pinged >= Self.pingTimeout {
                end(ServerUnresponsive(), closing: closeNow)
            } else if let pinged {
                schedule(at: pinged + Self.pingTimeout)
            } else if !streams.isEmpty {
                scheduleLivenessCheck()
            }
        }

        private func stopTimer() {
            timer?.cancel()
            timer = nil
            if !isOpen { exchangeTimer.stop() }
        }
    }

    extension HTTP2Error {
        /// Whether the server has not processed the request (RFC 9113, section 8.7).
        fileprivate var isRefusal: Bool {
            endedBy == .server && scope == .stream && (code == .refusedStream || code == .http11Required)
        }

        /// Whether the server requires HTTP/1.1 for the request (section 7), which it has not processed.
        fileprivate var requiresHTTP1: Bool { endedBy == .server && code == .http11Required }
    }

    /// The server did not respond to a PING in time.
    struct ServerUnresponsive: TransportFailure, CustomStringConvertible {
        var urlErrorCode: URLError.Code { .networkConnectionLost }
        var reason: String? { nil }
        var description: String { "The server no longer responds on the connection." }
    }
#endif
