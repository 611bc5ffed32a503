import Foundation
import Moya

/// A repeated pattern of bytes for large transfers, which reveals the position of each piece.
///
/// The period is a prime number, which is not a multiple of any buffer size, so a lost, duplicated or misplaced piece is detected. The
/// bytes are not ASCII, so the beginning of the pattern can be found in a form.
enum BytePattern {
    static let period = 1_048_573

    /// The bytes of one period.
    static let data: Data = {
        var state: UInt32 = 0x4D6F_7961
        var data = Data(count: period)
        data.withUnsafeMutableBytes { bytes in
            for index in bytes.indices {
                // This is Marsaglia's xorshift.
                state ^= state << 13
                state ^= state >> 17
                state ^= state << 5
                bytes[index] = UInt8(truncatingIfNeeded: state) | 0x80
            }
        }
        return data
    }()

    /// Writes a file with the given number of bytes, piece by piece, until the task is cancelled.
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
