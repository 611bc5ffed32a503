#if NIO && !canImport(Darwin)
import NIOCore

// The bodies of requests.
extension HTTP1Connection {
    /// Starts the upload of a body.
    func startUpload(of body: HTTPBody.Reader, for request: OutboundRequest) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        runningExchange?.upload = BodyUpload(body, expecting: request.expectation, on: loop) { event in
            let connection = bound.value
            if connection.runningExchange?.request === request, let context = connection.context {
                connection.handle(event, of: request, context)
            }
        }
        runningExchange?.sentBytes = SentBytes(socket)
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
            promise.futureResult.whenComplete { [exchange = request.exchange, count = piece.readableBytes] result in
                if case .success = result {
                    exchange.recorder?.count(count, in: .requestBody)
                    exchange.recordActivity()
                }
                onSent()
            }
            if request.exchange.needsTimeOfSending { runningExchange?.lastPieceSent = promise.futureResult }
            context.writeAndFlush(wrapOutboundOut(last), promise: promise)
        case .end(let trailers):
            runningExchange?.upload = nil
            machine.requestEnded()
            if let end = request.message.http1End(trailers: trailers) {
                context.writeAndFlush(wrapOutboundOut(end), promise: sendPromise(of: request.exchange, context))
            } else if let lastPieceSent = runningExchange?.lastPieceSent {
                lastPieceSent.whenSuccess { [exchange = request.exchange] in exchange.requestSent() }
            } else {
                request.exchange.requestSent()
            }
        case .failed(let error):
            // The exchange stops the connection.
            request.exchange.bodyFailed(error)
        }
    }

    /// Returns the promise of the write of a request's head, and of its body if that is in memory.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - size: The size of the written bytes.
    ///   - isWhole: Whether they are the whole request.
    ///   - context: The context of the connection.
    /// - Returns: The promise; `nil` if the exchange need not know when they have been sent.
    func startPromise(
        of request: OutboundRequest,
        size: Int,
        isWhole: Bool,
        _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void>? {
        guard request.exchange.needsTimeOfSending, isWhole || request.exchange.recorder != nil else { return nil }
        let promise = context.eventLoop.makePromise(of: Void.self)
        let bodySize = request.message.body.sizeInMemory
        promise.futureResult.whenSuccess { [exchange = request.exchange] in
            if isWhole {
                exchange.recorder?.recordRequest(headBytes: size - bodySize, bodyBytes: bodySize)
                exchange.beginWaitForResponse()
            } else {
                exchange.recorder?.record(.requestHeadSent(bytes: Int64(size)))
                exchange.recorder?.count(0, in: .requestBody)
            }
        }
        return promise
    }

    /// Returns the promise of the last write of a request, if its exchange has to know when the request has been sent.
    private func sendPromise(of exchange: Exchange, _ context: ChannelHandlerContext) -> EventLoopPromise<Void>? {
        guard exchange.needsTimeOfSending else { return nil }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenSuccess { exchange.requestSent() }
        return promise
    }
}
#endif
