#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

/// The socket of a connection, for system calls that SwiftNIO does not offer.
///
/// SwiftNIO finds the descriptor by a cast that takes ten thousand instructions, so a connection asks for it once. It must be used on
/// the event loop of the connection only.
struct ConnectionSocket {
    private let channel: any Channel
    private let descriptor: NIOBSDSocket.Handle

    /// Finds the socket of a channel; `nil` if the channel has none.
    init?(_ channel: any Channel) {
        let descriptor = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { $0 }
        guard let descriptor = descriptor ?? nil else { return nil }
        self.channel = channel
        self.descriptor = descriptor
    }

    /// Whether bytes, the end of the connection, or an error wait to be read.
    var hasPendingInput: Bool {
        guard let descriptor = openDescriptor else { return false }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
        return count >= 0 || ![EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
    }

    /// The number of bytes that the peer has acknowledged over TCP, and the milliseconds since the last packet with data or
    /// acknowledgment; `nil` for connections that do not use TCP.
    var sentBytes: (acknowledged: UInt64, age: UInt32)? {
        guard let descriptor = openDescriptor else { return nil }
        // The declaration of `tcp_info` in many C libraries ends before the number of bytes, which Linux 4.1 has added.
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { info in
            var length = socklen_t(info.count)
            guard getsockopt(descriptor, CInt(IPPROTO_TCP), CInt(TCP_INFO), info.baseAddress, &length) == 0,
                length == info.count
            else { return nil }
            let sent = info.load(fromByteOffset: 44, as: UInt32.self)
            let received = info.load(fromByteOffset: 56, as: UInt32.self)
            return (info.load(fromByteOffset: 120, as: UInt64.self), min(sent, received))
        }
    }

    /// The descriptor; `nil` if the channel is closed, because the number may belong to another file then.
    private var openDescriptor: NIOBSDSocket.Handle? { channel.isActive ? descriptor : nil }
}
#endif
