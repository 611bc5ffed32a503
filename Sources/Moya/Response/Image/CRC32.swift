import Foundation

/// The checksum of PNG's chunks (W3C PNG, section 5.5).
struct CRC32 {
    private var state: UInt32 = .max

    var value: UInt32 { ~state }

    mutating func update(_ data: Data) {
        state = data.withUnsafeBytes { bytes in
            Self.table.withUnsafeBufferPointer { table in
                bytes.reduce(state) { state, byte in table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
            }
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
}
