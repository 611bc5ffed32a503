#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat
    import NIOHTTP1

    /// Carries exchanges over a channel, one after the other: over a connection of HTTP/1.1, or one over a stream of HTTP/2.
    final class NIOExchangeHandler: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundIn = Never
        typealias OutboundOut = HTTPClientRequestPart

        /// What the owner of the channel is told.
        enum Event {
            /// The exchange is over, and the channel can have another one.
            case free
            /// The channel is closed, or has been told to.
            case closed
        }

        /// Whether it is a stream of HTTP/2, which closes by itself.
        private let isStream: Bool
        private let report: (Event) -> Void
        private let fail: (Exchange, any Error) -> Void
        private var context: ChannelHandlerContext?
        private var state = NIOExchangeState()
        private var call: NIOCall?
        private var upload: NIOUpload?
        /// What has gone wrong with the connection: it is told before the connection closes.
        private var failure: (any Error)?
        /// What has come of a response, and was not handed over: most are there to their end in one read.
        private var early: (head: ResponseHead, body: ByteBuffer?)?
        /// The reader has enough for now.
        private var isHeld = false
        private var hasHeldRead = false

        /// - Parameters:
        ///   - fail: Tells an exchange of the engine's error.
        ///   - report: Called on the event loop.
        init(
            isStream: Bool,
            fail: @escaping (Exchange, any Error) -> Void,
            report: @escaping (Event) -> Void
        ) {
            self.isStream = isStream
            self.fail = fail
            self.report = report
        }

        // MARK: The pool's side

        /// Sends a request. The one before must be over.
        func run(_ call: NIOCall) {
            guard let context, state.begin() else {
                call.place = .over
                fail(call.exchange, ConnectionClosed())
                return
            }
            self.call = call
            call.place = .running(self)
            context.write(wrapOutboundOut(.head(call.message.head)), promise: nil)
            switch call.message.body {
            case .none:
                end(context)
            case .bytes(let bytes):
                context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
                end(context)
            case .reader(let reader):
                context.flush()
                start(reader, call, context)
            }
            call.exchange.sentSomething()
        }

        /// Ends what a call has running, and closes its channel.
        func abort(_ call: NIOCall) {
            guard self.call === call else {
                // Its stream is still to be made.
                call.place = .over
                return
            }
            leave()
            close()
        }

        /// Ends what is running, and closes the channel, as its owner does.
        func shutDown() {
            failure = nil
            failed()
        }

        private func end(_ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            state.sentEnd()
        }

        private func leave() {
            call?.place = .over
            call = nil
            early = nil
            upload?.stop()
            upload = nil
        }

        private func close() {
            guard state.close() else { return }
            report(.closed)
            context?.close(promise: nil)
        }

        // MARK: The body that is sent

        private func start(_ reader: HTTPBody.Reader, _ call: NIOCall, _ context: ChannelHandlerContext) {
            let exchange = call.exchange
            let bound = NIOLoopBound((handler: self, call: call), eventLoop: context.eventLoop)
            upload = NIOUpload(reader, on: context.eventLoop) { event in
                let (handler, call) = bound.value
                guard handler.call === call, let context = handler.context else { return }
                switch event {
                case .piece(let piece, let sent):
                    let promise = context.eventLoop.makePromise(of: Void.self)
                    promise.futureResult.whenComplete { result in
                        if case .success = result { exchange.sentSomething() }
                        sent()
                    }
                    context.writeAndFlush(handler.wrapOutboundOut(.body(.byteBuffer(piece))), promise: promise)
                case .end:
                    handler.upload = nil
                    handler.end(context)
                    handler.finishIfOver()
                case .failed(let error):
                    handler.leave()
                    exchange.bodyFailed(error)
                    handler.close()
                }
            }
        }

        // MARK: The channel's side

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let part = unwrapInboundIn(data)
            guard let call, !state.hasResponse else {
                // Nobody has asked for it.
                leave()
                close()
                return
            }
            switch part {
            case .head(let head):
                guard head.status != .switchingProtocols else {
                    failure = SwitchedProtocol()
                    failed()
                    return
                }
                state.receivedHead(isKeepAlive: isStream || head.isKeepAlive)
                early = (ResponseHead(head), nil)
            case .body(let bytes):
                if early != nil, early?.body == nil {
                    early?.body = bytes
                } else {
                    handOverEarly()
                    receive(bytes, call, context)
                }
            case .end:
                state.receivedEnd()
                if let (head, body) = early,
                    call.exchange.received(whole: head, body.map { Data(buffer: $0) } ?? Data())
                {
                    early = nil
                } else {
                    handOverEarly()
                    call.exchange.finished()
                }
            }
        }

        private func handOverEarly() {
            guard let (head, body) = early, let call, let context else { return }
            early = nil
            call.exchange.receivedHead(head)
            if let body { receive(body, call, context) }
        }

        /// Not before all that has been read was seen: what comes after a response, and before the next request, belongs to
        /// nothing, and must not become the next response.
        func channelReadComplete(context: ChannelHandlerContext) {
            handOverEarly()
            finishIfOver()
            context.fireChannelReadComplete()
        }

        private func receive(_ bytes: ByteBuffer, _ call: NIOCall, _ context: ChannelHandlerContext) {
            isHeld = true
            let bound = NIOLoopBound((handler: self, call: call), eventLoop: context.eventLoop)
            call.exchange.received(Data(buffer: bytes)) {
                let resume: @Sendable () -> Void = { bound.value.handler.resume(bound.value.call) }
                if bound.eventLoop.inEventLoop { resume() } else { bound.eventLoop.execute(resume) }
            }
        }

        private func resume(_ call: NIOCall) {
            guard self.call === call || self.call == nil else { return }
            isHeld = false
            guard hasHeldRead else { return }
            hasHeldRead = false
            context?.read()
        }

        func read(context: ChannelHandlerContext) {
            if isHeld { hasHeldRead = true } else { context.read() }
        }

        /// Once the response is there, what is left of the request is of no use: the server has made up its mind.
        private func finishIfOver() {
            guard let isReusable = state.end() else { return }
            leave()
            isHeld = false
            if !isReusable {
                close()
            } else {
                if isStream { _ = state.close() }
                report(.free)
            }
            if hasHeldRead, !isHeld {
                hasHeldRead = false
                context?.read()
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            failure = failure ?? error
            failed()
        }

        func channelInactive(context: ChannelHandlerContext) {
            failed()
            context.fireChannelInactive()
        }

        private func failed() {
            handOverEarly()
            if let call {
                leave()
                // An exchange that has its response takes no notice.
                fail(call.exchange, failure ?? ConnectionClosed())
            }
            close()
        }
    }
#endif
