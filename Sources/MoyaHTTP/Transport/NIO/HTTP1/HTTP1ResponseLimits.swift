/// The limits on HTTP/1.1 responses.
///
/// A connection that exceeds them is closed.
/// They bound memory use, and are far above what servers normally send.
enum ResponseLimits {
    /// The maximum size of a response head (status line and fields) in bytes.
    static let head = 256 * 1024
    /// The maximum number of fields in a head or in trailers.
    static let fields = 1_000
    /// The maximum size of a chunk line with its extensions, in bytes.
    static let chunkLine = 16 * 1024
    /// The maximum number of bytes by which all chunk lines together may exceed 16 bytes per chunk and twice the
    /// size of the chunks.
    ///
    /// Chunk extensions cost time and have no use.
    static let chunkOverhead = 64 * 1024
    /// The maximum size of the trailers of a response in bytes.
    static let trailers = 256 * 1024
    /// The maximum size of the interim responses to a request in an interval of
    /// ``InterimResponseBudget/interval``, in bytes.
    static let interimResponses = 256 * 1024
}

/// The size of the interim responses to a request (RFC 9110, section 15.2), which is limited for each interval.
///
/// A server may send one every second for hours, to say that it still works on the request. Only a flood is an error.
struct InterimResponseBudget: Equatable, Sendable {
    /// The time after which the count starts again.
    static let interval = Duration.seconds(10)
    /// The size of an interim response that is counted at least, so that short ones have a limit of their own.
    private static let minimumSize = 64

    private var size = 0

    /// Whether there has been an interim response in this interval.
    var isUsed: Bool { size > 0 }

    /// Counts an interim response with a head of this size in bytes; returns whether it is within the limit.
    mutating func spend(_ size: Int) -> Bool {
        self.size += max(size, Self.minimumSize)
        return self.size <= ResponseLimits.interimResponses
    }

    /// Starts another interval.
    mutating func intervalPassed() { size = 0 }
}
