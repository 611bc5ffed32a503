import Foundation
import NIOCore
import NIOSSL

extension RawWriter {
    /// Resets the connection (RFC 9293, section 3.10.4), once the client's system has all that was written.
    public func reset() async throws {
        guard let socket = channel as? any SocketOptionProvider else { throw ChannelError.operationUnsupported }
        try await delivered(socket).flatMap { [channel] in
            // What is closed without waiting is reset.
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).flatMap { channel.close() }
        }.get()
    }

    /// A reset overtakes what is still to be sent.
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
    /// The kernel's `tcp_info` (linux/tcp.h), of which Glibc knows the beginning only.
    private struct KernelTCPInfo: Sendable {
        // More than kernels have; they fill what they know.
        private var words: InlineArray<128, UInt32>

        /// `tcpi_unacked` counts packets on their way, `tcpi_notsent_bytes` what waits for its turn.
        var isDelivered: Bool { words[6] == 0 && words[36] == 0 }
    }
#endif

extension RawWriter {
    /// Closes the connection of a server with TLS without its close alert (`close_notify`), or resets it.
    ///
    /// What was written is sent first.
    public func closeWithoutAlert(reset: Bool = false) async throws {
        guard let socket = channel as? any SocketOptionProvider else { throw ChannelError.operationUnsupported }
        try await delivered(socket).flatMap { [channel] in
            socket.setSoLinger(linger(l_onoff: reset ? 1 : 0, l_linger: 0)).flatMapThrowing {
                // From the context of TLS on down: the handler itself does not see it.
                try channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self).close(promise: nil)
            }
        }.get()
    }
}
