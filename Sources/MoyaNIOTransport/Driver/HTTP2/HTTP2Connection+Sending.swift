#if NIO && !canImport(Darwin)
    import NIOCore

    // The bodies of requests, and the output to the channel.
    extension HTTP2Connection {
        /// The number of bytes queued for the socket at which DATA frames are delayed, whatever the windows allow.
        ///
        /// Queued data delays the heads of other requests, and is wasted if the server refuses the request.
        private static let unsentLimit = 128 * 1024

        /// The state of the output that has been written to ``HTTP2ConnectionStateMachine/output`` or the channel.
        struct SendState {
            /// The functions to call when the output has been sent.
            fileprivate var onSent: [@Sendable () -> Void] = []
            /// The number of bytes written to the channel that have not been sent.
            fileprivate var unsent = 0
            /// Whether DATA frames wait until output has been sent.
            fileprivate var isSendingDelayed = false
            /// Whether a flush is scheduled on the event loop.
            fileprivate var isFlushScheduled = false
            /// The stream that sends the next DATA frame if not all can.
            fileprivate var nextStream: HTTP2Frame.StreamID = 0
        }

        // MARK: Request body

        /// Sends a body that is in memory, or starts to read it, unless the server has to agree first.
        func startBody(of stream: RunningStream, _ context: ChannelHandlerContext) {
            switch stream.request.message.body {
            case .none: break
            case .bytes(let bytes):
                stream.pieces.append((bytes, {}))
                send(stream)
            case .reader(let reader):
                if let expectation = stream.request.expectation {
                    wait(for: expectation, on: stream, context)
                } else {
                    startUpload(of: reader, on: stream, context)
                }
            }
        }

        private func startUpload(of reader: HTTPBody.Reader, on stream: RunningStream, _ context: ChannelHandlerContext)
        {
            let bound = NIOLoopBound((connection: self, stream: stream), eventLoop: context.eventLoop)
            let upload = BodyUpload(reader, on: context.eventLoop) { event in
                let (connection, stream) = bound.value
                guard connection.isRunning(stream) else { return }
                switch event {
                case .piece(let bytes, let sent):
                    stream.pieces.append((bytes, sent))
                    connection.send(stream)
                case .end:
                    stream.upload = .none
                    connection.send(stream)
                case .failed(let error):
                    connection.reset(stream)
                    stream.exchange.bodyFailed(error)
                    connection.report(.streamEnded())
                }
                connection.flush()
            }
            stream.upload = .reading(upload)
        }

        /// Waits until the server agrees to the body, refuses the request, or does neither for too long.
        private func wait(
            for expectation: OutboundRequest.Expectation,
            on stream: RunningStream,
            _ context: ChannelHandlerContext
        ) {
            let timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(expectation.timeout)) {
                stream.upload.update { $0.timedOut() }
                self.startAllowedUpload(on: stream)
            }
            stream.upload = .waiting(ContinueStateMachine(), timer: timer)
        }

        /// Starts the body that has waited for the server, if the server agrees.
        func startAllowedUpload(on stream: RunningStream) {
            guard stream.upload.isAllowed, let context, case .reader(let reader) = stream.request.message.body else {
                return
            }
            stream.upload.stop()
            stream.request.expectation?.recordBodyStart()
            startUpload(of: reader, on: stream, context)
        }

        /// Writes all data that may be sent on a stream.
        func send(_ stream: RunningStream) {
            while sendFrame(stream) {}
        }

        /// Writes one DATA frame.
        ///
        /// - Returns: Whether there was data, and room for it.
        private func sendFrame(_ stream: RunningStream) -> Bool {
            guard isRunning(stream), !machine.isRequestSent(stream.id) else { return false }
            guard sendState.unsent + machine.output.readableBytes < Self.unsentLimit else {
                sendState.isSendingDelayed = true
                return false
            }
            guard var piece = stream.pieces.first else {
                var nothing = ByteBuffer()
                return stream.isBodyRead && machine.write(&nothing, isLast: true, to: stream.id)
            }
            // Avoids a second reference to the bytes, which would cause a copy.
            stream.pieces[stream.pieces.startIndex].bytes = ByteBuffer()
            let isLast = stream.isBodyRead && stream.pieces.count == 1
            let isWritten = machine.write(&piece.bytes, isLast: isLast, to: stream.id)
            // An empty last piece is done when the end of the stream has been written.
            let isPieceDone = piece.bytes.readableBytes == 0 && (isWritten || !isLast)
            if isPieceDone {
                stream.pieces.removeFirst()
                sendState.onSent.append { [exchange = stream.exchange, sent = piece.sent] in
                    exchange.recordProgress()
                    sent()
                }
                return true
            }
            stream.pieces[stream.pieces.startIndex].bytes = piece.bytes
            return isWritten
        }

        /// Writes all data that may be sent on all streams, one frame of each in turn.
        func sendOnAllStreams() {
            var waiting = streams.values.filter { !$0.pieces.isEmpty || $0.isBodyRead }.sorted { $0.id < $1.id }
            if let first = waiting.firstIndex(where: { $0.id >= sendState.nextStream }) {
                waiting = Array(waiting[first...] + waiting[..<first])
            }
            while !waiting.isEmpty {
                waiting = waiting.filter { stream in
                    guard sendFrame(stream) else { return false }
                    sendState.nextStream = stream.id + 1
                    return true
                }
            }
        }

        // MARK: Output

        /// Sends the output after the requests that are already on their way to the event loop, in one record of TLS and one
        /// write.
        func flushLater() {
            guard !sendState.isFlushScheduled else { return }
            sendState.isFlushScheduled = true
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.execute {
                bound.value.sendState.isFlushScheduled = false
                bound.value.flush()
            }
        }

        /// Writes the output to the channel, unless a read goes on, after which it is written.
        func flush() {
            guard let context, !isReading, machine.output.readableBytes > 0 else { return }
            let bytes = machine.takeOutput()
            let onSent = sendState.onSent
            sendState.onSent = []
            let count = bytes.readableBytes
            sendState.unsent += count
            let promise = context.eventLoop.makePromise(of: Void.self)
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            promise.futureResult.whenComplete { _ in
                bound.value.flushed(count)
                for sent in onSent { sent() }
            }
            context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
        }

        private func flushed(_ count: Int) {
            machine.flushed()
            sendState.unsent -= count
            guard sendState.isSendingDelayed, let context else { return }
            sendState.isSendingDelayed = false
            // Delayed, so that frames about the requests can be read in between.
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            context.eventLoop.execute {
                let connection = bound.value
                guard connection.isOpen else { return }
                connection.sendOnAllStreams()
                connection.flush()
            }
        }
    }
#endif
