#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat

// The delivery of responses to their readers.
extension HTTP2Connection {
    /// The delivery of a response: it determines whether the stream holds the received bytes.
    enum Delivery {
        /// The bytes are delivered immediately.
        case immediate
        /// The head, and the first part of the body up to ``HTTPConnection/longestJoined``, are held until the end of the read,
        /// because most responses are complete then.
        case atEndOfRead(ResponseHead)
        /// The exchange has got a chunk, and has not called its `readMore`.
        ///
        /// Bytes are held until then; the window of the stream limits their number.
        case awaitingReadMore
    }

    /// Handles a part of a body: holds it, or delivers it.
    func receivedBody(_ bytes: ByteBuffer, on stream: RunningStream) {
        // Many servers end a response with an empty DATA frame.
        guard bytes.readableBytes > 0 else { return }
        if case .atEndOfRead = stream.delivery,
            (stream.held?.readableBytes ?? 0) + bytes.readableBytes > Self.longestJoined
        {
            deliverStart(of: stream)
        }
        stream.held.setOrWriteImmutableBuffer(bytes)
        if case .immediate = stream.delivery { deliverHeld(of: stream) }
    }

    /// Delivers the head of a response, and the part of its body that came with it, if they are held.
    func deliverStart(of stream: RunningStream) {
        guard case .atEndOfRead(let head) = stream.delivery else { return }
        stream.delivery = .immediate
        stream.exchange.receivedHead(head)
        deliverHeld(of: stream)
    }

    /// Delivers the held bytes as one chunk; those that follow are held until the exchange calls `readMore`.
    func deliverHeld(of stream: RunningStream) {
        guard let bytes = stream.held.take() else { return }
        // Before the call, in which the exchange calls `readMore` if it has room.
        stream.delivery = .awaitingReadMore
        let bound = NIOLoopBound((connection: self, stream: stream), eventLoop: loop)
        let count = bytes.readableBytes
        stream.exchange.received(Data(buffer: bytes)) {
            bound.eventLoop.runOnLoop {
                let (connection, stream) = bound.value
                connection.readMore(of: stream, consumed: count)
            }
        }
    }

    /// Allows the server to send as many bytes as the exchange has consumed, and delivers those that were held meanwhile.
    private func readMore(of stream: RunningStream, consumed count: Int) {
        // Not after the end, which fails the exchange: GOAWAY is the last frame.
        guard isOpen else { return }
        machine.consumed(count, of: stream.id)
        stream.delivery = .immediate
        deliverHeld(of: stream)
        flush()
    }

    /// Removes a stream whose response is complete, reports that, and delivers the rest of the response.
    ///
    /// The report comes before the end: for the next request of the caller, the pool must not count this one any more. The pool may
    /// then close a connection that is going away, so the held data leaves the stream before.
    func complete(_ stream: RunningStream, trailers: HTTPFields) {
        let exchange = stream.exchange
        let completed = Event.streamCompleted(number: HTTP2ConnectionStateMachine.streamCount(upTo: stream.id))
        if case .atEndOfRead(let head) = stream.delivery {
            let body = stream.held.map { Data(buffer: $0) } ?? Data()
            remove(stream)
            report(completed)
            return exchange.received(whole: head, body, trailers: trailers)
        }
        // All data is delivered even if the reader's buffer is full, since the stream has ended.
        deliverHeld(of: stream)
        remove(stream)
        report(completed)
        exchange.finished(trailers: trailers)
    }

    /// Delivers the received data of a stream that fails, and removes the stream.
    func removeAfterDelivery(_ stream: RunningStream) {
        deliverStart(of: stream)
        deliverHeld(of: stream)
        remove(stream)
    }
}
#endif
