#if NIO && !canImport(Darwin)
    import HTTPTypes
    import NIOCore

    extension OutboundRequest {
        /// Writes the head of the request (RFC 9112, sections 3 and 5), and the body if it is in memory.
        func write(to buffer: inout ByteBuffer) {
            buffer.writeString(method)
            buffer.writeStaticString(" ")
            buffer.writeString(target)
            buffer.writeStaticString(" HTTP/1.1\r\nHost: ")
            buffer.writeString(authority)
            for field in headers {
                buffer.writeStaticString("\r\n")
                buffer.writeString(field.name.rawName)
                buffer.writeStaticString(": ")
                _ = field.withUnsafeBytesOfValue { buffer.writeBytes($0) }
            }
            switch framing {
            case .none: break
            case .length(let length):
                buffer.writeStaticString("\r\nContent-Length: ")
                buffer.writeString(String(length))
            case .chunked:
                buffer.writeStaticString("\r\nTransfer-Encoding: chunked")
            }
            buffer.writeStaticString("\r\n\r\n")
            if case .bytes(let bytes) = body { buffer.writeImmutableBuffer(bytes) }
        }

        /// Returns the buffers for a piece of a streamed body; empty for an empty piece, which would end a chunked
        /// body.
        func buffers(for piece: ByteBuffer) -> [ByteBuffer] {
            guard piece.readableBytes > 0 else { return [] }
            guard framing == .chunked else { return [piece] }
            return [
                ByteBuffer(string: "\(String(piece.readableBytes, radix: 16))\r\n"), piece, ByteBuffer(string: "\r\n"),
            ]
        }

        /// The end of a streamed body (RFC 9112, section 7.1).
        var bodyEnd: ByteBuffer? { framing == .chunked ? ByteBuffer(string: "0\r\n\r\n") : nil }

        /// Whether the request closes the connection after the response (RFC 9112, section 9.6).
        var closesConnection: Bool {
            headers.contains { field in
                field.name == .connection && HTTP1ResponseFraming.tokens(field.value).contains("close")
            }
        }
    }
#endif
