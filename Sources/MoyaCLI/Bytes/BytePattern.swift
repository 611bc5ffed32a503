import Foundation

/// Bytes that are made as they are needed, and that tell where they belong: what large transfers carry.
///
/// They repeat after a prime number of bytes, which no size of a buffer divides, so that a piece that is lost, doubled or out
/// of place shows. None of them is ASCII, so that their first one can be found in a form.
enum BytePattern {
    static let period = 1_048_573

    /// The bytes up to where they repeat.
    static let data: Data = {
        var state: UInt32 = 0x4D6F_7961
        var data = Data(count: period)
        data.withUnsafeMutableBytes { bytes in
            for index in bytes.indices {
                // Marsaglia's xorshift.
                state ^= state << 13
                state ^= state >> 17
                state ^= state << 5
                bytes[index] = UInt8(truncatingIfNeeded: state) | 0x80
            }
        }
        return data
    }()

    /// Writes a file of so many bytes, piece by piece, until its task is cancelled.
    static func write(_ count: Int64, to file: URL) throws {
        try Data().write(to: file, options: .withoutOverwriting)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        var rest = count
        while rest > 0 {
            try Task.checkCancellation()
            let piece = data.prefix(Int(min(rest, Int64(period))))
            try handle.write(contentsOf: piece)
            rest -= Int64(piece.count)
        }
    }
}
