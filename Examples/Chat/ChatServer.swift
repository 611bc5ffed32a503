import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A chat server in this process, which sends each message of a member to all members.
///
/// It is written with SwiftNIO alone, so that the example shows the client only.
final class ChatServer: Sendable {
    private let channel: any Channel
    private let room: ChatRoom

    /// The port on which the server listens.
    var port: Int { channel.localAddress?.port ?? 0 }

    private init(_ channel: any Channel, _ room: ChatRoom) { (self.channel, self.room) = (channel, room) }

    /// Starts a server on a free port of the loopback address.
    static func start() async throws -> ChatServer {
        let room = ChatRoom()
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, head in
                let name = String(head.uri.split(separator: "=").last ?? "someone")
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ChatMember(name: name, room: room))
                }
            }
        )
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline(
                    withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in })
                )
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return ChatServer(channel, room)
    }

    /// Stops listening.
    func stop() async throws { try await channel.close() }
}

/// The members of a chat.
actor ChatRoom {
    private var members: [String: any Channel] = [:]

    func join(_ name: String, _ channel: any Channel) {
        members[name] = channel
        send("\(name) joined")
    }

    func leave(_ name: String) {
        members[name] = nil
        send("\(name) left")
    }

    func send(_ text: String) {
        for channel in members.values {
            channel.writeAndFlush(
                WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)),
                promise: nil
            )
        }
    }
}

/// The server's side of one member, which handles the frames of short messages.
// Unchecked because a handler is used on the event loop of its channel.
private final class ChatMember: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let name: String
    private let room: ChatRoom
    /// The last event of the member, which the next one follows.
    private var last: Task<Void, Never>?

    init(name: String, room: ChatRoom) { (self.name, self.room) = (name, room) }

    private func tell(_ body: @escaping @Sendable (ChatRoom) async -> Void) {
        last = Task { [room, last] in
            await last?.value
            await body(room)
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let (name, channel) = (name, context.channel)
        tell { await $0.join(name, channel) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let name = name
        tell { await $0.leave(name) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            let text = "\(name): \(String(buffer: frame.unmaskedData))"
            tell { await $0.send(text) }
        case .ping:
            context.writeAndFlush(
                wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)),
                promise: nil
            )
        case .connectionClose:
            let answer = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
            let channel = context.channel
            channel.writeAndFlush(answer).whenComplete { _ in channel.close(promise: nil) }
        default:
            break
        }
    }
}
