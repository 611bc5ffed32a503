#if NIO && !canImport(Darwin)
import NIOCore

// The bodies of requests.
extension HTTP1Connection {
    /// Starts to read a body, unless the server has to agree first.
    func startBody(_ reader: HTTPBody.Reader, of request: OutboundRequest) {
        guard let expectation = request.expectation else { return startUpload(of: reader, for: request) }
        uploadPhase.hold(for: expectation, on: loop) {
            self.updateWaitingBody { $0.timedOut() }
            self.startAllowedBody()
        }
    }

    private func startUpload(of reader: HTTPBody.Reader, for request: OutboundRequest) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let upload = BodyUpload(reader, on: loop) { event in
            let connection = bound.value
            if connection.runningExchange?.request === request, let context = connection.context {
                connection.handle(event, of: request, context)
            }
        }
        uploadPhase = .reading(upload)
        sentBytes = SentBytes(socket)
    }

    /// Passes an event to a body that waits for the server.
    ///
    /// If the body may be sent then, ``startAllowedBody()`` starts it after the read.
    func updateWaitingBody(_ event: (inout ContinueStateMachine) -> Void) { uploadPhase.update(event) }

    /// Starts a body that waits for the server, if it may be sent now.
    func startAllowedBody() {
        guard let request = runningExchange?.request, let reader = uploadPhase.takeAllowedBody(of: request) else {
            return
        }
        startUpload(of: reader, for: request)
    }

    private func handle(
        _ event: BodyUpload.Event,
        of request: OutboundRequest,
        _ context: ChannelHandlerContext
    ) {
        switch event {
        case .piece(let piece, let onSent):
            let buffers = request.message.http1Buffers(for: piece)
            guard let last = buffers.last else { return onSent() }
            for buffer in buffers.dropLast() { context.write(wrapOutboundOut(buffer), promise: nil) }
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.whenComplete { [exchange = request.exchange] result in
                if case .success = result { exchange.recordActivity() }
                onSent()
            }
            context.writeAndFlush(wrapOutboundOut(last), promise: promise)
        case .end(let trailers):
            uploadPhase = .inactive
            machine.requestEnded()
            if let end = request.message.http1End(trailers: trailers) {
                context.writeAndFlush(wrapOutboundOut(end), promise: nil)
            }
        case .failed(let error):
            // The exchange stops the connection.
            request.exchange.bodyFailed(error)
        }
    }
}
#endif
