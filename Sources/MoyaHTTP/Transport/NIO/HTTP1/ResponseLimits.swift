/// What a client accepts from a server over HTTP/1.1 before it gives up the connection.
///
/// The limits keep memory bounded. They are far above what servers send in earnest.
enum ResponseLimits {
    /// The size of a response's head, status line and fields, in bytes.
    static let head = 256 * 1024
    /// The number of fields in a head, or in trailers.
    static let fields = 1_000
    /// The size of the line that begins a chunk, with its extensions, in bytes.
    static let chunkLine = 16 * 1024
    /// By how many bytes the lines that begin chunks may together exceed 16 bytes a chunk and twice the chunks' size:
    /// extensions cost time and are of no use to anybody.
    static let chunkOverhead = 64 * 1024
    /// The size of a response's trailers, in bytes.
    static let trailers = 256 * 1024
    /// The number of interim responses to one request.
    static let interimResponses = 100
}
