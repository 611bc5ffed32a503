#if NIO && !canImport(Darwin)
import NIOHPACK

/// The settings of the server (RFC 9113, section 6.5.2).
struct HTTP2ServerSettings {
    /// Whether the server has sent them.
    private(set) var areReceived = false
    /// The send window of a new stream.
    private(set) var initialWindow = HTTP2SendWindow.initial
    private(set) var maximumPayload = HTTP2FrameReader.maximumPayload
    private(set) var maximumHeaderList: Int?
    private var maximumStreams: UInt32?
    private var isConnectProtocolEnabled = false

    /// Whether the server allows upgrades to other protocols on streams, by extended CONNECT (RFC 8441); `nil` before it has sent its
    /// settings.
    var allowsUpgrades: Bool? { areReceived ? isConnectProtocolEnabled : nil }

    /// The maximum number of concurrent streams.
    var streamLimit: Int {
        guard areReceived else { return HTTP2Limits.streamsBeforeSettings }
        return maximumStreams.map { Int($0) } ?? .max
    }

    /// Applies a SETTINGS frame, also to the table of the encoder.
    mutating func apply(_ settings: [HTTP2Setting], to encoder: inout HPACKEncoder) throws(HTTP2Error) {
        areReceived = true
        for setting in settings {
            switch HTTP2Setting.Identifier(rawValue: setting.identifier) {
            case .headerTableSize:
                let size = min(Int(setting.value), HPACKEncoder.defaultDynamicTableSize)
                do {
                    try encoder.setDynamicTableSize(size)
                } catch {
                    throw .connection(.internalError, "The table of header fields cannot be resized.")
                }
            case .enablePush:
                guard setting.value == 0 else {
                    throw .connection(.protocolError, "A server must not enable push.")
                }
            case .maximumConcurrentStreams:
                maximumStreams = setting.value
            case .initialWindowSize:
                guard setting.value <= HTTP2SendWindow.maximum else {
                    throw .connection(.flowControlError, "The initial window is larger than allowed.")
                }
                initialWindow = Int(setting.value)
            case .maximumFrameSize:
                guard (16_384...16_777_215).contains(setting.value) else {
                    throw .connection(.protocolError, "The maximum frame size is invalid.")
                }
                // Longer frames would block other streams, with almost no benefit.
                maximumPayload = min(Int(setting.value), HTTP2FrameReader.maximumPayload)
            case .maximumHeaderListSize:
                maximumHeaderList = Int(setting.value)
            case .enableConnectProtocol:
                guard setting.value <= 1, setting.value == 1 || !isConnectProtocolEnabled else {
                    throw .connection(.protocolError, "The setting of extended CONNECT is invalid, or is withdrawn.")
                }
                isConnectProtocolEnabled = setting.value == 1
            case nil:
                break
            }
        }
    }
}
#endif
