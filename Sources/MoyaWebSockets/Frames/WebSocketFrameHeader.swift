/// The header of a frame (RFC 6455, section 5.2).
package struct WebSocketFrameHeader: Equatable, Sendable {
    /// Whether the frame is the last one of its message.
    package var isFinal: Bool
    /// Whether RSV1 is set: on the first frame of a compressed message (RFC 7692, section 6).
    package var isCompressed: Bool
    package var opcode: WebSocketOpcode
    package var mask: WebSocketMask?
    package var payloadLength: Int

    /// Creates a header.
    package init(
        _ opcode: WebSocketOpcode,
        payloadLength: Int,
        isFinal: Bool = true,
        isCompressed: Bool = false,
        mask: WebSocketMask? = nil
    ) {
        self.opcode = opcode
        self.payloadLength = payloadLength
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.mask = mask
    }

    /// The size of the longest header: with a length of eight bytes, and a mask.
    package static let maximumSize = 14

    /// The longest payload of a control frame.
    package static let maximumControlLength = 125
}

// MARK: - Parsing

extension WebSocketFrameHeader {
    /// Parses a header at the beginning of the bytes; `nil` if it needs more bytes.
    ///
    /// The first two bytes are checked before the rest has arrived, so that an invalid frame fails as early as possible. A length in
    /// more bytes than it needs is accepted, as most implementations do.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the connection from the header on.
    ///   - sender: The side that has sent them.
    ///   - allowsCompression: Whether RSV1 is allowed on the first frame of a message.
    /// - Returns: The header, and its size.
    /// - Throws: ``WebSocketError/protocolViolation(_:)``.
    static func parse(
        _ bytes: UnsafeRawBufferPointer,
        from sender: WebSocketRole,
        allowsCompression: Bool
    ) throws(WebSocketError) -> (header: WebSocketFrameHeader, size: Int)? {
        guard let first = bytes.first else { return nil }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw .protocolViolation(.unknownOpcode(first & 0x0F))
        }
        let (isFinal, isCompressed) = (first & 0x80 != 0, first & 0x40 != 0)
        let canBeCompressed = allowsCompression && (opcode == .text || opcode == .binary)
        guard first & 0x30 == 0, !isCompressed || canBeCompressed else { throw .protocolViolation(.reservedBits) }
        guard isFinal || !opcode.isControl else { throw .protocolViolation(.fragmentedControlFrame) }
        guard bytes.count >= 2 else { return nil }
        let isMasked = bytes[1] & 0x80 != 0
        guard isMasked == (sender == .client) else {
            throw .protocolViolation(isMasked ? .maskedFrame : .unmaskedFrame)
        }
        let shortLength = Int(bytes[1] & 0x7F)
        guard !opcode.isControl || shortLength <= maximumControlLength else {
            throw .protocolViolation(.longControlFrame)
        }
        let lengthSize = shortLength == 127 ? 8 : shortLength == 126 ? 2 : 0
        let size = 2 + lengthSize + (isMasked ? 4 : 0)
        guard bytes.count >= size else { return nil }
        var length = shortLength
        if lengthSize > 0 {
            let value = bytes[2..<2 + lengthSize].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // The most significant bit must be 0. On systems with 32 bits, an address has fewer bits.
            guard let exact = Int(exactly: value) else { throw .protocolViolation(.invalidLength) }
            length = exact
        }
        var header = WebSocketFrameHeader(
            opcode,
            payloadLength: length,
            isFinal: isFinal,
            isCompressed: isCompressed
        )
        if isMasked {
            let key = bytes.loadUnaligned(fromByteOffset: size - 4, as: UInt32.self)
            header.mask = WebSocketMask(key: UInt32(littleEndian: key))
        }
        return (header, size)
    }
}

// MARK: - Writing

extension WebSocketFrameHeader {
    /// The number of bytes of the header.
    package var size: Int {
        2 + (payloadLength > 0xFFFF ? 8 : payloadLength > 125 ? 2 : 0) + (mask == nil ? 0 : 4)
    }

    /// Writes the header to the beginning of a buffer, which has room for ``size`` bytes.
    package func write(to buffer: UnsafeMutableRawBufferPointer) {
        buffer[0] = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        var end = 2
        switch payloadLength {
        case ...125:
            buffer[1] = maskBit | UInt8(truncatingIfNeeded: payloadLength)
        case ...0xFFFF:
            buffer[1] = maskBit | 126
            buffer.storeBytes(of: UInt16(truncatingIfNeeded: payloadLength).bigEndian, toByteOffset: 2, as: UInt16.self)
            end = 4
        default:
            buffer[1] = maskBit | 127
            buffer.storeBytes(of: UInt64(payloadLength).bigEndian, toByteOffset: 2, as: UInt64.self)
            end = 10
        }
        if let mask { buffer.storeBytes(of: mask.key.littleEndian, toByteOffset: end, as: UInt32.self) }
    }
}
