#if NIO && !canImport(Darwin)
import NIOCore

/// The received part of a response that its exchange has not got, and the rule that determines when the exchange gets it.
///
/// The parts that arrive in one read are delivered together at its end, because most responses are complete then. While the exchange
/// has room, the earlier parts are delivered before more than ``longestJoined`` bytes are joined. The exchange gets one chunk at a time:
/// further bytes are joined and held until it has taken the chunk, or the response ends. HTTP/1.1 limits their number by not reading, to
/// those of one read, and HTTP/2 by the window of the stream.
struct ResponseDelivery {
    /// The parts to deliver: the head, and then the bytes as one chunk.
    struct Parts: Equatable {
        var head: ResponseHead?
        var chunk: ByteBuffer?
    }

    /// The size up to which the bytes of one read are joined while the exchange has room.
    static let longestJoined = 64 * 1024

    private var held = Parts()
    /// Whether a part has been received in the current read.
    private(set) var isInRead = false
    /// Whether the exchange has got a chunk, and has not taken it.
    private(set) var hasUntakenChunk = false

    /// Holds the head of the response.
    mutating func receivedHead(_ head: ResponseHead) { (held.head, isInRead) = (head, true) }

    /// Holds bytes of the body.
    ///
    /// - Returns: The earlier parts, if they must be delivered now.
    mutating func receivedBody(_ bytes: ByteBuffer) -> Parts {
        isInRead = true
        guard let count = held.chunk?.readableBytes, count + bytes.readableBytes > Self.longestJoined,
            !hasUntakenChunk
        else {
            held.chunk.setOrWriteImmutableBuffer(bytes)
            return Parts()
        }
        defer { held.chunk = bytes }
        return removeAll()
    }

    /// Returns the parts to deliver at the end of a read.
    mutating func readEnded() -> Parts {
        isInRead = false
        return hasUntakenChunk ? Parts() : removeAll()
    }

    /// Returns the parts to deliver when the exchange has taken a chunk: those that have been held since the last read.
    mutating func chunkTaken() -> Parts {
        hasUntakenChunk = false
        return isInRead ? Parts() : removeAll()
    }

    /// Removes and returns all parts to deliver, after which the exchange has a chunk that it has not taken, if there are bytes.
    ///
    /// At the end of the response, and after a failure, they are delivered even if the exchange has no room.
    mutating func removeAll() -> Parts {
        defer { held = Parts() }
        if held.chunk != nil { hasUntakenChunk = true }
        return held
    }
}
#endif
