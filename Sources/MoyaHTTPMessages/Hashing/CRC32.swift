import CMoyaZlib
import Foundation

/// The checksum of gzip (RFC 1952, section 8) and of PNG chunks (W3C PNG, section 5.5).
package struct CRC32: Sendable {
    /// The checksum of all bytes so far.
    package private(set) var value: UInt32 = 0

    package init() {}

    /// Adds bytes.
    package mutating func update(_ data: Data) {
        // zlib restarts the checksum if it gets a null pointer.
        guard !data.isEmpty else { return }
        value = data.withUnsafeBytes { [value] bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            return UInt32(truncatingIfNeeded: crc32_z(uLong(value), start, numericCast(bytes.count)))
        }
    }
}
