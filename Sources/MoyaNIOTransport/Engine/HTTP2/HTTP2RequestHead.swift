#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore
import NIOHPACK

/// The header section of a request (RFC 9113, section 8.3.1), or its trailers.
struct HTTP2RequestHead {
    /// The fields that are valid UTF-8, as swift-nio-http2's encoder needs them.
    private(set) var fields = HPACKHeaders()
    /// The other fields.
    private(set) var byteFields: [HTTPField] = []
}

extension HTTP2RequestHead {
    /// Creates the header section of a request.
    ///
    /// Connection-specific fields of HTTP/1.1 are omitted (section 8.2.2). Secrets, and values that differ each
    /// time, are not added to the compression table (RFC 7541, section 7.1). A request for an upgrade is an extended CONNECT (RFC 8441),
    /// which has no key of a WebSocket (section 5).
    init(_ message: OutboundMessage) {
        self.init()
        fields.reserveCapacity(message.headers.count + 5)
        fields.add(name: ":method", value: message.upgrade == nil ? message.method : "CONNECT")
        if let upgrade = message.upgrade { fields.add(name: ":protocol", value: upgrade.name) }
        fields.add(name: ":scheme", value: "https")
        fields.add(name: ":authority", value: message.authority)
        fields.add(name: ":path", value: message.target, indexing: .nonIndexable)
        var acceptsTrailers = false
        for field in message.headers {
            let field = field.withoutOuterSpaces
            let name = field.name.canonicalName
            // The lengths rule out nearly all other names.
            switch (name.utf8.count, name) {
            case (4, "host"), (7, "upgrade"), (10, "connection"), (10, "keep-alive"), (14, "http2-settings"),
                (16, "proxy-connection"), (17, "transfer-encoding"):
                continue
            case (17, "sec-websocket-key") where message.upgrade != nil:
                continue
            case (2, "te"):
                acceptsTrailers = acceptsTrailers || field.value.lowercasedListElements.contains("trailers")
            case _ where !field.isUTF8:
                byteFields.append(field)
            case (6, "cookie"), (13, "authorization"), (19, "proxy-authorization"):
                fields.add(name: name, value: field.value, indexing: .neverIndexed)
            default:
                fields.add(name: name, value: field.value)
            }
        }
        // The only value that is allowed.
        if acceptsTrailers { fields.add(name: "te", value: "trailers") }
        if case .length(let length) = message.framing {
            fields.add(name: "content-length", value: String(length), indexing: .nonIndexable)
        }
    }

    /// Creates the trailers of a request (section 8.1).
    ///
    /// ``HTTPBody/Reader/trailers()`` has refused connection-specific fields.
    init(trailers: HTTPFields) {
        self.init()
        for field in trailers {
            let field = field.withoutOuterSpaces
            if field.isUTF8 {
                fields.add(name: field.name.canonicalName, value: field.value)
            } else {
                byteFields.append(field)
            }
        }
    }

    /// The size as SETTINGS_MAX_HEADER_LIST_SIZE defines it (RFC 9113, section 6.5.2).
    var listSize: Int {
        fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
            + byteFields.reduce(0) { $0 + $1.name.canonicalName.utf8.count + $1.bytes.count + 32 }
    }
}

extension HTTPField {
    /// The field without spaces and tabs around its value, which are not allowed (RFC 9113, section 8.2.1).
    ///
    /// Only a lenient value can have them.
    fileprivate var withoutOuterSpaces: HTTPField {
        let hasOuterSpaces = withUnsafeBytesOfValue {
            $0.first?.isFieldSpace == true || $0.last?.isFieldSpace == true
        }
        return hasOuterSpaces ? HTTPField(name: name, value: bytes) : self
    }
}

extension HPACKEncoder {
    /// Encodes a header section.
    mutating func encode(_ head: HTTP2RequestHead, to block: inout ByteBuffer) throws {
        try encode(headers: head.fields, to: &block)
        // Literals that are never indexed do not change the state of the encoder (RFC 7541, section 6.2.3).
        for field in head.byteFields {
            block.writeInteger(UInt8(0x10))
            block.writeHPACKString(Array(field.name.canonicalName.utf8))
            block.writeHPACKString(field.bytes)
        }
    }
}

extension ByteBuffer {
    /// Writes a string without Huffman code (RFC 7541, sections 5.1 and 5.2).
    fileprivate mutating func writeHPACKString(_ bytes: [UInt8]) {
        if bytes.count < 127 {
            writeInteger(UInt8(bytes.count))
        } else {
            writeInteger(UInt8(127))
            var rest = bytes.count - 127
            while rest >= 128 {
                writeInteger(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            writeInteger(UInt8(rest))
        }
        writeBytes(bytes)
    }
}
#endif
