#if NIO && !canImport(Darwin)
import NIOCore

// The bodies of requests, and the output of upgraded connections.
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
            promise.futureResult.whenComplete { [exchange = request.exchange] result in
                if case .success = result { exchange.recordActivity() }
                onSent()
            }
            if request.exchange.hasFirstByteTimeout || machine.isUpgraded {
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
    func sendPromise(of exchange: Exchange, _ context: ChannelHandlerContext) -> EventLoopPromise<Void>? {
        guard exchange.hasFirstByteTimeout else { return nil }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenSuccess { exchange.requestSent() }
        return promise
    }
}
#endif
