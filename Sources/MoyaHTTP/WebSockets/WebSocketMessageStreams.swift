import Foundation

/// The messages of a WebSocket as streams of their bytes.
///
///     for try await message in socket.messageStreams {
///         for try await piece in message { try file.write(contentsOf: piece) }
///     }
///
/// The rest of a message is skipped when the next one is requested.
public struct WebSocketMessageStreams: AsyncSequence, Sendable {
    let reader: WebSocketReader
    // Releasing the WebSocket would close it.
    let socket: WebSocket

    /// An iterator over the messages.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let reader: WebSocketReader
        let socket: WebSocket

        /// Returns the next message when its beginning has arrived, or `nil` at the end.
        ///
        /// The errors are those of ``WebSocket/receive()``.
        public mutating func next() async throws -> WebSocketMessageStream? {
            guard let (number, kind) = try await reader.beginMessage() else { return nil }
            return WebSocketMessageStream(kind: kind, number: number, reader: reader, socket: socket)
        }
    }

    /// Returns an iterator over the messages.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader, socket: socket) }
}

/// A message of a WebSocket as a stream of its bytes, as they arrive.
///
/// Compressed messages are decompressed, and text is validated. A piece may end inside a character.
public struct WebSocketMessageStream: AsyncSequence, Sendable {
    /// The kind of the message.
    public let kind: WebSocketMessage.Kind
    let number: Int
    let reader: WebSocketReader
    let socket: WebSocket

    /// An iterator over the bytes.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let number: Int
        let reader: WebSocketReader
        let socket: WebSocket

        /// Returns the next bytes, or `nil` at the end of the message.
        ///
        /// The errors are those of ``WebSocket/receive()``.
        public mutating func next() async throws -> Data? { try await reader.nextPiece(ofMessage: number) }
    }

    /// Returns an iterator over the bytes; all iterators share them.
    public func makeAsyncIterator() -> Iterator { Iterator(number: number, reader: reader, socket: socket) }
}
