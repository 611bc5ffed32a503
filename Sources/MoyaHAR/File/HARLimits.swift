/// How much of a file is believed: a file may come from anywhere.
public struct HARLimits: Hashable, Sendable {
    /// How many bytes a file may have. 256 MiB by default.
    public var size: Int
    /// How deep its objects and lists may be nested. 256 by default: a browser's notes on what began a request are deep.
    public var depth: Int

    /// Makes limits. Neither is less than one, and the depth is 500 at most: so deep the decoder goes.
    public init(size: Int = 256 << 20, depth: Int = 256) {
        self.size = max(1, size)
        self.depth = min(max(1, depth), 500)
    }
}
