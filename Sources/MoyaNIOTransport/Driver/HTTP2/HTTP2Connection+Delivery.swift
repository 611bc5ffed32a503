#if NIO && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    // The delivery of responses to their readers.
    extension HTTP2Connection {
        /// The part of a response that a stream holds for its reader.
        enum Delivery {
            /// Nothing is held: received bytes are delivered immediately.
            case immediate
            /// The head and the first part of the body, up to ``HTTPConnection/longestJoined``, wait for the end of the read, because
            /// most responses are complete then.
            case atEndOfRead(ResponseHead, body: ByteBuffer?)
            /// A chunk has been delivered, and its `readMore` has not been called. Further bytes are held until then; the stream's
            /// window bounds their size.
            case paused(held: ByteBuffer)
        }

        /// Delivers a part of a body, or holds it.
        func deliverOrHold(_ bytes: ByteBuffer, on stream: RunningStream) {
            // Many servers end a response with an empty DATA frame.
            guard bytes.readableBytes > 0 else { return }
            if case .atEndOfRead(let head, var body) = stream.delivery,
                (body?.readableBytes ?? 0) + bytes.readableBytes <= Self.longestJoined
            {
                // Avoids a second reference to the bytes, which would cause a copy.
                stream.delivery = .immediate
                body.setOrWriteImmutableBuffer(bytes)
                stream.delivery = .atEndOfRead(head, body: body)
                return
            }
            deliverStart(of: stream)
            guard case .paused(var held) = stream.delivery else { return deliver(bytes, on: stream) }
            // Avoids a second reference to the bytes, which would cause a copy.
            stream.delivery = .immediate
            var bytes = bytes
            held.writeBuffer(&bytes)
            stream.delivery = .paused(held: held)
        }

        /// Delivers the head of a response, and the part of its body that came with it.
        func deliverStart(of stream: RunningStream) {
            guard case .atEndOfRead(let head, let body) = stream.delivery else { return }
            stream.delivery = .immediate
            stream.exchange.receivedHead(head)
            if let body { deliver(body, on: stream) }
        }

        /// Delivers the rest of a response, and removes the stream.
        func deliverEnd(of stream: RunningStream, trailers: HTTPFields) {
            let exchange = stream.exchange
            if case .atEndOfRead(let head, let body) = stream.delivery,
                exchange.received(whole: head, body.map { Data(buffer: $0) } ?? Data(), trailers: trailers)
            {
                return remove(stream)
            }
            deliverStart(of: stream)
            // All data is delivered even if the reader's buffer is full, since the stream has ended.
            deliverHeld(stream)
            remove(stream)
            exchange.finished(trailers: trailers)
        }

        /// Delivers a part of a body, and allows the server to send more when the exchange has accepted it.
        private func deliver(_ bytes: ByteBuffer, on stream: RunningStream) {
            guard let context, bytes.readableBytes > 0 else { return }
            // Before the call, in which the exchange calls `readMore` if it has room. Then `resume` ends the pause.
            stream.delivery = .paused(held: ByteBuffer())
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

        private func resume(_ stream: RunningStream, consumed count: Int) {
            machine.returnToWindow(count, of: stream.id)
            if case .paused(let held) = stream.delivery {
                stream.delivery = .immediate
                if isRunning(stream) { deliver(held, on: stream) }
            }
            flush()
        }

        func deliverHeld(_ stream: RunningStream) {
            guard case .paused(let held) = stream.delivery else { return }
            deliver(held, on: stream)
        }
    }
#endif
