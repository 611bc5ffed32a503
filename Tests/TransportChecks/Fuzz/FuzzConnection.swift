#if NIO && !canImport(Darwin)
import NIOCore

/// A connection on which the server follows a case, as far as it understands the client.
final class FuzzConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The expected next message of the client.
    private enum Step {
        case socksMethods, socksRequest, connect, http1, http2Preface, http2
    }

    private let plan: FuzzPlan
    private let slot: FuzzSlot
    private var step: Step
    private var received: [UInt8] = []

    init(_ mode: FuzzMode, _ plan: FuzzPlan, _ slot: FuzzSlot) {
        self.plan = plan
        self.slot = slot
        step =
            switch mode {
            case .http1, .https1, .tls: .http1
            case .http2: .http2Preface
            case .connect: .connect
            case .socks: .socksMethods
            }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    private var isOpen = false

    private func open(_ context: ChannelHandlerContext) {
        guard !isOpen else { return }
        isOpen = true
        if let opening = plan.opening { send(opening, context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        while advance(context) {}
    }

    /// Processes one received message, and returns whether there was one.
    private func advance(_ context: ChannelHandlerContext) -> Bool {
        switch step {
        case .socksMethods:
            guard received.count >= 2, received.count >= 2 + Int(received[1]) else { return false }
            received.removeFirst(2 + Int(received[1]))
            step = .socksRequest
            replyAsProxy(0, context)
        case .socksRequest:
            // Version, command, zero, address type, the address, the port; or a password, which has another form.
            guard received.count >= 5 else { return false }
            received = []
            step = .http1
            replyAsProxy(1, context)
        case .connect:
            guard let head = takeHead() else { return false }
            step = .http1
            if head.starts(with: "CONNECT ".utf8) { replyAsProxy(0, context) } else { reply(stream: 1, context) }
        case .http1:
            guard takeHead() != nil else { return false }
            reply(stream: 1, context)
        case .http2Preface:
            guard received.count >= 24 else { return false }
            received.removeFirst(24)
            step = .http2
        case .http2: return takeFrame(context)
        }
        return true
    }

    private func takeFrame(_ context: ChannelHandlerContext) -> Bool {
        guard received.count >= 9 else { return false }
        let length = Int(received[0]) << 16 | Int(received[1]) << 8 | Int(received[2])
        guard received.count >= 9 + length else { return false }
        let type = received[3]
        let flags = received[4]
        let stream = received[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        received.removeFirst(9 + length)
        if type == FuzzFrame.Kind.settings.rawValue, flags & FuzzFrame.acknowledgment == 0 {
            let frame = FuzzFrame(.settings, flags: FuzzFrame.acknowledgment, stream: .fixed(0))
            send(FuzzReply(content: .frames([frame])), context)
        } else if type == FuzzFrame.Kind.headers.rawValue {
            reply(stream: stream, context)
        }
        return true
    }

    /// Parses a request's head, after the body of the previous request.
    private func takeHead() -> ArraySlice<UInt8>? {
        let end = Array("\r\n\r\n".utf8)
        var index = 0
        while index + 4 <= received.count {
            guard received[index] == 13, received[index..<index + 4].elementsEqual(end) else {
                index += 1
                continue
            }
            let head = received[..<index]
            received = Array(received[(index + 4)...])
            // The end of a chunked body looks the same but has no version.
            if head.lastIndex(of: UInt8(ascii: "H")) != nil { return head }
            index = 0
        }
        // A body's bytes are not kept.
        if received.count > 65_536 { received = Array(received.suffix(4_096)) }
        return nil
    }

    private func replyAsProxy(_ index: Int, _ context: ChannelHandlerContext) {
        guard index < plan.proxyReplies.count else { return }
        send(plan.proxyReplies[index], context)
    }

    private func reply(stream: UInt32, _ context: ChannelHandlerContext) {
        guard !plan.replies.isEmpty, let number = slot.countRequest() else { return }
        send(plan.replies[number % plan.replies.count], context, stream: stream)
    }

    /// Pending replies are sent one after the other, so that their pieces do not mix.
    private var unsent: [(pieces: ArraySlice<ArraySlice<UInt8>>, ending: FuzzReply.Ending)] = []
    private var isSending = false

    private func send(_ reply: FuzzReply, _ context: ChannelHandlerContext, stream: UInt32 = 1) {
        unsent.append((reply.pieces(stream: stream)[...], reply.ending))
        if !isSending { sendNext(context) }
    }

    /// Sends one piece after the other, so that the client reads them separately.
    private func sendNext(_ context: ChannelHandlerContext) {
        guard let (pieces, ending) = unsent.first else { return }
        guard let piece = pieces.first else {
            unsent.removeFirst()
            switch ending {
            case .keep: sendNext(context)
            case .close: context.close(promise: nil)
            case .reset: context.triggerUserOutboundEvent(RecordGate.Close.byReset, promise: nil)
            }
            return
        }
        unsent[0].pieces = pieces.dropFirst()
        isSending = true
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess {
            self.isSending = false
            self.sendNext(context)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: piece)), promise: promise)
    }
}
#endif
