#if NIO && !canImport(Darwin)
import NIOCore

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
            let length = min(payload.readableBytes, HTTP2Limits.maximumDebugData)
            let data = payload.readSlice(length: length) ?? ByteBuffer()
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
        guard payload.readableBytes <= HTTP2Limits.maximumSettingsParameters * 6 else {
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
#endif
