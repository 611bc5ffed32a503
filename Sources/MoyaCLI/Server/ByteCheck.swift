import Foundation
import Moya

/// Compares streamed bytes with ``BytePattern`` without storing them.
struct ByteCheck: Equatable, Sendable {
    /// The number of bytes received, and how many of them match the pattern.
    private(set) var receipt = ByteReceipt(bytes: 0, content: 0)

    /// The maximum length of the text before the pattern in a form; a longer prefix is not searched.
    private static let longestPrefix = 65_536

    private enum Phase: Equatable, Sendable { case before, within, after }

    private var phase = Phase.before

    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        receipt.bytes += Int64(bytes.count)
        var rest = bytes[...]
        if phase == .before {
            guard let start = rest.firstIndex(where: { $0 >= 0x80 }) else {
                if receipt.bytes > Self.longestPrefix { phase = .after }
                return
            }
            rest = rest[start...]
            phase = .within
        }
        while phase == .within, !rest.isEmpty {
            let length = Self.compare(UnsafeRawBufferPointer(rebasing: rest), at: receipt.content)
            receipt.content += Int64(length.agreeing)
            if length.agreeing < length.compared { phase = .after }
            rest = rest.dropFirst(length.compared)
        }
    }

    /// Returns the number of bytes that were compared, and how many of them match.
    private static func compare(
        _ bytes: UnsafeRawBufferPointer,
        at position: Int64
    ) -> (compared: Int, agreeing: Int) {
        BytePattern.data.withUnsafeBytes { pattern in
            let expected = UnsafeRawBufferPointer(rebasing: pattern[Int(position % Int64(pattern.count))...])
            let count = min(bytes.count, expected.count)
            guard count > 0, let new = bytes.baseAddress, let old = expected.baseAddress else { return (0, 0) }
            // memcmp is used, because a loop would take most of the time in a debug build.
            if memcmp(new, old, count) == 0 { return (count, count) }
            return (count, (0..<count).first { bytes[$0] != expected[$0] } ?? count)
        }
    }
}

extension ByteCheck {
    mutating func receive(_ data: Data) { data.withUnsafeBytes { receive($0) } }

    /// Returns the receipt for the content of a file.
    static func receipt(for file: URL) throws -> ByteReceipt {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var check = ByteCheck()
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { check.receive(piece) }
        return check.receipt
    }
}

/// A receiver's report of the bytes that it received.
struct ByteReceipt: Codable, Equatable, Sendable {
    /// The number of bytes.
    var bytes: Int64
    /// The number of bytes that match the pattern, counted from the pattern's beginning to the first difference.
    var content: Int64
}
