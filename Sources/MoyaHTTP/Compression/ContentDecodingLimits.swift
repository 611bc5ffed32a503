/// How far a coded body may grow when it is decoded, so that a small answer cannot fill memory or disk.
///
/// The defaults let through what servers send in earnest. Raise them for data that is known to be long and monotonous.
public struct ContentDecodingLimits: Equatable, Sendable {
    /// How many times as many bytes there may be after the decoding as before it, through all codings together.
    ///
    /// It counts once more than 1 MiB has been decoded: a short answer may well be one long repetition. Text shrinks to
    /// a fifth or a tenth; deflate reaches 1032 at most, and only where nothing is said.
    public var ratio: Int

    /// How many bytes there may be after the decoding of any of the codings.
    ///
    /// It is there for what is not stopped by the ratio: a body without end.
    public var size: Int64

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - ratio: Bytes after the decoding for each byte before it; 200 unless told otherwise.
    ///   - size: Bytes after the decoding; 16 GiB unless told otherwise.
    public init(ratio: Int = 200, size: Int64 = 1 << 34) {
        self.ratio = ratio
        self.size = size
    }
}
