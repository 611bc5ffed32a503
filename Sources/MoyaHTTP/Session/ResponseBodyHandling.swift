/// The way in which the body of a response is handled.
enum ResponseBodyHandling: Sendable {
    /// Reads the body into memory.
    case collect(progress: ProgressMeter?)
    /// Writes the body to a file.
    case save(Download)
    /// Passes the body to the caller as it arrives.
    case stream
    /// Passes the bytes of another protocol to the caller as they arrive, if the server agrees to the upgrade; otherwise, reads the body
    /// into memory.
    indirect case upgrade(ProtocolUpgrade)

    /// The size, in bytes, up to which the transport waits for the whole body.
    ///
    /// Callers that want progress, or the body as it arrives, get each chunk.
    var bufferLimit: Int {
        if case .collect(progress: nil) = self { TransportRequest.defaultResponseBufferLimit } else { 0 }
    }

    /// Whether the caller reads the body as it arrives.
    var isStream: Bool {
        switch self {
        case .stream, .upgrade: true
        case .collect, .save: false
        }
    }

    /// The upgrade to another protocol, if the request asks for one.
    var upgrade: ProtocolUpgrade? { if case .upgrade(let upgrade) = self { upgrade } else { nil } }

    /// Whether further exchanges may follow that continue the body.
    var isContinuable: Bool { if case .save = self { true } else { false } }
}
