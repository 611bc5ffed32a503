#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOFoundationCompat

// The delivery of responses to their exchanges: the actions of ResponseDelivery.
extension HTTP2Connection {
    /// Handles the head of a response.
    func receivedHead(_ head: ResponseHead, on stream: RunningStream) {
        receivingStreams.append(stream)
        stream.delivery.receivedHead(head)
    }

    /// Handles a part of a body.
    func receivedBody(_ bytes: ByteBuffer, on stream: RunningStream) {
        // Many servers end a response with an empty DATA frame.
        guard bytes.readableBytes > 0 else { return }
        if !stream.delivery.isInRead { receivingStreams.append(stream) }
        deliver(stream.delivery.receivedBody(bytes), of: stream)
    }

    /// Handles the end of the server's direction of a stream, which completes it unless the output of an upgrade goes on.
    func receivedEnd(of stream: RunningStream, trailers: HTTPFields = HTTPFields()) {
        guard stream.isUpgraded, machine.isRequestPending(stream.id) else {
            return endStream(stream, because: .completed(trailers: trailers))
        }
        stream.isInputEnded = true
        stream.exchange.inputEnded(with: stream.delivery.removeAll())
    }

    /// Delivers the parts of responses that the current read has brought.
    func deliverReceived() {
        let streams = receivingStreams
        receivingStreams = []
        for stream in streams { deliver(stream.delivery.readEnded(), of: stream) }
    }

    /// Delivers parts of a response, the bytes as one chunk.
    func deliver(_ parts: ResponseDelivery.Parts, of stream: RunningStream) {
        if let head = parts.head { stream.exchange.receivedHead(head) }
        guard let bytes = parts.chunk else { return }
        let bound = NIOLoopBound((connection: self, stream: stream), eventLoop: loop)
        stream.exchange.received(Data(buffer: bytes)) { [count = bytes.readableBytes] in
            bound.eventLoop.runOnLoop {
                let (connection, stream) = bound.value
                connection.chunkTaken(count, of: stream)
            }
        }
    }

    /// Handles a chunk of this size that the exchange has taken: allows the server to send as many bytes, and delivers those that
    /// were held meanwhile.
    private func chunkTaken(_ count: Int, of stream: RunningStream) {
        // Not after the end, which fails the exchange: GOAWAY is the last frame.
        guard isOpen else { return }
        machine.countTaken(count, of: stream.id)
        deliver(stream.delivery.chunkTaken(), of: stream)
        flush()
    }
}
#endif
