#if NIO && !canImport(Darwin)
    import NIOCore

    // The bodies of requests.
    extension HTTP1Connection {
        func startUpload(of reader: HTTPBody.Reader, for request: OutboundRequest) {
            let bound = NIOLoopBound(self, eventLoop: loop)
            let upload = BodyUpload(reader, on: loop) { event in
                let connection = bound.value
                if connection.running?.request === request, let context = connection.context {
                    connection.handle(event, of: request, context)
                }
            }
            running?.upload = .reading(upload)
        }

        /// Waits until the server agrees to the body, refuses the request, or does neither for too long.
        func holdBody(for expectation: OutboundRequest.Expectation) {
            let timer = loop.assumeIsolated().scheduleTask(in: TimeAmount(expectation.timeout)) {
                self.running?.upload.update { $0.timedOut() }
                self.startAllowedBody()
            }
            running?.upload = .waiting(ContinueStateMachine(), timer: timer)
        }

        /// Starts a body that waits for the server, if it may be sent now.
        func startAllowedBody() {
            guard let request = running?.request, let reader = running?.upload.takeAllowedBody(of: request) else {
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
                let buffers = request.message.buffers(for: piece)
                guard let last = buffers.last else { return onSent() }
                for buffer in buffers.dropLast() { context.write(wrapOutboundOut(buffer), promise: nil) }
                let promise = context.eventLoop.makePromise(of: Void.self)
                promise.futureResult.whenComplete { [exchange = request.exchange] result in
                    if case .success = result { exchange.recordActivity() }
                    onSent()
                }
                context.writeAndFlush(wrapOutboundOut(last), promise: promise)
            case .end(let trailers):
                running?.upload = .idle
                machine.requestEnded()
                if let end = request.message.bodyEnd(trailers: trailers) {
                    context.writeAndFlush(wrapOutboundOut(end), promise: nil)
                }
            case .failed(let error):
                end(.exchangeOver)
                request.exchange.bodyFailed(error)
            }
        }
    }
#endif
