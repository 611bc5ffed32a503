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
        case goAway(lastStream: StreamID, HTTP2ErrorCode)
        case windowUpdate(StreamID, increment: UInt32)
        /// PRIORITY, and frames of unknown types, which are ignored (section 4.1).
        case ignored
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

    /// An error code (RFC 9113, section 7).
    ///
    /// Unknown codes are kept.
    struct HTTP2ErrorCode: RawRepresentable, Equatable, Sendable, CustomStringConvertible {
        let rawValue: UInt32

        static let noError = HTTP2ErrorCode(rawValue: 0)
        static let protocolError = HTTP2ErrorCode(rawValue: 1)
        static let internalError = HTTP2ErrorCode(rawValue: 2)
        static let flowControlError = HTTP2ErrorCode(rawValue: 3)
        static let streamClosed = HTTP2ErrorCode(rawValue: 5)
        static let frameSizeError = HTTP2ErrorCode(rawValue: 6)
        static let refusedStream = HTTP2ErrorCode(rawValue: 7)
        static let cancel = HTTP2ErrorCode(rawValue: 8)
        static let compressionError = HTTP2ErrorCode(rawValue: 9)
        static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)

        private static let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
            "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
        ]

        /// The name of the code in the RFC, or its number.
        var description: String {
            rawValue < Self.names.count ? Self.names[Int(rawValue)] : "0x\(String(rawValue, radix: 16))"
        }
    }
#endif
