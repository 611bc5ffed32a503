import Foundation

/// A pattern of any length, whose bytes depend on their positions and are computed on demand.
public struct Pattern: Equatable, Sendable {
    /// Creates a pattern.
    ///
    /// - Parameter version: Patterns of different versions differ in each byte.
    public init(version: Int = 0) {
        block = Data((0..<Self.period).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7 &+ $0 &+ version) })
    }

    /// The period: a prime number, so that no buffer's length is a multiple of it and hides a displacement.
    private static let period = 65_521

    private let block: Data

    /// Returns the bytes of a range.
    public func bytes(_ range: Range<Int>) -> Data {
        var bytes = Data(capacity: range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let start = position % Self.period
            let count = min(Self.period - start, range.upperBound - position)
            bytes.append(block[start..<start + count])
            position += count
        }
        return bytes
    }

    /// Returns the first bytes.
    public func bytes(_ count: Int) -> Data { bytes(0..<count) }
}
