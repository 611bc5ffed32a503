/// The limits on data from a server over HTTP/2.
///
/// They bound memory use, and are far above the normal use of servers. A stream or connection that exceeds a maximum is
/// closed, unless the comment of the maximum says otherwise; longer debug data is cut off. ``streamsBeforeSettings`` limits the client, and
/// ``interval`` is the time in which frames are counted.
enum HTTP2Limits {
    /// The maximum size of a header section or trailers in bytes, as SETTINGS_MAX_HEADER_LIST_SIZE defines it:
    /// names, values, and 32 for each field (RFC 9113, section 6.5.2).
    ///
    /// If it is exceeded, only its request fails.
    static let maximumHeaderList = 256 * 1024
    /// The maximum size of a header block in bytes, encoded and decoded.
    ///
    /// If it is exceeded, the connection ends: skipping the rest would make the decoder's table inconsistent.
    static let maximumHeaderBlock = 1024 * 1024
    /// The maximum number of CONTINUATION frames of a header block.
    ///
    /// If it is exceeded, the connection ends.
    static let maximumContinuations = 1_024
    /// The maximum number of acknowledgments of SETTINGS and PING that have not been sent.
    ///
    /// If it is exceeded, the connection ends: the server does not read them.
    static let maximumUnsentAcknowledgments = 10_000
    /// The receive window of a stream in bytes (RFC 9113, section 6.9): a response gets at most 1 MiB in each round trip, which is
    /// 10 MB/s at 100 ms.
    static let streamWindow = 1024 * 1024
    /// The receive window of the connection in bytes.
    ///
    /// It is enlarged when data has used half of it, whether or not the data is read, so that unread responses do not block others;
    /// their memory use is bounded by the window of each stream.
    static let connectionWindow = 16 * 1024 * 1024
    /// The number of bytes of DATA accepted for closed streams, in addition to the data in transit when they were
    /// cancelled.
    ///
    /// If it is exceeded, the connection ends (RFC 9113, section 5.1).
    static let extraLateData = 1024 * 1024
    /// The number of frames without data that are accepted for a stream that the client has reset, before they count as
    /// ``maximumFramesWithoutEffect``.
    ///
    /// Such frames are in transit when the stream is reset: interim responses, the head, trailers, an empty DATA frame, RST_STREAM.
    static let maximumLateFrames = 8
    /// The maximum number of parameters of a SETTINGS frame.
    ///
    /// If it is exceeded, the connection ends (RFC 9113, section 10.5).
    static let maximumSettingsParameters = 32
    /// The maximum number of frames without effect on a request in an ``interval``.
    ///
    /// SETTINGS and GOAWAY count, too, and WINDOW_UPDATE beyond ``windowUpdates(afterSending:)``. If the number is exceeded, the
    /// connection ends (RFC 9113, section 10.5).
    static let maximumFramesWithoutEffect = 10_000
    /// Returns the number of WINDOW_UPDATE frames that a DATA frame allows: one for each window, and one for each 256 bytes,
    /// because some servers enlarge the windows whenever the application has read a little.
    static func windowUpdates(afterSending length: Int) -> Int { 2 + length / 256 }
    /// The interval in which frames without effect, and interim responses, are counted.
    static let interval = InterimResponseBudget.interval
    /// The maximum number of bytes of a GOAWAY's debug data that an error quotes.
    static let maximumDebugData = 200
    /// The number of streams that may be opened before the server's settings are received.
    static let streamsBeforeSettings = 1
}
