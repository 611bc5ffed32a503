/// An upgrade of a request: a change from HTTP to another protocol after the head of the response, on the connection of the request over
/// HTTP/1.1 (RFC 9110, section 7.8), or on its stream over HTTP/2 (RFC 8441).
///
/// If the server agrees, ``TransportResponse/isUpgraded`` is true, and both sides send bytes of the other protocol: this side the
/// ``output``, and the server the body of the response. Both directions are independent, and have no framing of HTTP.
public struct ProtocolUpgrade: Hashable, Sendable {
    /// The name of the protocol, which is a token, such as `websocket`.
    public var name: String
    /// The bytes that are sent after the server has agreed; their end closes this direction.
    ///
    /// The body is opened after the server has agreed. So a request that is redirected, authenticated or sent again may have a body
    /// that can be read only once.
    public var output: HTTPBody
    /// The maximum size of a received message in bytes, for a transport that receives the messages of a WebSocket as a whole.
    package var maximumMessageSize = Int.max
    /// The maximum size of the payload of the frames in which such a transport passes messages on.
    package var maximumFrameSize = Int.max
    /// Starts the tasks of the upgraded connection; `nil` if they may block.
    package var taskStarter: UpgradeTaskStarter?

    /// Creates an upgrade.
    ///
    /// - Parameters:
    ///   - name: The name of the protocol.
    ///   - output: The bytes that are sent after the server has agreed.
    public init(to name: String, sending output: HTTPBody) { (self.name, self.output) = (name, output) }

    /// Whether the name is a token (RFC 9110, section 5.6.2), so that it cannot change the head of the request.
    package var hasValidName: Bool { !name.isEmpty && name.utf8.allSatisfy(\.isToken) }
}
