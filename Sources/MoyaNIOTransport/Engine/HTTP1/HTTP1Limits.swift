/// The limits on HTTP/1.1 responses.
///
/// A connection that exceeds them is closed.
/// They bound memory use, and are far above the normal use of servers.
enum HTTP1Limits {
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
}
