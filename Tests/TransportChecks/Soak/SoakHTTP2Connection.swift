#if NIO && !canImport(Darwin)
import NIOCore
import NIOHPACK
import TestSupport

/// A connection of the misbehaving server that speaks HTTP/2, frame by frame.
final class SoakHTTP2Connection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let ledger: SoakLedger
    private var random: SeededGenerator
    private var received = ByteBuffer()
    private var hasPreface = false
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var block: (stream: UInt32, bytes: ByteBuffer, endsStream: Bool)?
    private var requests = 0
    /// The stream of the last received request.
    private var lastReceived: UInt32 = 0
    /// The behaviors that wait for the end of the request's body.
    private var waiting: [UInt32: (SoakBehavior, Int)] = [:]
    private var reset: Set<UInt32> = []
    /// The last stream that is processed according to a GOAWAY; `nil` before the GOAWAY.
    private var lastStream: UInt32?

    init(_ ledger: SoakLedger, _ random: SeededGenerator) {
        self.ledger = ledger
        self.random = random
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let streams: UInt32 = random.one(of: 100, 100, 4, 1_000)
        // SETTINGS_MAX_CONCURRENT_STREAMS.
        let settings: [(UInt16, UInt32)] = [(3, streams)]
        write([FuzzFrame.settings(settings)], context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        received.writeBuffer(&data)
        if !hasPreface {
            guard received.readableBytes >= 24 else { return }
            received.moveReaderIndex(forwardBy: 24)
            hasPreface = true
        }
        while let head = received.getBytes(at: received.readerIndex, length: 9) {
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard received.readableBytes >= 9 + length else { break }
            received.moveReaderIndex(forwardBy: 9)
            guard let payload = received.readSlice(length: length) else { break }
            let stream = head[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            read(head[3], head[4], stream, payload, context)
        }
        received.discardReadBytes()
    }

    private func read(
        _ type: UInt8,
        _ flags: UInt8,
        _ stream: UInt32,
        _ payload: ByteBuffer,
        _ context: ChannelHandlerContext
    ) {
        let endsStream = flags & FuzzFrame.endStream != 0
        switch FuzzFrame.Kind(rawValue: type) {
        case .settings where flags & FuzzFrame.acknowledgment == 0:
            write([FuzzFrame(.settings, flags: FuzzFrame.acknowledgment, stream: .fixed(0))], context)
        case .ping where flags & FuzzFrame.acknowledgment == 0:
            let payload = Array(payload.readableBytesView)
            write([FuzzFrame(.ping, flags: FuzzFrame.acknowledgment, stream: .fixed(0), payload: payload)], context)
        case .headers:
            var payload = payload
            let padding = flags & FuzzFrame.padded != 0 ? Int(payload.readInteger(as: UInt8.self) ?? 0) : 0
            if flags & FuzzFrame.hasPriority != 0 { payload.moveReaderIndex(forwardBy: 5) }
            let bytes = payload.readSlice(length: payload.readableBytes - padding) ?? ByteBuffer()
            block = (stream, bytes, endsStream)
            if flags & FuzzFrame.endHeaders != 0 { readBlock(context) }
        case .continuation:
            var payload = payload
            block?.bytes.writeBuffer(&payload)
            if flags & FuzzFrame.endHeaders != 0 { readBlock(context) }
        case .data:
            if payload.readableBytes > 0 {
                let count = FuzzFrame.bytes(UInt32(payload.readableBytes))
                write([FuzzFrame(.windowUpdate, stream: .fixed(0), payload: count)], context)
                if !endsStream { write([FuzzFrame(.windowUpdate, payload: count)], on: stream, context) }
            }
            if endsStream, let (behavior, id) = waiting.removeValue(forKey: stream) {
                act(behavior, id, stream, context)
            }
        case .reset:
            waiting[stream] = nil
            reset.insert(stream)
        case .goAway: context.close(promise: nil)
        default: break
        }
    }

    private func readBlock(_ context: ChannelHandlerContext) {
        guard let (stream, whole, endsStream) = block else { return }
        block = nil
        var bytes = whole
        guard let fields = try? decoder.decodeHeaders(from: &bytes),
            let (behavior, id) = fields.first(name: ":path").flatMap(SoakPath.parse)
        else { return context.close(promise: nil) }
        if let lastStream, stream > lastStream { return }
        requests += 1
        lastReceived = stream
        switch behavior {
        case .refuse where ledger.refuse(id) == 0:
            return write([FuzzFrame(.reset, payload: FuzzFrame.bytes(7))], on: stream, context)
        case .goAwayBefore where ledger.refuse(id) == 0:
            return goAway(last: stream > 2 ? stream - 2 : 0, context)
        default: break
        }
        ledger.receive(id)
        if behavior == .early {
            respond(id, stream, context, status: "413")
            if !endsStream { write([FuzzFrame(.reset, payload: FuzzFrame.bytes(0))], on: stream, context) }
        } else if endsStream {
            act(behavior, id, stream, context)
        } else {
            waiting[stream] = (behavior, id)
        }
    }

    private func goAway(last: UInt32, _ context: ChannelHandlerContext) {
        let last = min(last, lastStream ?? last)
        lastStream = last
        let payload = FuzzFrame.bytes(last) + FuzzFrame.bytes(0)
        write([FuzzFrame(.goAway, stream: .fixed(0), payload: payload)], context)
    }

    private func act(_ behavior: SoakBehavior, _ id: Int, _ stream: UInt32, _ context: ChannelHandlerContext) {
        switch behavior {
        case .ok, .refuse, .goAwayBefore, .early: respond(id, stream, context)
        case .slow: later(1 + random.below(10), context) { self.respond(id, stream, context) }
        case .stall: break
        case .drip:
            write([head()], on: stream, context)
            drip(Array(SoakPath.body(id).utf8)[...], stream, context)
        case .truncate:
            write([head(), FuzzFrame(.data, payload: Array("short".utf8)), resetFrame()], on: stream, context)
        case .abort: write([resetFrame()], on: stream, context)
        case .reset: context.triggerUserOutboundEvent(RecordGate.Close.byReset, promise: nil)
        case .closeAfter:
            respond(id, stream, context)
            context.close(promise: nil)
        case .closeIfReused:
            if requests > 1 { context.close(promise: nil) } else { respond(id, stream, context) }
        case .interim:
            var hints = HPACKBlock()
            hints.add(":status", "103")
            let frame = FuzzFrame(.headers, flags: FuzzFrame.endHeaders, payload: hints.bytes)
            write([frame, frame], on: stream, context)
            later(random.below(3), context) { self.respond(id, stream, context) }
        case .goAway:
            // Requests that arrived with this one will be processed, too.
            goAway(last: lastReceived, context)
            later(random.below(3), context) { self.respond(id, stream, context) }
        case .garbage:
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 400 \r\n\r\n")), promise: nil)
        }
    }

    private func resetFrame() -> FuzzFrame {
        // INTERNAL_ERROR or CANCEL.
        FuzzFrame(.reset, payload: FuzzFrame.bytes(random.one(of: 2, 8)))
    }

    private func head(status: String = "200") -> FuzzFrame {
        var block = HPACKBlock()
        block.add(":status", status)
        return FuzzFrame(.headers, flags: FuzzFrame.endHeaders, payload: block.bytes)
    }

    private func respond(_ id: Int, _ stream: UInt32, _ context: ChannelHandlerContext, status: String = "200") {
        let body = Array(SoakPath.body(id).utf8)
        write(
            [head(status: status), FuzzFrame(.data, flags: FuzzFrame.endStream, payload: body)],
            on: stream,
            context
        )
    }

    private func drip(_ bytes: ArraySlice<UInt8>, _ stream: UInt32, _ context: ChannelHandlerContext) {
        let piece = bytes.prefix(4)
        let rest = bytes.dropFirst(4)
        write(
            [FuzzFrame(.data, flags: rest.isEmpty ? FuzzFrame.endStream : 0, payload: Array(piece))],
            on: stream,
            context
        )
        if !rest.isEmpty { later(1, context) { self.drip(rest, stream, context) } }
    }

    /// Writes frames on a stream that has not been reset.
    ///
    /// The bodies are so small that the client's windows never matter.
    private func write(_ frames: [FuzzFrame], on stream: UInt32 = 0, _ context: ChannelHandlerContext) {
        guard stream == 0 || !reset.contains(stream) else { return }
        var bytes: [UInt8] = []
        for frame in frames { frame.append(to: &bytes, requestStream: stream) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func later(_ milliseconds: Int, _ context: ChannelHandlerContext, _ action: @escaping () -> Void) {
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) { action() }
    }
}
#endif
