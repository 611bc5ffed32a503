/// The limits for reading a file, which may be untrusted.
public struct HARLimits: Hashable, Sendable {
    /// The maximum size of a file in bytes; 256 MiB by default.
    public var size: Int
    /// The maximum nesting of objects and arrays; 256 by default, because browsers record deeply nested initiators of requests.
    public var depth: Int

    static let maximumDepth = 500

    /// Creates limits of at least 1; the depth is at most 500, which the decoder supports.
    public init(size: Int = 256 << 20, depth: Int = 256) {
        self.size = max(1, size)
        self.depth = min(max(1, depth), Self.maximumDepth)
    }
}
