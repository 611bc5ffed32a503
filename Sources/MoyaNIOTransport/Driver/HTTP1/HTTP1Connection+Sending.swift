#if NIO && !canImport(Darwin)
import NIOCore

// The bodies of requests, and the output of upgraded connections.
extension HTTP1Connection {
    /// Starts the upload of a body.
    func startUpload(of body: HTTPBody.Reader, for request: OutboundRequest) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let starter = request.message.upgrade?.taskStarter
        starter?.use(loop)
        runningExchange?.upload = BodyUpload(body, expecting: request.expectation, on: loop, startedBy: starter) {
            event in
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
            if request.exchange.needsTimeOfSending || machine.isUpgraded {
                runningExchange?.lastPieceSent = promise.futureResult
            }
            context.writeAndFlush(wrapOutboundOut(last), promise: promise)
        case .end(let trailers):
            runningExchange?.upload = nil
            guard !machine.isUpgraded else { return closeOutput(of: request, context) }
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

    // MARK: Upgrades

    /// Keeps the channel open when the server closes its direction, so that the output of an upgrade can go on.
    ///
    /// It is called before the response: TLS may read the end of that direction together with the head.
    func allowHalfClosure(_ context: ChannelHandlerContext) {
        try? context.channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
    }

    /// Begins the other protocol on the connection: reports that it carries no more requests, and sends the output of the upgrade.
    func beginUpgrade(of request: OutboundRequest) {
        guard let upgrade = request.message.upgrade else { return }
        machine.upgraded()
        report(.upgraded)
        do throws(RequestBodyError) {
            startUpload(of: try upgrade.output.open(), for: request)
        } catch {
            request.exchange.bodyFailed(error)
        }
    }

    /// Closes the direction to the server of an upgraded connection when everything has been sent.
    private func closeOutput(of request: OutboundRequest, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let sent = runningExchange?.lastPieceSent ?? context.eventLoop.makeSucceededVoidFuture()
        sent.whenComplete { _ in
            let connection = bound.value
            guard connection.runningExchange?.request === request, let context = connection.context else { return }
            // If the server has closed its direction, the channel would close immediately.
            guard !connection.machine.hasResponseEnded else { return connection.outputEnded(of: request) }
            let closed = context.eventLoop.makePromise(of: Void.self)
            closed.futureResult.whenComplete { _ in bound.value.outputEnded(of: request) }
            context.close(mode: .output, promise: closed)
        }
    }

    /// Handles the end of the direction to the server of an upgraded connection, and ends the connection if its input has ended.
    private func outputEnded(of request: OutboundRequest) {
        guard runningExchange?.request === request else { return }
        machine.requestEnded()
        guard machine.hasResponseEnded else { return }
        freeOrClose()
        request.exchange.finished()
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
