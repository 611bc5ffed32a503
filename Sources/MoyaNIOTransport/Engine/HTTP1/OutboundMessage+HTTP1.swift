#if NIO && !canImport(Darwin)
    import HTTPTypes
    import NIOCore

    // The bytes of a request over HTTP/1.1.
    extension OutboundMessage {
        /// Returns the head of the request (RFC 9112, sections 3 and 5), followed by the body if that is in memory.
        func http1Start(_ allocator: ByteBufferAllocator) -> ByteBuffer {
            let lengthText: String
            switch framing {
            case .none: lengthText = ""
            case .length(let length): lengthText = "\r\nContent-Length: \(length)"
            case .chunked: lengthText = "\r\nTransfer-Encoding: chunked"
            }
            var size = method.utf8.count + target.utf8.count + authority.utf8.count + lengthText.utf8.count + 32
            var hasTE = false
            for field in headers {
                size += field.name.rawName.utf8.count + field.withUnsafeBytesOfValue { $0.count } + 4
                if field.name.canonicalName.utf8.count == 2, field.name == .te { hasTE = true }
            }
            // The option keeps an intermediary from forwarding the caller's `TE` (RFC 9110, section 10.1.4).
            let optionText = hasTE && !hasConnectionOption("te") ? "\r\nConnection: TE" : ""
            size += optionText.utf8.count
            var inline: ByteBuffer?
            if case .bytes(let bytes) = body {
                inline = bytes
                size += bytes.readableBytes
            }
            var buffer = allocator.buffer(capacity: size)
            // Written at once, since many small writes to a buffer cost several times as much.
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
                var writer = HeadWriter(bytes)
                writer.write(method)
                writer.write(" ")
                writer.write(target)
                writer.write(" HTTP/1.1\r\nHost: ")
                writer.write(authority)
                for field in headers {
                    writer.write("\r\n")
                    writer.write(field.name.rawName)
                    writer.write(": ")
                    field.withUnsafeBytesOfValue { writer.write(UnsafeRawBufferPointer($0)) }
                }
                writer.write(optionText)
                writer.write(lengthText)
                writer.write("\r\n\r\n")
                inline?.withUnsafeReadableBytes { writer.write($0) }
                return writer.count
            }
            return buffer
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

    /// Writes text and bytes one after another into memory, and drops a part that does not fit.
    private struct HeadWriter {
        private let bytes: UnsafeMutableRawBufferPointer
        /// The number of written bytes.
        private(set) var count = 0

        init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

        mutating func write(_ text: String) {
            var text = text
            text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
        }

        mutating func write(_ text: StaticString) {
            write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        mutating func write(_ source: UnsafeRawBufferPointer) {
            guard source.count <= bytes.count - count else { return assertionFailure("The size of a head is wrong.") }
            guard let address = source.baseAddress, let start = bytes.baseAddress else { return }
            (start + count).copyMemory(from: address, byteCount: source.count)
            count += source.count
        }
    }
#endif
