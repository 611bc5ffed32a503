/// An error of a WebSocket.
///
/// Errors of the network, such as a lost connection, are `URLError`.
public enum WebSocketError: Error, Equatable, Sendable {
    /// The server has not agreed to open a WebSocket: the response has this status, and not 101, or over HTTP/2 200 to 299.
    case upgradeRefused(status: Int)
    /// The server's response to the upgrade contradicts the request.
    case invalidUpgrade(InvalidUpgrade)
    /// The WebSocket is closed: by the peer with this code and reason, or by this side.
    ///
    /// Reading throws it if the peer has closed the WebSocket with a code other than 1000 and 1001; sending always does.
    case closed(WebSocketClosure)
    /// The peer has violated the protocol.
    case protocolViolation(Violation)
    /// A received frame has a larger payload than ``WebSocketOptions/maximumFrameSize``.
    case frameTooLarge(limit: Int)
    /// A received message is larger than ``WebSocketOptions/maximumMessageSize``.
    case messageTooLarge(limit: Int)
    /// The peer has not responded to a keep-alive ping in time.
    case peerIsSilent(timeout: Duration)
    /// A close frame may not have this code (RFC 6455, section 7.4).
    case invalidCloseCode(WebSocketCloseCode)
    /// The reason of a closure has more than 123 bytes of UTF-8.
    case longCloseReason
    /// Another task reads messages at the same time.
    case readConcurrently
    /// The options of the WebSocket are invalid.
    case invalidOptions(InvalidOptions)

    /// A contradiction between a request for a WebSocket and the response (RFC 6455, section 4.1).
    public enum InvalidUpgrade: Equatable, Sendable {
        /// `Upgrade` is not `websocket`, or `Connection` does not contain `Upgrade`.
        case upgrade
        /// `Sec-WebSocket-Accept` is missing or belongs to another key.
        case accept
        /// The server has chosen a subprotocol that was not offered.
        case subprotocol(String)
        /// The server has chosen an extension that was not offered, or parameters that the offer excludes.
        case extensions(String)
    }

    /// A violation of the protocol by the peer (RFC 6455, section 5; RFC 7692).
    public enum Violation: Equatable, Sendable {
        /// A reserved bit is set that no extension uses.
        case reservedBits
        /// The opcode of a frame is reserved.
        case unknownOpcode(UInt8)
        /// A control frame is fragmented.
        case fragmentedControlFrame
        /// The payload of a control frame has more than 125 bytes.
        case longControlFrame
        /// A server has masked a frame.
        case maskedFrame
        /// A client has not masked a frame.
        case unmaskedFrame
        /// The length of a frame has more than 63 bits.
        case invalidLength
        /// A frame continues a message that has not begun.
        case continuationWithoutMessage
        /// A message begins before the end of another one.
        case messageInsideMessage
        /// The payload of a close frame has one byte.
        case invalidClosePayload
        /// The code of a close frame is invalid.
        case invalidCloseCode(UInt16)
        /// A text, or the reason of a closure, is not UTF-8.
        case invalidUTF8
        /// The compressed data of a message is invalid.
        case invalidCompression
    }

    /// A reason for invalid options.
    public enum InvalidOptions: Equatable, Sendable {
        /// A subprotocol is not a token (RFC 9110, section 5.6.2), or occurs twice.
        case subprotocol(String)
        /// The bits of a window are not in 9...15.
        case windowBits(Int)
    }

    /// The code of the close frame with which a side reacts to the error.
    package var closeCode: WebSocketCloseCode {
        switch self {
        case .protocolViolation(.invalidUTF8), .protocolViolation(.invalidCompression): .invalidPayload
        case .protocolViolation, .invalidUpgrade: .protocolError
        case .frameTooLarge, .messageTooLarge: .messageTooBig
        case .peerIsSilent: .goingAway
        case .closed, .upgradeRefused, .invalidCloseCode, .longCloseReason, .readConcurrently, .invalidOptions: .normal
        }
    }
}

extension WebSocketError: MaskedError {
    /// A sentence that describes the problem and, where possible, a remedy.
    public var errorDescription: String? {
        switch self {
        case .upgradeRefused(let status):
            "The server responded to the request for a WebSocket with status \(status): check the URL and the credentials."
        case .invalidUpgrade(.upgrade):
            "The server's response to the request for a WebSocket lacks Connection: Upgrade or Upgrade: websocket: the server or a proxy is "
                + "faulty."
        case .invalidUpgrade(.accept):
            "The server's response to the request for a WebSocket has no valid Sec-WebSocket-Accept: the server or a proxy is faulty."
        case .invalidUpgrade(.subprotocol(let name)):
            "The server has chosen the subprotocol \"\(name)\", which was not offered."
        case .invalidUpgrade(.extensions(let value)):
            "The server has chosen the extensions \"\(value)\", which were not offered."
        case .closed(let closure) where closure.reason.isEmpty:
            "The WebSocket is closed with the code \(closure.code)."
        case .closed(let closure):
            "The WebSocket is closed with the code \(closure.code): \(closure.reason)"
        case .protocolViolation(let violation):
            "The peer has violated the WebSocket protocol: \(violation.text)."
        case .frameTooLarge(let limit):
            "A frame has more than \(limit) bytes: raise the limit if such frames are expected."
        case .messageTooLarge(let limit):
            "A message has more than \(limit) bytes: raise the limit, or read the message in parts."
        case .peerIsSilent(let timeout):
            "The peer has sent nothing for \(timeout.text) after a ping."
        case .invalidCloseCode(let code):
            "A close frame cannot have the code \(code): use 1000 to 1003, 1007 to 1014, or 3000 to 4999."
        case .longCloseReason:
            "The reason of a closure has more than 123 bytes: shorten it."
        case .readConcurrently:
            "Another task reads the messages of the WebSocket: read them in one task."
        case .invalidOptions(.subprotocol(let name)):
            "\"\(name)\" cannot be offered as a subprotocol: a name is letters, digits and !#$%&'*+-.^_`|~, and occurs once."
        case .invalidOptions(.windowBits(let bits)):
            "A window for compression cannot have \(bits) bits: use 9 to 15."
        }
    }
}

extension WebSocketError.Violation {
    /// The violation as a clause.
    fileprivate var text: String {
        switch self {
        case .reservedBits: "a frame has reserved bits"
        case .unknownOpcode(let opcode): "a frame has the opcode \(opcode)"
        case .fragmentedControlFrame: "a control frame is fragmented"
        case .longControlFrame: "a control frame has more than 125 bytes"
        case .maskedFrame: "a frame of the server is masked"
        case .unmaskedFrame: "a frame of the client is not masked"
        case .invalidLength: "the length of a frame is invalid"
        case .continuationWithoutMessage: "a frame continues no message"
        case .messageInsideMessage: "a message begins inside another one"
        case .invalidClosePayload: "a close frame has one byte"
        case .invalidCloseCode(let code): "a close frame has the code \(code)"
        case .invalidUTF8: "a text is not UTF-8"
        case .invalidCompression: "a compressed message is invalid"
        }
    }
}
