import Foundation

/// Parses the frames of a connection (RFC 6455, section 5) without I/O, and checks their order.
///
/// Pull events until there are no more before the next push; then the parser keeps no payload but that of an incomplete control
/// frame. The payload of a data frame is passed on as it arrives, so that a frame may be larger than the memory.
// Not the codec of NIOWebSocket: that one collects whole frames, needs a channel, and accepts reserved bits and opcodes. This one works
// over any transport and over HTTP/2, and fails inside a frame.
package struct WebSocketFrameParser: Sendable {
    package enum Event: Equatable, Sendable {
        /// A part of a message.
        case data(WebSocketPart)
        /// A control frame with its payload.
        case control(WebSocketOpcode, Data)
    }

    private enum Position: Sendable {
        case header
        /// In the payload of a data frame, of which a number of bytes is missing.
        case data(WebSocketFrameHeader, missing: Int)
        case control(WebSocketFrameHeader)
    }

    private let sender: WebSocketRole
    private let allowsCompression: Bool
    private let maximumFrameSize: Int
    private var position = Position.header
    /// Whether the next data frame continues a message.
    private var isInMessage = false
    /// The bytes that have not been used.
    private var input = Data()
    private var failure: WebSocketError?

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - sender: The side that sends the frames.
    ///   - allowsCompression: Whether messages may be compressed.
    ///   - maximumFrameSize: The maximum size of the payload of a data frame in bytes.
    package init(from sender: WebSocketRole, allowsCompression: Bool = false, maximumFrameSize: Int = .max) {
        self.sender = sender
        self.allowsCompression = allowsCompression
        self.maximumFrameSize = maximumFrameSize
    }

    /// Appends the next bytes of the connection.
    package mutating func push(_ chunk: Data) {
        guard failure == nil else { return }
        if input.isEmpty { input = chunk } else { input.append(chunk) }
    }

    /// Returns the next event, or `nil` if more bytes are needed.
    ///
    /// - Throws: ``WebSocketError/protocolViolation(_:)`` or ``WebSocketError/frameTooLarge(limit:)``, also on every later call.
    package mutating func next() throws(WebSocketError) -> Event? {
        if let failure { throw failure }
        do throws(WebSocketError) {
            while true {
                switch position {
                case .header:
                    guard let header = try nextHeader() else { return nil }
                    position = header.opcode.isControl ? .control(header) : .data(header, missing: header.payloadLength)
                    // A frame without a payload is complete with its header.
                    if header.payloadLength > 0, input.isEmpty { return nil }
                case .data(let header, let missing):
                    return nextPart(header, missing: missing)
                case .control(let header):
                    guard input.count >= header.payloadLength else { return nil }
                    position = .header
                    return .control(header.opcode, take(header.payloadLength, header.mask))
                }
            }
        } catch {
            (failure, input) = (error, Data())
            throw error
        }
    }

    private mutating func nextHeader() throws(WebSocketError) -> WebSocketFrameHeader? {
        let parsed = input.withUnsafeBytes { bytes in
            Result { () throws(WebSocketError) in
                try WebSocketFrameHeader.parse(bytes, from: sender, allowsCompression: allowsCompression)
            }
        }
        guard let (header, size) = try parsed.get() else {
            // The opcode of a fragment is known before its length.
            if let first = input.first, let opcode = WebSocketOpcode(rawValue: first & 0x0F) {
                try checkOrder(of: opcode)
            }
            return nil
        }
        try checkOrder(of: header.opcode)
        guard header.opcode.isControl || header.payloadLength <= maximumFrameSize else {
            throw .frameTooLarge(limit: maximumFrameSize)
        }
        input = input.dropFirst(size)
        return header
    }

    /// Checks that a continuation follows a fragment, and that no message begins inside another one (section 5.4).
    private func checkOrder(of opcode: WebSocketOpcode) throws(WebSocketError) {
        guard !opcode.isControl else { return }
        let isContinuation = opcode == .continuation
        guard isContinuation == isInMessage else {
            throw .protocolViolation(isContinuation ? .continuationWithoutMessage : .messageInsideMessage)
        }
    }

    private mutating func nextPart(_ header: WebSocketFrameHeader, missing: Int) -> Event? {
        guard missing == 0 || !input.isEmpty else { return nil }
        var header = header
        let beginsFrame = missing == header.payloadLength
        let count = min(missing, input.count)
        let payload = take(count, header.mask)
        header.mask?.advance(by: count)
        let endsFrame = count == missing
        position = endsFrame ? .header : .data(header, missing: missing - count)
        isInMessage = !(endsFrame && header.isFinal)
        var start: WebSocketPart.Start?
        if beginsFrame, header.opcode != .continuation {
            start = .init(
                kind: header.opcode == .text ? .text : .data,
                isCompressed: header.isCompressed,
                frameSize: header.payloadLength
            )
        }
        return .data(WebSocketPart(start: start, payload: payload, endsMessage: !isInMessage))
    }

    /// Removes bytes from the input, and returns them without their mask.
    private mutating func take(_ count: Int, _ mask: WebSocketMask?) -> Data {
        let isAll = count == input.count
        // A copy, so that a small message does not keep a large chunk, and that its indices start at 0.
        var bytes =
            isAll && input.startIndex == 0 ? input : input.subdata(in: input.startIndex..<input.startIndex + count)
        input = isAll ? Data() : input.dropFirst(count)
        if var mask {
            bytes.withUnsafeMutableBytes { mask.apply(from: UnsafeRawBufferPointer($0), to: $0) }
        }
        return bytes
    }
}

/// A part of a message: the payload of a frame, or a piece of it.
package struct WebSocketPart: Equatable, Sendable {
    /// The properties of a message that its first frame has.
    package struct Start: Equatable, Sendable {
        package var kind: WebSocketMessage.Kind
        package var isCompressed: Bool
        /// The size of the frame's payload in bytes, of which less may have arrived.
        package var frameSize = 0
    }

    /// The properties of the message, if the part is its first one.
    package var start: Start?
    package var payload: Data
    /// Whether the part is the last one of its message.
    package var endsMessage: Bool
}
