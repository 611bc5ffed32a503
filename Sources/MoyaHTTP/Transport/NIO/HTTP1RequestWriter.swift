#if NIO && !canImport(Darwin)
    import HTTPTypes
    import NIOCore

    extension OutboundRequest {
        /// Writes the head of the request (RFC 9112, sections 3 and 5), and the body if it is in memory.
        func write(to buffer: inout ByteBuffer) {
            // An array, since many small writes to a buffer cost three times as much.
            var head: [UInt8] = []
            head.reserveCapacity(512)
            head += method.utf8
            head += " ".utf8
            head += target.utf8
            head += " HTTP/1.1\r\nHost: ".utf8
            head += authority.utf8
            for field in headers {
                head += "\r\n".utf8
                head += field.name.rawName.utf8
                head += ": ".utf8
                field.withUnsafeBytesOfValue { head += $0 }
            }
            switch framing {
            case .none: break
            case .length(let length):
                head += "\r\nContent-Length: ".utf8
                head += String(length).utf8
            case .chunked:
                head += "\r\nTransfer-Encoding: chunked".utf8
            }
            head += "\r\n\r\n".utf8
            buffer.writeBytes(head)
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
                field.name == .connection && field.value.lowercasedListElements.contains("close")
            }
        }
    }
#endif
