import Foundation

/// The beginning of a body and its total size, captured while the body is transferred.
package struct CapturedBody: Equatable, Sendable {
    package let limit: Int
    /// The first bytes, at most ``limit``.
    package private(set) var kept = Data()
    package private(set) var size: Int64 = 0

    package init(limit: Int) { self.limit = max(0, limit) }

    package init(_ data: Data, limit: Int) {
        self.init(limit: limit)
        append(data)
    }

    package var isCut: Bool { Int64(kept.count) < size }

    package mutating func append(_ data: Data) {
        size += Int64(data.count)
        let room = limit - kept.count
        if room > 0 { kept.append(data.prefix(room)) }
    }
}
