/// What a client accepts from a server over HTTP/2 before it gives up a stream or the connection.
///
/// The limits keep memory bounded. They are far above what servers send in earnest.
enum HTTP2Limits {
    /// The size of a response's header section or trailers, in bytes, as SETTINGS_MAX_HEADER_LIST_SIZE counts it: names,
    /// values, and 32 for each field (RFC 9113, section 6.5.2). A larger one fails its request alone.
    static let headerList = 256 * 1024
    /// The size of a header block, encoded and decoded. A larger one ends the connection: the decoder's table would be out
    /// of step if the rest were skipped.
    static let headerBlock = 1024 * 1024
    /// The number of CONTINUATION frames of one header block.
    static let continuations = 1_024
    /// The number of interim responses to one request.
    static let interimResponses = 100
    /// The number of acknowledgements that the connection has not been able to send yet.
    static let unsentAcknowledgements = 10_000
    /// What a server may send on a stream before it is read (RFC 9113, section 6.9): enough for one round trip to a distant
    /// server.
    static let streamWindow = 1024 * 1024
    /// What a server may have under way on all streams. It is given back as it arrives, so that responses that nobody
    /// reads for now do not hold up the others; what they may hold is bounded by the window of each stream.
    static let connectionWindow = 16 * 1024 * 1024
    /// DATA, in bytes, for streams that are over, beyond what was under way when they were cancelled. More ends the
    /// connection (RFC 9113, section 5.1).
    static let lateData = 1024 * 1024
    /// The number of frames without any effect on a request, in ten seconds. More ends the connection (RFC 9113, section
    /// 10.5).
    static let framesWithoutEffect = 10_000
    /// The number of streams that are opened before the server has said how many it allows.
    static let streamsBeforeSettings = 1
}
