import NIOCore
import Workloads

/// One HTTP/1.1 connection.
final class PlainConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case head
        /// The connection receives a small body that is sent back.
        case echo(length: Int)
        /// The connection receives a body whose bytes are counted.
        case upload(left: Int, length: Int)
    }

    private static let chunk = ByteBuffer(repeating: 0x5A, count: 256 * 1_024)
    private static let user = ByteBuffer(
        string: responseHead(length: User.json.count) + String(decoding: User.json, as: UTF8.self)
    )

    private var state = State.head
    private var buffer = ByteBuffer()
    /// The number of bytes of a download that have not been sent.
    private var left = 0

    private static func responseHead(length: Int, type: String = "application/json") -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(length)\r\n\r\n"
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var piece = unwrapInboundIn(data)
        if case .upload(let left, let length) = state, piece.readableBytes <= left {
            // The bytes are not buffered, because there are many of them.
            receiveUpload(piece.readableBytes, left: left, length: length, context)
            return
        }
        if buffer.readableBytes == 0 { buffer = piece } else { buffer.writeBuffer(&piece) }
        while step(context) {}
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

    func channelWritabilityChanged(context: ChannelHandlerContext) { sendMore(context) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Processes buffered data, and returns whether there may be more to process.
    private func step(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .head:
            guard let head = RequestReader.head(from: &buffer) else { return false }
            begin(head, context)
            return buffer.readableBytes > 0
        case .echo(let length):
            guard let body = buffer.readSlice(length: length) else { return false }
            context.write(wrapOutboundOut(ByteBuffer(string: Self.responseHead(length: length))), promise: nil)
            context.write(wrapOutboundOut(body), promise: nil)
            state = .head
            return buffer.readableBytes > 0
        case .upload(let left, let length):
            let count = min(left, buffer.readableBytes)
            buffer.moveReaderIndex(forwardBy: count)
            receiveUpload(count, left: left, length: length, context)
            return buffer.readableBytes > 0
        }
    }

    private func begin(_ head: RequestReader.Head, _ context: ChannelHandlerContext) {
        if head.target.contains("/bytes/") {
            left = head.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
            let text = Self.responseHead(length: left, type: "application/octet-stream")
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            sendMore(context)
        } else if head.target.hasSuffix("/upload") {
            state = .upload(left: head.length, length: head.length)
        } else if head.isGet {
            context.write(wrapOutboundOut(Self.user), promise: nil)
        } else {
            state = .echo(length: head.length)
        }
    }

    private func receiveUpload(_ count: Int, left: Int, length: Int, _ context: ChannelHandlerContext) {
        guard count == left else { return state = .upload(left: left - count, length: length) }
        let text = "{\"bytes\":\(length)}"
        context.writeAndFlush(
            wrapOutboundOut(ByteBuffer(string: Self.responseHead(length: text.utf8.count) + text)),
            promise: nil
        )
        state = .head
    }

    private func sendMore(_ context: ChannelHandlerContext) {
        while left > 0, context.channel.isWritable {
            let count = min(left, Self.chunk.readableBytes)
            left -= count
            let piece = Self.chunk.getSlice(at: 0, length: count) ?? Self.chunk
            context.writeAndFlush(wrapOutboundOut(piece), promise: nil)
        }
    }
}
