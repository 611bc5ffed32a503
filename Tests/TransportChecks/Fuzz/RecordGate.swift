#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

/// The handler directly above the socket, which mutates the TLS bytes of a case, and closes without a close alert.
final class RecordGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// An outbound event that closes the connection below TLS.
    enum Close: Sendable { case now, byReset }

    private let fault: RecordFault?
    private var sent = 0
    private var isStalled = false

    init(_ fault: RecordFault?) { self.fault = fault }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event as? Close {
        case .now: context.close(promise: promise)
        case .byReset: reset(context, promise)
        case nil: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    private func reset(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        let context = context
        guard let socket = context.channel as? any SocketOptionProvider else {
            return context.close(promise: promise)
        }
        // Closing with pending data resets the connection.
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            context.close(promise: promise)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let fault else { return context.write(data, promise: promise) }
        guard !isStalled else { return promise?.succeed() ?? () }
        var bytes = unwrapOutboundIn(data)
        let start = sent
        sent += bytes.readableBytes
        guard (start..<sent).contains(fault.offset) else { return context.write(data, promise: promise) }
        let place = fault.offset - start
        let head = bytes.readSlice(length: place) ?? ByteBuffer()
        switch fault.kind {
        case .close, .reset:
            context.writeAndFlush(wrapOutboundOut(head), promise: promise)
            isStalled = true
            fault.kind == .close ? context.close(promise: nil) : reset(context, nil)
            return
        case .stall:
            isStalled = true
            bytes = head
        case .flip:
            let byte: UInt8 = bytes.readInteger() ?? 0
            bytes = Self.joined(head, ByteBuffer(bytes: [byte ^ UInt8(truncatingIfNeeded: fault.count | 1)]), bytes)
        case .drop:
            bytes.moveReaderIndex(forwardBy: min(fault.count, bytes.readableBytes))
            bytes = Self.joined(head, bytes)
        case .duplicate:
            let copy = bytes.getSlice(at: bytes.readerIndex, length: min(fault.count, bytes.readableBytes))
            bytes = Self.joined(head, copy ?? ByteBuffer(), bytes)
        case .insert:
            bytes = Self.joined(head, ByteBuffer(repeating: UInt8(fault.count & 0xFF), count: fault.count), bytes)
        case .split:
            context.writeAndFlush(wrapOutboundOut(head), promise: nil)
        }
        context.write(wrapOutboundOut(bytes), promise: promise)
    }

    private static func joined(_ buffers: ByteBuffer...) -> ByteBuffer {
        var all = ByteBuffer()
        for var buffer in buffers { all.writeBuffer(&buffer) }
        return all
    }
}
#endif
