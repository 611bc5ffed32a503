#if NIO && !canImport(Darwin)
import NIOCore
import NIOHTTP1
import TestSupport

/// A connection of the misbehaving server that speaks HTTP/1.1.
final class SoakHTTP1Connection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let ledger: SoakLedger
    private var random: SeededGenerator
    private var requests = 0
    private var current: (behavior: SoakBehavior, id: Int)?

    init(_ ledger: SoakLedger, _ random: SeededGenerator) {
        self.ledger = ledger
        self.random = random
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard let (behavior, id) = SoakPath.parse(head.uri) else { return context.close(promise: nil) }
            requests += 1
            ledger.receive(id)
            current = (behavior, id)
            if behavior == .early {
                current = nil
                respond(id, context, status: "413 Content Too Large", extra: "Connection: close\r\n")
                context.close(promise: nil)
            }
        case .body: break
        case .end:
            guard let (behavior, id) = current else { return }
            current = nil
            act(behavior, id, context)
        }
    }

    private func act(_ behavior: SoakBehavior, _ id: Int, _ context: ChannelHandlerContext) {
        switch behavior {
        case .ok, .goAwayBefore, .refuse, .early: respond(id, context)
        case .slow: later(1 + random.below(10), context) { self.respond(id, context) }
        case .stall: break
        case .drip:
            let text = SoakPath.body(id)
            write("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n", context)
            drip(Array(text.utf8)[...], context)
        case .truncate:
            write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort", context)
            context.close(promise: nil)
        case .abort: context.close(promise: nil)
        case .reset: context.triggerUserOutboundEvent(RecordGate.Close.byReset, promise: nil)
        case .closeAfter:
            respond(id, context)
            later(random.below(3), context) { context.close(promise: nil) }
        case .closeIfReused:
            if requests > 1 { context.close(promise: nil) } else { respond(id, context) }
        case .interim:
            write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n", context)
            later(random.below(3), context) { self.respond(id, context) }
        case .goAway:
            respond(id, context, extra: "Connection: close\r\n")
            context.close(promise: nil)
        case .garbage:
            write("\u{0}HTP/9 garbage\r\n\r\n", context)
            context.close(promise: nil)
        }
    }

    private func respond(
        _ id: Int,
        _ context: ChannelHandlerContext,
        status: String = "200 OK",
        extra: String = ""
    ) {
        let body = SoakPath.body(id)
        write("HTTP/1.1 \(status)\r\n\(extra)Content-Length: \(body.utf8.count)\r\n\r\n\(body)", context)
    }

    private func drip(_ bytes: ArraySlice<UInt8>, _ context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes.prefix(4))), promise: nil)
        later(1, context) { self.drip(bytes.dropFirst(4), context) }
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    private func later(_ milliseconds: Int, _ context: ChannelHandlerContext, _ action: @escaping () -> Void) {
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) { action() }
    }
}

/// The path of a request to the misbehaving server, with the behavior and the request's number.
enum SoakPath {
    static func make(_ behavior: SoakBehavior, _ id: Int) -> String { "/\(behavior.rawValue)/\(id)" }

    static func parse(_ path: String) -> (SoakBehavior, Int)? {
        let parts = path.split(separator: "/")
        guard parts.count == 2, let behavior = SoakBehavior(rawValue: String(parts[0])), let id = Int(parts[1])
        else {
            return nil
        }
        return (behavior, id)
    }

    /// Returns the body of the response to a request, which no other response has.
    static func body(_ id: Int) -> String { "response to \(id)" }
}
#endif
