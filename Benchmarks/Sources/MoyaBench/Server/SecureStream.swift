import NIOCore
import NIOHTTP1
import Workloads

/// One request over TLS with HTTP/2 or HTTP/1.1: GET returns the user, other methods return their body.
final class SecureStream: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let user = ByteBuffer(bytes: User.json)

    private var version = HTTPVersion.http1_1
    private var body = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            version = head.version
            body = head.method == .GET ? Self.user : ByteBuffer()
        case .body(var piece):
            body.writeBuffer(&piece)
        case .end:
            let fields: HTTPHeaders = [
                "content-type": "application/json", "content-length": "\(body.readableBytes)",
            ]
            let head = HTTPResponseHead(version: version, status: .ok, headers: fields)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
