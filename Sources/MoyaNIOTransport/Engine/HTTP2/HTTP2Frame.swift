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
        static let http11Required = HTTP2ErrorCode(rawValue: 13)

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

    /// A reader that splits the bytes of a connection into frames, and validates single frames (RFC 9113, sections
    /// 4 and 6).
    struct HTTP2FrameReader: Sendable {
        /// The maximum size of a payload: the default of SETTINGS_MAX_FRAME_SIZE, which the client does not change
        /// (section 4.2).
        static let maximumPayload = 16_384

        private static let headerLength = 9
        /// The letters "HTTP".
        private static let http1: UInt32 = 0x4854_5450
        private var buffer = ByteBuffer()

        mutating func append(_ bytes: ByteBuffer) {
            var bytes = bytes
            if buffer.readableBytes == 0 {
                buffer = bytes
            } else {
                buffer.discardReadBytes()
                buffer.writeBuffer(&bytes)
            }
        }

        /// The stream of the frame that is incomplete; `nil` if it is not known.
        var incompleteStreamID: HTTP2Frame.StreamID? {
            buffer.readableBytes >= Self.headerLength
                ? buffer.getInteger(at: buffer.readerIndex + 5, as: UInt32.self).map { $0 & 0x7fff_ffff } : nil
        }

        /// Returns the next frame, or `nil` if it is incomplete.
        mutating func next() throws(HTTP2Error) -> HTTP2Frame? {
            guard buffer.readableBytes >= Self.headerLength,
                let lengthAndType = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self),
                let flags = buffer.getInteger(at: buffer.readerIndex + 4, as: UInt8.self),
                let reservedAndStream = buffer.getInteger(at: buffer.readerIndex + 5, as: UInt32.self)
            else { return nil }
            let length = Int(lengthAndType >> 8)
            // Read as the length of a frame, the letters would exceed the limit, which would be a misleading error.
            guard lengthAndType != Self.http1 else { throw HTTP2Error.http1 }
            guard length <= Self.maximumPayload else {
                throw .connection(.frameSizeError, "A frame of \(length) bytes is longer than allowed.")
            }
            guard buffer.readableBytes >= Self.headerLength + length else { return nil }
            buffer.moveReaderIndex(forwardBy: Self.headerLength)
            guard let payload = buffer.readSlice(length: length) else { return nil }
            return try Self.frame(
                type: HTTP2FrameType(rawValue: UInt8(lengthAndType & 0xff)),
                flags: HTTP2Flags(rawValue: flags),
                stream: reservedAndStream & 0x7fff_ffff,
                payload: payload
            )
        }

        private static func frame(
            type: HTTP2FrameType?,
            flags: HTTP2Flags,
            stream: HTTP2Frame.StreamID,
            payload: ByteBuffer
        ) throws(HTTP2Error) -> HTTP2Frame {
            var payload = payload
            switch type {
            case .data:
                try requireStream(stream, "DATA")
                let flowControlled = payload.readableBytes
                try removePadding(from: &payload, flags, "DATA")
                return .data(stream, payload, flowControlled: flowControlled, endStream: flags.contains(.endStream))
            case .headers:
                try requireStream(stream, "HEADERS")
                try removePadding(from: &payload, flags, "HEADERS")
                if flags.contains(.priority), payload.readSlice(length: 5) == nil {
                    throw .connection(.frameSizeError, "A HEADERS frame is too short for its priority.")
                }
                return .headers(
                    stream,
                    fragment: payload,
                    endStream: flags.contains(.endStream),
                    endHeaders: flags.contains(.endHeaders)
                )
            case .continuation:
                try requireStream(stream, "CONTINUATION")
                return .continuation(stream, fragment: payload, endHeaders: flags.contains(.endHeaders))
            case .resetStream:
                try requireStream(stream, "RST_STREAM")
                guard payload.readableBytes == 4, let code = payload.readInteger(as: UInt32.self) else {
                    throw .connection(.frameSizeError, "An RST_STREAM frame must have 4 bytes.")
                }
                return .resetStream(stream, HTTP2ErrorCode(rawValue: code))
            case .settings:
                return try settings(flags, stream: stream, payload: payload)
            case .pushPromise:
                return .pushPromise
            case .ping:
                try requireConnection(stream, "PING")
                guard payload.readableBytes == 8, let data = payload.readInteger(as: UInt64.self) else {
                    throw .connection(.frameSizeError, "A PING frame must have 8 bytes.")
                }
                return .ping(data, isAcknowledgment: flags.contains(.acknowledgment))
            case .goAway:
                try requireConnection(stream, "GOAWAY")
                guard let last = payload.readInteger(as: UInt32.self), let code = payload.readInteger(as: UInt32.self)
                else { throw .connection(.frameSizeError, "A GOAWAY frame must have at least 8 bytes.") }
                let data = payload.readSlice(length: min(payload.readableBytes, HTTP2Limits.debugData)) ?? ByteBuffer()
                return .goAway(lastStream: last & 0x7fff_ffff, HTTP2ErrorCode(rawValue: code), debugData: data)
            case .windowUpdate:
                guard payload.readableBytes == 4, let increment = payload.readInteger(as: UInt32.self) else {
                    throw .connection(.frameSizeError, "A WINDOW_UPDATE frame must have 4 bytes.")
                }
                return .windowUpdate(stream, increment: increment & 0x7fff_ffff)
            case .priority, nil:
                return .ignored(stream)
            }
        }

        private static func settings(
            _ flags: HTTP2Flags,
            stream: HTTP2Frame.StreamID,
            payload: ByteBuffer
        ) throws(HTTP2Error) -> HTTP2Frame {
            var payload = payload
            try requireConnection(stream, "SETTINGS")
            if flags.contains(.acknowledgment) {
                guard payload.readableBytes == 0 else {
                    throw .connection(.frameSizeError, "A SETTINGS acknowledgment must not have parameters.")
                }
                return .settingsAcknowledgment
            }
            guard payload.readableBytes % 6 == 0 else {
                throw .connection(.frameSizeError, "Each parameter of a SETTINGS frame must have 6 bytes.")
            }
            guard payload.readableBytes <= HTTP2Limits.settings * 6 else {
                throw .connection(.enhanceYourCalm, "A SETTINGS frame has too many parameters.")
            }
            var settings: [HTTP2Setting] = []
            while let identifier = payload.readInteger(as: UInt16.self),
                let value = payload.readInteger(as: UInt32.self)
            {
                settings.append(HTTP2Setting(identifier: identifier, value: value))
            }
            return .settings(settings)
        }

        private static func removePadding(
            from payload: inout ByteBuffer,
            _ flags: HTTP2Flags,
            _ name: String
        ) throws(HTTP2Error) {
            guard flags.contains(.padded) else { return }
            guard let padding = payload.readInteger(as: UInt8.self) else {
                throw .connection(.frameSizeError, "A \(name) frame is too short for its padding.")
            }
            guard Int(padding) <= payload.readableBytes else {
                throw .connection(.protocolError, "A \(name) frame has more padding than bytes.")
            }
            payload.moveWriterIndex(to: payload.writerIndex - Int(padding))
        }

        private static func requireStream(_ stream: HTTP2Frame.StreamID, _ name: String) throws(HTTP2Error) {
            guard stream == 0 else { return }
            throw .connection(.protocolError, "A \(name) frame must belong to a stream.")
        }

        private static func requireConnection(_ stream: HTTP2Frame.StreamID, _ name: String) throws(HTTP2Error) {
            guard stream != 0 else { return }
            throw .connection(.protocolError, "A \(name) frame must not belong to a stream.")
        }
    }

    /// Methods that write frames (RFC 9113, sections 4 and 6).
    extension ByteBuffer {
        /// Writes the client connection preface (section 3.4).
        mutating func writeHTTP2Preface() { writeStaticString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") }

        mutating func writeHTTP2FrameHeader(
            _ type: HTTP2FrameType,
            _ flags: HTTP2Flags = [],
            stream: HTTP2Frame.StreamID,
            length: Int
        ) {
            writeInteger(UInt32(truncatingIfNeeded: length) << 8 | UInt32(type.rawValue))
            writeInteger(flags.rawValue)
            writeInteger(stream)
        }

        mutating func writeHTTP2Settings(_ settings: [HTTP2Setting]) {
            writeHTTP2FrameHeader(.settings, stream: 0, length: settings.count * 6)
            for setting in settings {
                writeInteger(setting.identifier)
                writeInteger(setting.value)
            }
        }

        mutating func writeHTTP2SettingsAcknowledgment() {
            writeHTTP2FrameHeader(.settings, .acknowledgment, stream: 0, length: 0)
        }

        mutating func writeHTTP2Ping(_ data: UInt64, isAcknowledgment: Bool) {
            writeHTTP2FrameHeader(.ping, isAcknowledgment ? .acknowledgment : [], stream: 0, length: 8)
            writeInteger(data)
        }

        mutating func writeHTTP2WindowUpdate(_ stream: HTTP2Frame.StreamID, increment: Int) {
            writeHTTP2FrameHeader(.windowUpdate, stream: stream, length: 4)
            writeInteger(UInt32(truncatingIfNeeded: increment))
        }

        mutating func writeHTTP2Reset(_ stream: HTTP2Frame.StreamID, _ code: HTTP2ErrorCode) {
            writeHTTP2FrameHeader(.resetStream, stream: stream, length: 4)
            writeInteger(code.rawValue)
        }

        /// Writes a GOAWAY frame.
        ///
        /// Its last stream is 0, since a server opens no streams (section 6.8).
        mutating func writeHTTP2GoAway(_ code: HTTP2ErrorCode) {
            writeHTTP2FrameHeader(.goAway, stream: 0, length: 8)
            writeInteger(UInt32(0))
            writeInteger(code.rawValue)
        }

        /// Writes a header block as a HEADERS frame, followed by CONTINUATION frames if it is too long (section
        /// 6.10).
        mutating func writeHTTP2Headers(
            _ stream: HTTP2Frame.StreamID,
            block: ByteBuffer,
            endStream: Bool,
            maximumPayload: Int
        ) {
            var block = block
            var type = HTTP2FrameType.headers
            var flags: HTTP2Flags = endStream ? .endStream : []
            repeat {
                let length = min(block.readableBytes, maximumPayload)
                if length == block.readableBytes { flags.insert(.endHeaders) }
                writeHTTP2FrameHeader(type, flags, stream: stream, length: length)
                if var fragment = block.readSlice(length: length) { writeBuffer(&fragment) }
                type = .continuation
                flags = []
            } while block.readableBytes > 0
        }
    }
#endif
