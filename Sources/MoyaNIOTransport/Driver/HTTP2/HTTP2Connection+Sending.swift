#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore

// The bodies of requests, and the output to the channel.
extension HTTP2Connection {
    /// The number of bytes queued for the socket at which DATA frames are delayed, whatever the windows allow.
    ///
    /// Queued data delays the heads of other requests, and is wasted if the server refuses the request.
    private static let unsentLimit = 128 * 1024

    /// The state of the output on its way to the channel and to the network.
    struct SendState {
        /// The tracked frames of requests in the output, each with its stream.
        ///
        /// They are those of bodies, with empty pieces and trailers, and the heads that ``trackFrame(of:)`` counts. A frame with the last
        /// bytes of a piece has the function `onSent` of the piece (``BodyReadAhead/Event/piece(_:onSent:)``).
        fileprivate var writtenFrames: [(stream: RunningStream, onSent: (@Sendable () -> Void)?)] = []
        /// The bytes that are sent; `nil` before the first streamed body.
        fileprivate var sentBytes: SentBytes?
        /// The number of bytes written to the channel that have not been sent.
        fileprivate var unsentBytes = 0
        /// Whether DATA frames wait until output has been sent.
        fileprivate var isSendingDelayed = false
        /// Whether a flush is scheduled on the event loop.
        fileprivate var isFlushScheduled = false
        /// The stream that sends the next DATA frame if not all can.
        fileprivate var nextStream: HTTP2Frame.StreamID = 0
    }

    // MARK: Request body

    /// Sends a body that is in memory, or starts its upload.
    func startBody(of stream: RunningStream) {
        switch stream.request.message.body {
        case .none: break
        case .bytes(let bytes):
            stream.pieces.append((bytes, {}))
            writeBody(of: stream)
        case .reader(let body): startUpload(of: body, on: stream)
        }
    }

    /// Starts the upload of a body, or of the output of an upgraded stream.
    func startUpload(of body: HTTPBody.Reader, on stream: RunningStream) {
        let bound = NIOLoopBound((connection: self, stream: stream), eventLoop: loop)
        let starter = stream.request.message.upgrade?.taskStarter
        starter?.use(loop)
        stream.upload = BodyUpload(body, expecting: stream.request.expectation, on: loop, startedBy: starter) { event in
            let (connection, stream) = bound.value
            guard connection.isRunning(stream) else { return }
            switch event {
            case .piece(let bytes, let onSent):
                stream.pieces.append((bytes, onSent))
                connection.writeBody(of: stream)
            case .end(let trailers):
                // Trailers cannot follow the output of an upgrade.
                (stream.upload, stream.trailers) = (nil, stream.isUpgraded ? HTTPFields() : trailers)
                connection.writeBody(of: stream)
            case .failed(let error):
                // The exchange stops the stream.
                stream.exchange.bodyFailed(error)
            }
            connection.flush()
        }
        if sendState.sentBytes == nil { sendState.sentBytes = SentBytes(socket) }
    }

    /// Writes all data that may be sent on a stream.
    func writeBody(of stream: RunningStream) {
        while writeFrame(of: stream) {}
    }

    /// Writes one DATA frame, or the trailers.
    ///
    /// - Returns: Whether there was something to write, and room for it.
    private func writeFrame(of stream: RunningStream) -> Bool {
        guard isRunning(stream), machine.isRequestPending(stream.id) else { return false }
        guard sendState.unsentBytes + machine.output.readableBytes < Self.unsentLimit else {
            sendState.isSendingDelayed = true
            return false
        }
        guard !stream.pieces.isEmpty else {
            guard stream.isBodyComplete, writeEnd(of: stream) else { return false }
            sendingEnded(on: stream)
            return true
        }
        let first = stream.pieces.startIndex
        let isLast = stream.isBodyComplete && stream.pieces.count == 1 && stream.trailers.isEmpty
        let size = stream.pieces[first].bytes.readableBytes
        let isWritten = machine.write(&stream.pieces[first].bytes, isLast: isLast, to: stream.id)
        // An empty last piece is done when the end of the stream has been written.
        let isPieceDone = stream.pieces[first].bytes.readableBytes == 0 && (isWritten || !isLast)
        guard isWritten || isPieceDone else { return false }
        stream.exchange.recorder?.count(size - stream.pieces[first].bytes.readableBytes, in: .requestBody)
        stream.unsentFrames += 1
        sendState.writtenFrames.append((stream, isPieceDone ? stream.pieces.removeFirst().onSent : nil))
        if isLast, isWritten { sendingEnded(on: stream) }
        return true
    }

    /// Writes the end of a body whose data is written: its trailers, or an empty DATA frame.
    ///
    /// - Returns: Whether it is written. Otherwise the request has failed, because its trailers cannot be sent.
    private func writeEnd(of stream: RunningStream) -> Bool {
        guard !stream.trailers.isEmpty else {
            var nothing = ByteBuffer()
            guard machine.write(&nothing, isLast: true, to: stream.id) else { return false }
            trackEnd(of: stream)
            return true
        }
        do throws(HTTP2RequestError) {
            try machine.write(trailers: stream.trailers, to: stream.id)
            trackEnd(of: stream)
            return true
        } catch {
            endStream(stream, because: .failed(.trailersNotSent(error)))
            return false
        }
    }

    /// Writes all data that may be sent on all streams, one frame of each in turn.
    func writeOnAllStreams() {
        var waiting = runningStreams.values.filter { !$0.pieces.isEmpty || $0.isBodyComplete }.sorted {
            $0.id < $1.id
        }
        if let first = waiting.firstIndex(where: { $0.id >= sendState.nextStream }) {
            waiting = Array(waiting[first...] + waiting[..<first])
        }
        while !waiting.isEmpty {
            waiting = waiting.filter { stream in
                guard writeFrame(of: stream) else { return false }
                sendState.nextStream = stream.id + 1
                return true
            }
        }
    }

    // MARK: Output

    /// Counts a frame without data that ends a request as a frame of its body, if the exchange has to know when it has been sent.
    func trackEnd(of stream: RunningStream) {
        if stream.exchange.needsTimeOfSending { trackFrame(of: stream) }
    }

    /// Counts a frame without data as a frame of the body of its request: its head, if there is a recorder, or its end.
    func trackFrame(of stream: RunningStream) {
        stream.unsentFrames += 1
        sendState.writtenFrames.append((stream, nil))
    }

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
        let frames = sendState.writtenFrames
        sendState.writtenFrames = []
        let count = bytes.readableBytes
        sendState.unsentBytes += count
        let promise = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound((connection: self, frames: frames), eventLoop: context.eventLoop)
        promise.futureResult.whenComplete { result in
            let (connection, frames) = bound.value
            connection.bytesSent(count)
            for (stream, onSent) in frames {
                stream.unsentFrames -= 1
                if case .success = result { connection.frameSent(of: stream) }
                onSent?()
            }
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    }

    private func frameSent(of stream: RunningStream) {
        stream.exchange.recordActivity()
        stream.exchange.recorder?.recordRequestHeadSent()
        guard stream.exchange.needsTimeOfSending, stream.unsentFrames == 0,
            stream.isAwaitingUpgrade || !machine.isRequestPending(stream.id)
        else { return }
        stream.exchange.requestSent()
    }

    /// Handles bytes that the channel has sent to the socket: less is unsent, and a delayed body may go on.
    private func bytesSent(_ count: Int) {
        machine.outputSent()
        sendState.unsentBytes -= count
        guard sendState.isSendingDelayed, let context else { return }
        sendState.isSendingDelayed = false
        // Delayed, so that frames about the requests can be read in between.
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let connection = bound.value
            guard connection.isOpen else { return }
            connection.writeOnAllStreams()
            connection.flush()
        }
    }

    /// Handles the end of the direction to the server, which completes an upgraded stream whose input has ended.
    func sendingEnded(on stream: RunningStream) {
        if stream.isInputEnded, isRunning(stream) { endStream(stream, because: .completed(trailers: HTTPFields())) }
    }
}

// The times of the last bytes, for the timeouts of the exchanges.
extension HTTP2Connection {
    /// Returns the running exchanges, each with the time of its last bytes.
    ///
    /// Bytes that the connection has sent since the last call count for the streams whose frames have not been sent.
    func takeTransferTimes() -> [(exchange: Exchange, lastTransfer: NIODeadline?)] {
        let lastSent = socket.flatMap { sendState.sentBytes?.takeLastTransfer($0) }
        return requestsAwaitingSettings.map { ($0.exchange, nil) }
            + runningStreams.values.map { stream in
                guard stream.unsentFrames > 0, let lastSent else { return (stream.exchange, stream.lastReceived) }
                return (stream.exchange, max(lastSent, stream.lastReceived ?? lastSent))
            }
    }
}
#endif
