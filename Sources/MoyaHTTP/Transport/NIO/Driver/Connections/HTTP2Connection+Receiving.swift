#if NIO && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    // The delivery of responses to their readers.
    extension HTTP2Connection {
        /// Delivers a part of a body, or keeps it until the start of the response is delivered, or until the reader has room.
        func receive(_ bytes: ByteBuffer, on stream: RunningStream) {
            if stream.undelivered != nil, stream.undelivered?.body == nil {
                stream.undelivered?.body = bytes
                return
            }
            deliverStart(of: stream)
            if stream.held != nil {
                var bytes = bytes
                stream.held?.writeBuffer(&bytes)
            } else {
                deliver(bytes, on: stream)
            }
        }

        /// Delivers the head of a response, and the part of its body that came with it.
        func deliverStart(of stream: RunningStream) {
            guard let (head, body) = stream.undelivered else { return }
            stream.undelivered = nil
            stream.exchange.receivedHead(head)
            if let body { deliver(body, on: stream) }
        }

        /// Delivers the rest of a response, and removes the stream.
        func deliverEnd(of stream: RunningStream, trailers: HTTPFields) {
            let exchange = stream.exchange
            if let (head, body) = stream.undelivered,
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

        /// Fails a stream after delivering the received data.
        ///
        /// - Parameters:
        ///   - stream: An open stream.
        ///   - error: Returns the error, depending on whether the response has started.
        func fail(_ stream: RunningStream, with error: (_ hasResponse: Bool) -> any Error) {
            deliverStart(of: stream)
            deliverHeld(stream)
            remove(stream)
            let exchange = stream.exchange
            failExchange(exchange, error(exchange.hasReceivedHead))
        }

        /// Delivers a part of a body, and allows the server to send more when the reader has taken it.
        private func deliver(_ bytes: ByteBuffer, on stream: RunningStream) {
            guard let context, bytes.readableBytes > 0 else { return }
            stream.held = ByteBuffer()
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
            let held = stream.held
            stream.held = nil
            machine.returnToWindow(count, of: stream.id)
            if let held, isRunning(stream) { deliver(held, on: stream) }
            flush()
        }

        private func deliverHeld(_ stream: RunningStream) {
            guard let held = stream.held else { return }
            deliver(held, on: stream)
        }
    }
#endif
