#if NIO && !canImport(Darwin)
import NIOCore

/// The bytes that a connection has sent over TCP, as the system counts them.
///
/// The socket accepts many bytes at once, and a slow path carries them for longer than an idle timeout. In this time no write
/// succeeds, although bytes are sent.
struct SentBytes {
    private var acknowledged: UInt64

    init(_ socket: ConnectionSocket?) { acknowledged = socket?.sentBytes?.acknowledged ?? 0 }

    /// Returns the time of the last packet with data or of the last acknowledgment, if the peer has acknowledged bytes since the last
    /// call.
    ///
    /// It is `nil` otherwise, and for connections that do not use TCP. The condition excludes packets that are sent again and again
    /// without success, and acknowledgments of a peer that takes no more bytes.
    mutating func takeLastTransfer(_ socket: ConnectionSocket) -> NIODeadline? {
        guard let now = socket.sentBytes, now.acknowledged != acknowledged else { return nil }
        acknowledged = now.acknowledged
        return .now() - .milliseconds(Int64(now.age))
    }
}
#endif
