#if NIO && !canImport(Darwin)
    import NIOCore

    // The bodies of requests.
    extension HTTP1Connection {
        func startUpload(
            of reader: HTTPBody.Reader,
            for request: OutboundRequest,
            _ context: ChannelHandlerContext
        ) {
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            let upload = BodyUpload(reader, on: context.eventLoop) { event in
                let connection = bound.value
                if connection.running?.request === request, let context = connection.context {
                    connection.handle(event, of: request, context)
                }
            }
            running?.upload = .reading(upload)
        }

        /// Waits until the server agrees to the body, refuses the request, or does neither for too long.
        func wait(for expectation: OutboundRequest.Expectation, _ context: ChannelHandlerContext) {
            let timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(expectation.timeout)) {
                self.running?.upload.update { $0.timedOut() }
                self.startAllowedUpload()
            }
            running?.upload = .waiting(ContinueStateMachine(), timer: timer)
        }

        /// Starts the body that has waited for the server, if the server agrees.
        func startAllowedUpload() {
            guard running?.upload.isAllowed == true, let request = running?.request, let context,
                case .reader(let reader) = request.message.body
            else { return }
            running?.upload.stop()
            request.expectation?.recordBodyStart()
            startUpload(of: reader, for: request, context)
        }

        private func handle(
            _ event: BodyUpload.Event,
            of request: OutboundRequest,
            _ context: ChannelHandlerContext
        ) {
            switch event {
            case .piece(let piece, let sent):
                let buffers = request.message.buffers(for: piece)
                guard let last = buffers.last else { return sent() }
                for buffer in buffers.dropLast() { context.write(wrapOutboundOut(buffer), promise: nil) }
                let promise = context.eventLoop.makePromise(of: Void.self)
                promise.futureResult.whenComplete { [exchange = request.exchange] result in
                    if case .success = result { exchange.recordProgress() }
                    sent()
                }
                context.writeAndFlush(wrapOutboundOut(last), promise: promise)
            case .end:
                running?.upload = .none
                machine.sentEnd()
                if let end = request.message.bodyEnd { context.writeAndFlush(wrapOutboundOut(end), promise: nil) }
            case .failed(let error):
                end(.exchangeOver)
                request.exchange.bodyFailed(error)
            }
        }
    }
#endif
