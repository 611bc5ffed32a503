/// The count of decoded bytes, checked against the limits.
struct DecodingBudget: Equatable, Sendable {
    /// The number of decoded bytes from which the ratio applies: 1 MiB.
    static let ratioThreshold: Int64 = 1 << 20

    private let limits: ContentDecodingLimits
    private var decoded: Int64 = 0

    init(_ limits: ContentDecodingLimits) { self.limits = limits }

    /// Adds decoded bytes, before they are returned.
    ///
    /// - Parameters:
    ///   - count: The number of decoded bytes to add.
    ///   - encoded: The total number of encoded bytes consumed, if known.
    /// - Throws: ``ContentDecodingError`` if a limit is exceeded.
    mutating func spend(_ count: Int, encoded: Int64?) throws(ContentDecodingError) {
        decoded += Int64(count)
        guard decoded <= limits.size else { throw .sizeExceeded(limit: limits.size) }
        guard decoded > Self.ratioThreshold, let encoded else { return }
        let (allowed, isBeyondAnyCount) = encoded.multipliedReportingOverflow(by: Int64(max(limits.ratio, 0)))
        guard isBeyondAnyCount || decoded <= allowed else { throw .ratioExceeded(limit: limits.ratio) }
    }
}
