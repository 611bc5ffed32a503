import Foundation

/// A hash function that takes its input in pieces. The pieces do not matter: only what they say together does.
///
/// These are our own because of what the alternatives cost: CommonCrypto is not on Linux, and swift-crypto would make
/// every user build BoringSSL, which has no SHA-512/256. They are for protocols that ask for them, and not for keeping
/// passwords.
package protocol HashFunction: Sendable {
    /// How many bytes a hash has.
    static var byteCount: Int { get }

    /// Begins with empty input.
    init()

    /// Takes the next piece of the input.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// The hash of the input so far. More may follow: the value itself does not change.
    func finalize() -> [UInt8]
}

extension HashFunction {
    /// Takes the next piece of the input.
    package mutating func update(_ data: some ContiguousBytes) {
        data.withUnsafeBytes { update($0) }
    }

    /// The hash of the whole input.
    package static func hash(_ data: some ContiguousBytes) -> [UInt8] {
        var function = Self()
        function.update(data)
        return function.finalize()
    }

    /// The hash of the UTF-8 of a text.
    package static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }
}

extension Sequence where Element == UInt8 {
    /// Two lower-case hexadecimal digits for each byte.
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
