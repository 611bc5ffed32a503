#if NIO && !canImport(Darwin)
import NIOCore

/// The handler next to the socket, which closes the connection without the handlers above, and records when bytes have been
/// received.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private var context: ChannelHandlerContext?
    private var isClosing = false
    /// The time of the last bytes from the socket; `nil` if there were none.
    private(set) var lastRead: NIODeadline?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastRead = .now()
        context.fireChannelRead(data)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func closeNow() {
        guard !isClosing else { return }
        isClosing = true
        context?.close(promise: nil)
    }
}
#endif
