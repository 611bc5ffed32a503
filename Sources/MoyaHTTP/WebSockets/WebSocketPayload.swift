import Foundation

/// The bytes of a message that is sent in pieces; the bytes of a text are read where they are, so that they need no second copy.
enum WebSocketPayload: Sendable {
    case text(String)
    case data(Data)

    /// Creates the payload of a message.
    init(_ message: WebSocketMessage) {
        switch message {
        case .text(var text):
            // A text that Foundation has created on Apple's platforms may have another encoding.
            text.makeContiguousUTF8()
            self = .text(text)
        case .data(let data):
            self = .data(data)
        }
    }

    /// The number of bytes.
    var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }

    /// Calls a function with the bytes in a range of offsets.
    func withBytes<R>(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        switch self {
        case .text(var text):
            try text.withUTF8 { try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[range])) }
        case .data(let data):
            try data.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }
}
