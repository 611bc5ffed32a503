import Foundation
import MoyaJSON

// Messages as values of the application.
extension WebSocket {
    /// Encodes a value as JSON, and sends it as a text.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder.
    /// - Throws: The error of the encoder, or those of ``send(_:)``.
    public func send(encodable value: some Encodable & Sendable, encoder: JSONEncoder = JSONEncoder()) async throws {
        try await send(.text(String(decoding: try encoder.quicklyEncode(value), as: UTF8.self)))
    }

    /// Returns the messages as values that are decoded from JSON.
    ///
    ///     for try await price in socket.values(of: Price.self) { print(price) }
    ///
    /// A message that can't be decoded throws the error of the decoder; the next call of `next()` returns the message after it.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder.
    /// - Returns: The values.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) -> WebSocketValues<Value> {
        values { try decoder.quicklyDecode(type, from: $0.bytes) }
    }

    /// Returns the messages as values that a function decodes, for any format.
    public func values<Value: Sendable>(
        decodedBy decode: @escaping @Sendable (WebSocketMessage) throws -> Value
    ) -> WebSocketValues<Value> {
        WebSocketValues(socket: self, decode: decode)
    }
}

/// The messages of a WebSocket as values of a type.
public struct WebSocketValues<Value: Sendable>: AsyncSequence, Sendable {
    let socket: WebSocket
    let decode: @Sendable (WebSocketMessage) throws -> Value

    /// An iterator over the values.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let socket: WebSocket
        let decode: @Sendable (WebSocketMessage) throws -> Value

        /// Returns the next value, or `nil` at the end.
        ///
        /// - Throws: The error of the decoder, or those of ``WebSocket/receive()``.
        public mutating func next() async throws -> Value? { try await socket.receive().map(decode) }
    }

    /// Returns an iterator over the values.
    public func makeAsyncIterator() -> Iterator { Iterator(socket: socket, decode: decode) }
}
