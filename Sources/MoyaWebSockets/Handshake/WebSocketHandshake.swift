import Foundation
import HTTPTypes

/// The fields of a request for a WebSocket, and the rules for the response (RFC 6455, section 4.1).
package struct WebSocketHandshake: Equatable, Sendable {
    /// The value of `Sec-WebSocket-Key`: 16 random bytes in Base64.
    package let key: String
    /// The offered subprotocols.
    package let subprotocols: [String]
    /// The offered compression.
    package let compression: WebSocketCompression?

    /// Creates a handshake.
    ///
    /// - Throws: ``WebSocketError/invalidOptions(_:)``.
    package init(
        subprotocols: [String] = [],
        compression: WebSocketCompression? = nil,
        key: String = WebSocketHandshake.makeKey()
    ) throws(WebSocketError) {
        var names: Set<String> = []
        for name in subprotocols {
            let isToken = !name.isEmpty && name.utf8.allSatisfy(\.isToken)
            guard isToken, names.insert(name).inserted else { throw .invalidOptions(.subprotocol(name)) }
        }
        try compression?.check()
        self.key = key
        self.subprotocols = subprotocols
        self.compression = compression
    }

    /// Returns a random key.
    package static func makeKey() -> String {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64EncodedString()
    }

    /// The fields of the request, apart from those that ask for the upgrade.
    package var fields: [(name: String, value: String)] {
        var fields = [("Sec-WebSocket-Key", key), ("Sec-WebSocket-Version", "13")]
        if !subprotocols.isEmpty { fields.append(("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", "))) }
        if let compression { fields.append(("Sec-WebSocket-Extensions", compression.offer)) }
        return fields
    }

    /// The agreement of both sides.
    package struct Agreement: Equatable, Sendable {
        /// The subprotocol that the server has chosen.
        package var subprotocol: String?
        /// The parameters of the compression.
        package var deflate: WebSocketDeflate?

        /// Creates an agreement.
        package init(subprotocol: String? = nil, deflate: WebSocketDeflate? = nil) {
            (self.subprotocol, self.deflate) = (subprotocol, deflate)
        }
    }

    /// Checks the response of a server that has agreed to the upgrade.
    ///
    /// - Parameters:
    ///   - status: The status: 101 over HTTP/1.1, whose response has the key's hash (RFC 8441, section 5).
    ///   - headers: The fields.
    /// - Returns: The agreement.
    /// - Throws: ``WebSocketError/invalidUpgrade(_:)``.
    package func agreement(status: Int, headers: HTTPFields) throws(WebSocketError) -> Agreement {
        if status == 101 {
            // The transport has found the name in a list, as RFC 9110 allows; RFC 6455 allows no other protocol beside it.
            let isWebSocket = headers[.upgrade]?.withoutOptionalWhitespace.lowercased() == "websocket"
            guard isWebSocket, headers[.connection]?.lowercasedListElements.contains("upgrade") ?? false else {
                throw .invalidUpgrade(.upgrade)
            }
            guard headers[.secWebSocketAccept]?.withoutOptionalWhitespace == Self.accept(for: key) else {
                throw .invalidUpgrade(.accept)
            }
        }
        let subprotocol = headers[.secWebSocketProtocol]
        if let subprotocol, !subprotocols.contains(subprotocol) { throw .invalidUpgrade(.subprotocol(subprotocol)) }
        var agreement = Agreement(subprotocol: subprotocol)
        if let extensions = headers[.secWebSocketExtensions] {
            agreement.deflate = try WebSocketDeflate.parse(response: extensions, to: compression)
        }
        return agreement
    }

    /// Returns the value of `Sec-WebSocket-Accept` for a key.
    package static func accept(for key: String) -> String {
        Data(SHA1.hash(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")).base64EncodedString()
    }
}
