import Foundation

/// The code and the reason with which a side has closed a WebSocket (RFC 6455, section 5.5.1).
public struct WebSocketClosure: Hashable, Sendable {
    /// The code; ``WebSocketCloseCode/noStatus`` if the close frame has none.
    public var code: WebSocketCloseCode
    /// The reason, which may be empty.
    public var reason: String

    /// Creates a closure.
    public init(_ code: WebSocketCloseCode, reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// The longest reason in bytes of UTF-8, with which a close frame is as long as a control frame may be.
    static let maximumReasonSize = 123

    /// Parses the payload of a received close frame.
    ///
    /// - Throws: ``WebSocketError/protocolViolation(_:)``.
    package init(payload: Data) throws(WebSocketError) {
        guard !payload.isEmpty else {
            self.init(.noStatus)
            return
        }
        guard payload.count >= 2 else { throw .protocolViolation(.invalidClosePayload) }
        let code = WebSocketCloseCode(rawValue: payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) })
        guard code.isValidInFrame else { throw .protocolViolation(.invalidCloseCode(code.rawValue)) }
        guard let reason = String(validUTF8: payload.dropFirst(2)) else { throw .protocolViolation(.invalidUTF8) }
        self.init(code, reason: reason)
    }

    /// The payload of a close frame; empty without a code.
    package var payload: Data {
        guard code != .noStatus else { return Data() }
        return Data([UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]) + Data(reason.utf8)
    }

    /// Checks that a close frame may have the code and the reason.
    ///
    /// - Throws: ``WebSocketError/invalidCloseCode(_:)`` or ``WebSocketError/longCloseReason``.
    package func check() throws(WebSocketError) {
        guard code.isValidInFrame || code == .noStatus && reason.isEmpty else { throw .invalidCloseCode(code) }
        guard reason.utf8.count <= Self.maximumReasonSize else { throw .longCloseReason }
    }
}
