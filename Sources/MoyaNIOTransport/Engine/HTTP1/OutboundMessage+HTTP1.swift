#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore

// The bytes of a request over HTTP/1.1.
extension OutboundMessage {
    /// Returns the head of the request (RFC 9112, sections 3 and 5), followed by the body if that is in memory.
    func http1Start(_ allocator: ByteBufferAllocator) -> ByteBuffer {
        var inline: ByteBuffer?
        if case .bytes(let bytes) = body { inline = bytes }
        let bodySize = inline?.readableBytes ?? 0
        // Most heads fit, and are not measured first. A longer one is written again into a buffer of its size.
        var capacity = 1_024
        while true {
            var buffer = allocator.buffer(capacity: capacity + bodySize)
            var size = 0
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: capacity) { bytes in
                var writer = HeadWriter(bytes)
                writeHead(to: &writer)
                size = writer.count
                return min(size, bytes.count)
            }
            if size <= buffer.readableBytes {
                if let inline { buffer.writeImmutableBuffer(inline) }
                return buffer
            }
            capacity = size
        }
    }

    private func writeHead(to writer: inout HeadWriter) {
        writer.write(method)
        writer.write(UInt8(ascii: " "))
        writer.write(target)
        writer.write(" HTTP/1.1\r\nHost: ")
        writer.write(authority)
        var hasTE = false
        for field in headers {
            writer.writeLineBreak()
            writer.write(field.name.rawName)
            writer.write(UInt8(ascii: ":"))
            writer.write(UInt8(ascii: " "))
            field.withUnsafeBytesOfValue { writer.write(UnsafeRawBufferPointer($0)) }
            if field.name.canonicalName.utf8.count == 2, field.name == .te { hasTE = true }
        }
        if let upgrade {
            writer.write("\r\nConnection: Upgrade")
            if hasTE { writer.write(", TE") }
            writer.write("\r\nUpgrade: ")
            writer.write(upgrade.name)
        } else if hasTE, !hasConnectionOption("te") {
            // The option keeps an intermediary from forwarding the caller's `TE` (RFC 9110, section 10.1.4).
            writer.write("\r\nConnection: TE")
        }
        switch framing {
        case .none: break
        case .length(let length): writer.write("\r\nContent-Length: \(length)")
        case .chunked: writer.write("\r\nTransfer-Encoding: chunked")
        }
        writer.writeLineBreak()
        writer.writeLineBreak()
    }

    /// Returns the buffers for a piece of a streamed body; empty for an empty piece, which would end a chunked
    /// body.
    func http1Buffers(for piece: ByteBuffer) -> [ByteBuffer] {
        guard piece.readableBytes > 0 else { return [] }
        guard framing == .chunked else { return [piece] }
        return [
            ByteBuffer(string: "\(String(piece.readableBytes, radix: 16))\r\n"), piece, ByteBuffer(string: "\r\n"),
        ]
    }

    /// Returns the end of a streamed body, with its trailers (RFC 9112, sections 7.1 and 7.1.2).
    func http1End(trailers: HTTPFields = HTTPFields()) -> ByteBuffer? {
        guard framing == .chunked else { return nil }
        var buffer = ByteBuffer(string: "0\r\n")
        for field in trailers {
            buffer.writeString("\(field.name.rawName): ")
            field.withUnsafeBytesOfValue { _ = buffer.writeBytes($0) }
            buffer.writeString("\r\n")
        }
        buffer.writeString("\r\n")
        return buffer
    }

    /// Whether the request closes the connection after the response (RFC 9112, section 9.6).
    var shouldCloseConnection: Bool { hasConnectionOption("close") }

    /// Whether a `Connection` field has an option, in lower case.
    private func hasConnectionOption(_ option: String) -> Bool {
        headers.contains { field in
            field.name.canonicalName.utf8.count == 10 && field.name == .connection
                && field.value.lowercasedListElements.contains(option)
        }
    }
}

/// Writes text and bytes one after another into memory, and counts those that do not fit.
private struct HeadWriter {
    private let bytes: UnsafeMutableRawBufferPointer
    /// The number of bytes, written or not.
    private(set) var count = 0

    init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    mutating func writeLineBreak() {
        write(UInt8(ascii: "\r"))
        write(UInt8(ascii: "\n"))
    }

    @inline(__always)
    mutating func write(_ byte: UInt8) {
        if count < bytes.count { bytes[count] = byte }
        count += 1
    }

    @inline(__always)
    mutating func write(_ source: UnsafeRawBufferPointer) {
        if source.count <= bytes.count - count, let address = source.baseAddress, let start = bytes.baseAddress {
            (start + count).copyMemory(from: address, byteCount: source.count)
        }
        count += source.count
    }
}
#endif
