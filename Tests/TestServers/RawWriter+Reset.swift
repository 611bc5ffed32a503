import Foundation
import NIOCore
import NIOSSL

extension RawWriter {
    /// Resets the connection (RFC 9293, section 3.10.4), after the client's system has received all written bytes.
    public func reset() async throws {
        guard let socket = channel as? any SocketOptionProvider else { throw ChannelError.operationUnsupported }
        try await delivered(socket).flatMap { [channel] in
            // A socket that is closed without lingering is reset.
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).flatMap { channel.close() }
        }.get()
    }

    /// Waits until the written bytes were delivered, because a reset overtakes unsent bytes.
    private func delivered(_ socket: any SocketOptionProvider) -> EventLoopFuture<Void> {
        #if os(Linux)
        let state: EventLoopFuture<KernelTCPInfo> = socket.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
        return state.flatMap { [channel] state in
            if state.isDelivered { return channel.eventLoop.makeSucceededVoidFuture() }
            return channel.eventLoop.scheduleTask(in: .milliseconds(1)) {}.futureResult.flatMap {
                delivered(socket)
            }
        }
        #else
        return channel.eventLoop.makeSucceededVoidFuture()
        #endif
    }
}

#if os(Linux)
/// The kernel's `tcp_info` (linux/tcp.h); Glibc declares only the beginning of it.
private struct KernelTCPInfo: Sendable {
    // The array is larger than the structure of any kernel version.
    private var words: InlineArray<128, UInt32>

    /// `tcpi_unacked` counts unacknowledged packets, and `tcpi_notsent_bytes` unsent bytes.
    var isDelivered: Bool { words[6] == 0 && words[36] == 0 }
}
#endif

extension RawWriter {
    /// Closes the connection of a server with TLS without its close alert (`close_notify`), or resets it.
    ///
    /// The method first waits until the written bytes were delivered.
    public func closeWithoutAlert(reset: Bool = false) async throws {
        guard let socket = channel as? any SocketOptionProvider else { throw ChannelError.operationUnsupported }
        try await delivered(socket).flatMap { [channel] in
            socket.setSoLinger(linger(l_onoff: reset ? 1 : 0, l_linger: 0)).flatMapThrowing {
                // The context of the TLS handler closes the channel below it, so that the handler does not send its alert.
                try channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self).close(promise: nil)
            }
        }.get()
    }
}
