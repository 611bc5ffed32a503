/// The limits on the size of decoded bodies, so that a small response cannot exhaust memory or disk space.
///
/// The defaults allow all common responses. Increase them for data that is known to be long and repetitive.
public struct ContentDecodingLimits: Equatable, Sendable {
    /// The maximum number of decoded bytes per encoded byte, through all codings together.
    ///
    /// It applies after 1 MiB of decoded data, since a short response may be one long repetition. Typical text has
    /// a ratio of 5 to 10; deflate reaches 1032 at most.
    public var ratio: Int

    /// The maximum number of bytes after decoding any of the codings.
    ///
    /// It limits endless bodies, which the ratio does not.
    public var size: Int64

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - ratio: The maximum number of decoded bytes per encoded byte; 200 by default.
    ///   - size: The maximum number of decoded bytes; 16 GiB by default.
    public init(ratio: Int = 200, size: Int64 = 1 << 34) {
        self.ratio = ratio
        self.size = size
    }
}
