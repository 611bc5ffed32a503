import Foundation

/// Decompresses and validates messages that arrive in parts.
///
/// Push a part, and take events until there are none, before the next push.
// Unchecked because zlib's state is not Sendable. Messages are read by one task at a time.
package final class WebSocketMessageReader: @unchecked Sendable {
    package enum Event: Equatable, Sendable {
        /// A message begins, whose first frame has this size in bytes after decompression; 0 if it is not known.
        case began(WebSocketMessage.Kind, frameSize: Int)
        /// A piece of the message, of at most 64 KiB if the message is compressed.
        case bytes(Data)
        /// The message is complete.
        case ended
    }

    private enum Step {
        case begin
        case bytes
        case end
    }

    private let inflater: MessageInflater?
    private var kind = WebSocketMessage.Kind.data
    private var isCompressed = false
    private var validator = UTF8Validator()
    /// The current part, and the next step for it; `nil` if the next part is needed.
    private var part: (WebSocketPart, Step)?

    /// Creates a reader for messages of a server.
    ///
    /// - Throws: `ZlibError` without memory for decompression.
    package init(_ deflate: WebSocketDeflate?) throws(ZlibError) {
        inflater =
            if let deflate {
                try MessageInflater(
                    windowBits: deflate.serverWindowBits,
                    resetsAfterMessage: deflate.serverNoContextTakeover
                )
            } else {
                nil
            }
    }

    /// Adds the next part.
    package func push(_ part: WebSocketPart) {
        if let start = part.start {
            (kind, isCompressed, validator) = (start.kind, start.isCompressed, UTF8Validator())
        }
        if isCompressed { inflater?.push(part.payload, endsMessage: part.endsMessage) }
        self.part = (part, part.start == nil ? .bytes : .begin)
    }

    /// Returns the next event of the part; `nil` if the next part is needed.
    ///
    /// - Throws: ``WebSocketError/protocolViolation(_:)`` for text that is not UTF-8, as early as possible, and for invalid
    ///   compressed data.
    package func next() throws(WebSocketError) -> Event? {
        guard let (part, step) = part else { return nil }
        switch step {
        case .begin:
            self.part?.1 = .bytes
            return .began(kind, frameSize: isCompressed ? 0 : part.start?.frameSize ?? 0)
        case .bytes:
            if let bytes = try nextBytes(of: part) { return .bytes(bytes) }
            self.part = part.endsMessage ? (part, .end) : nil
            return try next()
        case .end:
            self.part = nil
            guard validator.isComplete else { throw .protocolViolation(.invalidUTF8) }
            return .ended
        }
    }

    private func nextBytes(of part: WebSocketPart) throws(WebSocketError) -> Data? {
        let bytes: Data?
        if isCompressed, let inflater {
            bytes = try inflater.next()
        } else {
            bytes = part.payload.isEmpty ? nil : part.payload
            self.part?.0.payload = Data()
        }
        if kind == .text, let bytes {
            guard bytes.withUnsafeBytes({ validator.validate($0) }) else { throw .protocolViolation(.invalidUTF8) }
        }
        return bytes
    }
}

/// Collects the events of a message into a value.
package struct WebSocketMessageCollector: Sendable {
    private let maximumSize: Int
    private var kind = WebSocketMessage.Kind.data
    private var frameSize = 0
    private var bytes = Data()

    /// The memory for which the peer's word is enough; the rest follows its bytes.
    private static let maximumReservation = 1 << 20

    /// Creates a collector for messages of at most this size in bytes.
    package init(maximumSize: Int) { self.maximumSize = max(0, maximumSize) }

    /// Handles an event, and returns the message if it is complete.
    ///
    /// - Throws: ``WebSocketError/messageTooLarge(limit:)``.
    package mutating func collect(_ event: WebSocketMessageReader.Event) throws(WebSocketError) -> WebSocketMessage? {
        switch event {
        case .began(let kind, let frameSize):
            // The bytes of a message that was not read to its end are dropped.
            (self.kind, self.frameSize, bytes) = (kind, frameSize, Data())
        case .bytes(let piece):
            guard piece.count <= maximumSize - bytes.count else { throw .messageTooLarge(limit: maximumSize) }
            guard !bytes.isEmpty || piece.count < frameSize else {
                bytes = piece
                return nil
            }
            // Without the room, the bytes would move to larger memory several times.
            if bytes.isEmpty { bytes.reserveCapacity(min(frameSize, maximumSize, Self.maximumReservation)) }
            bytes.append(piece)
        case .ended:
            defer { bytes = Data() }
            return kind == .data ? .data(bytes) : .text(String(decoding: bytes, as: UTF8.self))
        }
        return nil
    }
}
