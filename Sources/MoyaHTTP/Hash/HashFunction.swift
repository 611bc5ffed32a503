import Foundation

/// A hash function with incremental input.
///
/// These are own implementations, since CommonCrypto is not available on Linux, and swift-crypto would make every
/// user compile BoringSSL, which has no SHA-512/256. They are for protocols that require them, not for password
/// storage.
package protocol HashFunction: Sendable {
    /// The size of a hash in bytes.
    static var byteCount: Int { get }

    /// Creates a hash function with empty input.
    init()

    /// Appends input.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Returns the hash of the input so far.
    ///
    /// It does not change the value, so more input may follow.
    func finalize() -> [UInt8]
}

extension HashFunction {
    /// Appends input.
    package mutating func update(_ data: some ContiguousBytes) {
        data.withUnsafeBytes { update($0) }
    }

    /// Returns the hash of the data.
    package static func hash(_ data: some ContiguousBytes) -> [UInt8] {
        var function = Self()
        function.update(data)
        return function.finalize()
    }

    /// Returns the hash of the text in UTF-8.
    package static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }
}

extension Sequence where Element == UInt8 {
    /// The bytes as lowercase hexadecimal digits, two for each.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(underestimatedCount &* 2)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
