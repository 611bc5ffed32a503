/// The code of a close frame, which says why a side closes a WebSocket (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// Creates a code.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The connection has fulfilled its purpose.
    public static let normal = Self(rawValue: 1000)
    /// The side goes away, as a server that shuts down, or an application that ends.
    public static let goingAway = Self(rawValue: 1001)
    /// The other side has violated the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// The side does not accept the kind of a message.
    public static let unsupportedData = Self(rawValue: 1003)
    /// The close frame has no code; never in a frame.
    public static let noStatus = Self(rawValue: 1005)
    /// The connection has ended without a close frame; never in a frame.
    public static let abnormal = Self(rawValue: 1006)
    /// The content of a message does not fit its kind, as text that is not UTF-8.
    public static let invalidPayload = Self(rawValue: 1007)
    /// A message violates the rules of the application.
    public static let policyViolation = Self(rawValue: 1008)
    /// A message is too large.
    public static let messageTooBig = Self(rawValue: 1009)
    /// The server has not agreed to an extension that the client needs.
    public static let mandatoryExtension = Self(rawValue: 1010)
    /// The side cannot continue because of an unexpected condition.
    public static let internalError = Self(rawValue: 1011)
    /// The server restarts.
    public static let serviceRestart = Self(rawValue: 1012)
    /// The server is overloaded.
    public static let tryAgainLater = Self(rawValue: 1013)
    /// A gateway has received an invalid response.
    public static let badGateway = Self(rawValue: 1014)

    /// Whether a close frame may have the code: one of the protocol, or one from 3000 to 4999, which libraries and applications define.
    public var isValidInFrame: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Whether the code reports the normal end of a connection: 1000, 1001, or none.
    package var isNormal: Bool { self == .normal || self == .goingAway || self == .noStatus }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { String(rawValue) }
}
