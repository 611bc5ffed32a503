/// The way in which the body of a response is handled.
enum ResponseBodyHandling: Sendable {
    /// Reads the body into memory.
    case collect(progress: ProgressMeter?)
    /// Writes the body to a file.
    case save(Download)
    /// Passes the body to the caller as it arrives.
    case stream

    /// The size, in bytes, up to which the transport waits for the whole body.
    ///
    /// Callers that want progress, or the body as it arrives, get each chunk.
    var bufferLimit: Int {
        if case .collect(progress: nil) = self { TransportRequest.defaultResponseBufferLimit } else { 0 }
    }

    /// Whether the caller reads the body as it arrives.
    var isStream: Bool { if case .stream = self { true } else { false } }

    /// Whether further exchanges may follow that continue the body.
    var isContinuable: Bool { if case .save = self { true } else { false } }
}
