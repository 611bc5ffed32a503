/// Counts what a decoder gives and says when it is too much. Pure.
struct DecodingBudget: Equatable, Sendable {
    /// Below this many bytes, 1 MiB, the ratio does not count.
    static let ratioThreshold: Int64 = 1 << 20

    private let limits: ContentDecodingLimits
    private var decoded: Int64 = 0

    init(_ limits: ContentDecodingLimits) { self.limits = limits }

    /// Adds bytes that have been decoded, before anyone gets them.
    ///
    /// - Parameter encoded: How many bytes it took in all, if that is known.
    mutating func spend(_ count: Int, encoded: Int64?) throws(ContentDecodingError) {
        decoded += Int64(count)
        guard decoded <= limits.size else { throw .sizeExceeded(limit: limits.size) }
        guard decoded > Self.ratioThreshold, let encoded else { return }
        let (allowed, isBeyondAnyCount) = encoded.multipliedReportingOverflow(by: Int64(max(limits.ratio, 0)))
        guard isBeyondAnyCount || decoded <= allowed else { throw .ratioExceeded(limit: limits.ratio) }
    }
}
