#if NIO && !canImport(Darwin)
import NIOCore
import NIOTLS

/// A handler that waits for the end of the TLS handshake.
///
/// If the channel fails or closes first, the promise fails.
final class TLSHandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let promise: EventLoopPromise<String?>

    private let explain: (any Error) -> any Error

    /// `explain` returns a more specific error, if there is one.
    init(_ promise: EventLoopPromise<String?>, explain: @escaping (any Error) -> any Error) {
        self.promise = promise
        self.explain = explain
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent { promise.succeed(negotiated) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(explain(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ConnectionClosed())
        context.fireChannelInactive()
    }
}
#endif
