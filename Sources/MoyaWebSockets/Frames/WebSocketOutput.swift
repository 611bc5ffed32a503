import Foundation

/// The frames that a side sends, until the transport takes their bytes.
///
/// It keeps frames whole: a control frame waits for the end of a data frame that has begun. Frames after a close frame are dropped.
// Unchecked because of its buffer; the owner protects the value by a lock, and has no copy of it.
package struct WebSocketOutput: @unchecked Sendable {
    private let role: WebSocketRole
    /// The number of bytes from which there is no room for messages.
    private let limit: Int
    private var generator = SystemRandomNumberGenerator()
    private var keys: UInt64 = 0
    private var hasKey = false
    private let buffer = FrameBuffer()
    private var mask: WebSocketMask?
    /// The number of bytes that the current data frame lacks.
    private var missing = 0
    // Control frames that wait for the end of a data frame, or for room.
    private var pings: [Data] = []
    private var pong: Data?
    private var close: WebSocketClosure?
    /// Whether a close frame is in the buffer or has been sent.
    package private(set) var isClosed = false

    /// Creates the output of a side, which has room for messages below a number of bytes.
    package init(_ role: WebSocketRole, limit: Int) {
        self.role = role
        self.limit = max(1, limit)
    }

    /// The number of bytes that the transport has not taken.
    package var count: Int { buffer.count }

    /// Whether there is room for more of a message.
    package var hasRoom: Bool { buffer.count < limit }

    /// Whether a data frame has begun and is not complete.
    package var isInFrame: Bool { missing > 0 }

    // MARK: Data frames

    /// Begins a data frame, and returns whether it can be sent.
    ///
    /// The frame lacks its payload, which follows by ``append(_:)``.
    package mutating func beginFrame(
        _ opcode: WebSocketOpcode,
        payloadLength: Int,
        isFinal: Bool,
        isCompressed: Bool = false
    ) -> Bool {
        guard !isClosed, close == nil, missing == 0 else { return false }
        write(WebSocketFrameHeader(opcode, payloadLength: payloadLength, isFinal: isFinal, isCompressed: isCompressed))
        missing = payloadLength
        return true
    }

    /// Appends bytes of the payload of the current data frame; the bytes after its end are dropped.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(missing))
        writePayload(piece)
        missing -= piece.count
        if missing == 0 { writeWaitingFrames() }
    }

    // MARK: Control frames

    /// Sends a ping.
    package mutating func sendPing(_ payload: Data) {
        guard !isClosed, close == nil else { return }
        pings.append(payload)
        writeWaitingFrames()
    }

    /// Sends a pong.
    ///
    /// While there is no room, only the last pong is kept (RFC 6455, section 5.5.3), so that pings of a peer that does not read need no
    /// memory.
    package mutating func sendPong(_ payload: Data) {
        guard !isClosed, close == nil else { return }
        pong = payload
        writeWaitingFrames()
    }

    /// Sends a close frame, the last frame.
    package mutating func sendClose(_ closure: WebSocketClosure) {
        guard !isClosed, close == nil else { return }
        close = closure
        writeWaitingFrames()
    }

    /// Writes the control frames that wait, if no data frame is incomplete.
    private mutating func writeWaitingFrames() {
        guard missing == 0, !isClosed else { return }
        for payload in pings { writeControlFrame(.ping, payload) }
        pings = []
        if let payload = pong, hasRoom || close != nil {
            pong = nil
            writeControlFrame(.pong, payload)
        }
        guard let closure = close.take() else { return }
        isClosed = true
        writeControlFrame(.close, closure.payload)
    }

    private mutating func writeControlFrame(_ opcode: WebSocketOpcode, _ payload: Data) {
        let payload = payload.prefix(WebSocketFrameHeader.maximumControlLength)
        write(WebSocketFrameHeader(opcode, payloadLength: payload.count))
        payload.withUnsafeBytes { writePayload($0) }
    }

    // MARK: Bytes

    /// Removes and returns the bytes of all frames; `nil` if there are none.
    package mutating func take() -> Data? {
        let bytes = buffer.take()
        // There is room now.
        if bytes != nil, pong != nil { writeWaitingFrames() }
        return bytes
    }

    private mutating func write(_ header: WebSocketFrameHeader) {
        var header = header
        mask = role == .client ? WebSocketMask(key: nextKey()) : nil
        header.mask = mask
        buffer.append(header.size) { header.write(to: $0) }
    }

    private mutating func writePayload(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes.count) { room in
            guard mask?.apply(from: bytes, to: room) == nil else { return }
            room.copyMemory(from: bytes)
        }
    }

    /// Returns an unpredictable key (RFC 6455, section 10.3), two from each call of the system.
    private mutating func nextKey() -> UInt32 {
        if hasKey {
            hasKey = false
            return UInt32(truncatingIfNeeded: keys >> 32)
        }
        keys = generator.next()
        hasKey = true
        return UInt32(truncatingIfNeeded: keys)
    }
}
