#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

/// The bytes that a connection has sent over TCP, as the system counts them.
///
/// The socket accepts many bytes at once, and a slow path carries them for longer than an idle timeout. In this time no write
/// succeeds, although bytes are sent.
struct SentBytes {
    private var acknowledged: UInt64

    init(_ context: ChannelHandlerContext?) { acknowledged = context?.sentBytes?.acknowledged ?? 0 }

    /// Returns the time of the last packet with data or of the last acknowledgment, if the peer has acknowledged bytes since the last
    /// call.
    ///
    /// It is `nil` otherwise, and for connections that do not use TCP. The condition excludes packets that are sent again and again
    /// without success, and acknowledgments of a peer that takes no more bytes.
    mutating func takeLastTransfer(_ context: ChannelHandlerContext) -> NIODeadline? {
        guard let now = context.sentBytes, now.acknowledged != acknowledged else { return nil }
        acknowledged = now.acknowledged
        return .now() - .milliseconds(Int64(now.age))
    }
}

extension ChannelHandlerContext {
    /// The number of bytes that the peer has acknowledged, and the milliseconds since the last packet with data or acknowledgment.
    fileprivate var sentBytes: (acknowledged: UInt64, age: UInt32)? {
        let result = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { socket -> (UInt64, UInt32)? in
            // The declaration of `tcp_info` in many C libraries ends before the number of bytes, which Linux 4.1 has added.
            withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { info in
                var length = socklen_t(info.count)
                guard getsockopt(socket, CInt(IPPROTO_TCP), CInt(TCP_INFO), info.baseAddress, &length) == 0,
                    length == info.count
                else { return nil }
                let sent = info.load(fromByteOffset: 44, as: UInt32.self)
                let received = info.load(fromByteOffset: 56, as: UInt32.self)
                return (info.load(fromByteOffset: 120, as: UInt64.self), min(sent, received))
            }
        }
        return result ?? nil
    }
}
#endif
