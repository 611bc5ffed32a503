#if NIO && !canImport(Darwin)
import NIOCore

// The writing of frames (RFC 9113, sections 4 and 6).
extension ByteBuffer {
    /// Writes the client connection preface (section 3.4).
    mutating func writeHTTP2Preface() { writeStaticString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") }

    mutating func writeHTTP2FrameHeader(
        _ type: HTTP2FrameType,
        _ flags: HTTP2Flags = [],
        stream: HTTP2Frame.StreamID,
        length: Int
    ) {
        writeInteger(UInt32(truncatingIfNeeded: length) << 8 | UInt32(type.rawValue))
        writeInteger(flags.rawValue)
        writeInteger(stream)
    }

    mutating func writeHTTP2Settings(_ settings: [HTTP2Setting]) {
        writeHTTP2FrameHeader(.settings, stream: 0, length: settings.count * 6)
        for setting in settings {
            writeInteger(setting.identifier)
            writeInteger(setting.value)
        }
    }

    mutating func writeHTTP2SettingsAcknowledgment() {
        writeHTTP2FrameHeader(.settings, .acknowledgment, stream: 0, length: 0)
    }

    mutating func writeHTTP2Ping(_ data: UInt64, isAcknowledgment: Bool) {
        writeHTTP2FrameHeader(.ping, isAcknowledgment ? .acknowledgment : [], stream: 0, length: 8)
        writeInteger(data)
    }

    mutating func writeHTTP2WindowUpdate(_ stream: HTTP2Frame.StreamID, increment: Int) {
        writeHTTP2FrameHeader(.windowUpdate, stream: stream, length: 4)
        writeInteger(UInt32(truncatingIfNeeded: increment))
    }

    mutating func writeHTTP2Reset(_ stream: HTTP2Frame.StreamID, _ code: HTTP2ErrorCode) {
        writeHTTP2FrameHeader(.resetStream, stream: stream, length: 4)
        writeInteger(code.rawValue)
    }

    /// Writes a GOAWAY frame.
    ///
    /// Its last stream is 0, since a server opens no streams (section 6.8).
    mutating func writeHTTP2GoAway(_ code: HTTP2ErrorCode) {
        writeHTTP2FrameHeader(.goAway, stream: 0, length: 8)
        writeInteger(UInt32(0))
        writeInteger(code.rawValue)
    }

    /// Writes a header block as a HEADERS frame, followed by CONTINUATION frames if it is too long (section
    /// 6.10).
    mutating func writeHTTP2Headers(
        _ stream: HTTP2Frame.StreamID,
        block: ByteBuffer,
        endStream: Bool,
        maximumPayload: Int
    ) {
        var block = block
        var type = HTTP2FrameType.headers
        var flags: HTTP2Flags = endStream ? .endStream : []
        repeat {
            let length = min(block.readableBytes, maximumPayload)
            if length == block.readableBytes { flags.insert(.endHeaders) }
            writeHTTP2FrameHeader(type, flags, stream: stream, length: length)
            if var fragment = block.readSlice(length: length) { writeBuffer(&fragment) }
            type = .continuation
            flags = []
        } while block.readableBytes > 0
    }
}
#endif
