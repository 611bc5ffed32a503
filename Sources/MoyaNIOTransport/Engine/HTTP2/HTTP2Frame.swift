#if NIO && !canImport(Darwin)
import NIOCore

/// A frame from a server, without padding (RFC 9113, section 6).
enum HTTP2Frame: Equatable, Sendable {
    typealias StreamID = UInt32

    /// DATA; `flowControlled` includes the padding, which counts for the windows (section 6.9.1).
    case data(StreamID, ByteBuffer, flowControlled: Int, endStream: Bool)
    case headers(StreamID, fragment: ByteBuffer, endStream: Bool, endHeaders: Bool)
    case continuation(StreamID, fragment: ByteBuffer, endHeaders: Bool)
    case resetStream(StreamID, HTTP2ErrorCode)
    case settings([HTTP2Setting])
    case settingsAcknowledgment
    case pushPromise
    case ping(UInt64, isAcknowledgment: Bool)
    /// GOAWAY with the beginning of its debug data.
    case goAway(lastStream: StreamID, HTTP2ErrorCode, debugData: ByteBuffer = ByteBuffer())
    case windowUpdate(StreamID, increment: UInt32)
    /// PRIORITY, and frames of unknown types, which are ignored (section 4.1).
    case ignored(StreamID)

    /// The stream that the frame belongs to; 0 for the connection.
    var streamID: StreamID {
        switch self {
        case .data(let id, _, _, _), .headers(let id, _, _, _), .continuation(let id, _, _),
            .resetStream(let id, _),
            .windowUpdate(let id, _), .ignored(let id):
            id
        case .settings, .settingsAcknowledgment, .pushPromise, .ping, .goAway: 0
        }
    }

    /// The size of a frame with fields, without padding; 0 for other frames.
    var headSize: Int {
        switch self {
        case .headers(_, let fragment, _, _), .continuation(_, let fragment, _): 9 + fragment.readableBytes
        default: 0
        }
    }
}

/// A parameter of a SETTINGS frame (RFC 9113, section 6.5.1).
struct HTTP2Setting: Equatable, Sendable {
    enum Identifier: UInt16, Sendable {
        case headerTableSize = 1
        case enablePush = 2
        case maximumConcurrentStreams = 3
        case initialWindowSize = 4
        case maximumFrameSize = 5
        case maximumHeaderListSize = 6
        /// SETTINGS_ENABLE_CONNECT_PROTOCOL (RFC 8441, section 3).
        case enableConnectProtocol = 8
    }

    let identifier: UInt16
    let value: UInt32

    init(_ identifier: Identifier, _ value: UInt32) {
        self.identifier = identifier.rawValue
        self.value = value
    }

    init(identifier: UInt16, value: UInt32) {
        self.identifier = identifier
        self.value = value
    }
}

/// The type of a frame (RFC 9113, section 6).
enum HTTP2FrameType: UInt8, Sendable {
    case data = 0
    case headers = 1
    case priority = 2
    case resetStream = 3
    case settings = 4
    case pushPromise = 5
    case ping = 6
    case goAway = 7
    case windowUpdate = 8
    case continuation = 9
}

/// The flags of a frame (RFC 9113, section 6).
struct HTTP2Flags: OptionSet, Sendable {
    let rawValue: UInt8

    static let endStream = HTTP2Flags(rawValue: 0x1)
    static let acknowledgment = HTTP2Flags(rawValue: 0x1)
    static let endHeaders = HTTP2Flags(rawValue: 0x4)
    static let padded = HTTP2Flags(rawValue: 0x8)
    static let priority = HTTP2Flags(rawValue: 0x20)
}
#endif
