import Foundation

/// A hash function with incremental input.
///
/// The library has hash functions because Linux has no CommonCrypto, and because with swift-crypto every application would have to
/// compile BoringSSL, which has no SHA-512/256. They are for protocols that require them, not for the storage of passwords.
package protocol HashFunction: Sendable {
    /// The size of a hash in bytes.
    static var byteCount: Int { get }

    /// Creates a hash function with empty input.
    init()

    /// Appends input.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Returns the hash of the input so far.
    ///
    /// The function does not change the value, so more input may follow.
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
    @inlinable package var hexadecimal: String {
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

/// A hash function that compresses one block of input after the other into a state of words: MD5, SHA-1 and SHA-2.
protocol BlockHashFunction: HashFunction {
    associatedtype State: SIMD where State.Scalar: FixedWidthInteger

    /// Whether words are written with the most significant byte first.
    static var isBigEndian: Bool { get }
    var blocks: HashBlocks { get set }
    var state: State { get set }

    /// Processes a block.
    static func compress(_ block: UnsafeRawBufferPointer, into state: inout State)
}

extension BlockHashFunction {
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var state = state
        blocks.update(bytes) { Self.compress($0, into: &state) }
        self.state = state
    }

    package func finalize() -> [UInt8] {
        var copy = self
        copy.blocks = HashBlocks(size: blocks.size)
        blocks.last(isBigEndian: Self.isBigEndian).withUnsafeBytes { copy.update($0) }
        let words = (0..<Self.byteCount / (State.Scalar.bitWidth / 8)).map { copy.state[$0] }
        return words.bytes(isBigEndian: Self.isBigEndian)
    }
}

/// The input blocks of MD5, SHA-1 and SHA-2, padded with a one bit, zeros and the length (Merkle–Damgård).
///
/// The value keeps the rest of the input, which is shorter than a block.
struct HashBlocks: Sendable {
    /// The block size in bytes: 64 or 128.
    let size: Int
    private var rest: [UInt8] = []
    /// The length of the input in bytes, modulo 2^64.
    ///
    /// The standards count bits modulo 2^64, so the length is correct for up to 2^61 bytes.
    private var length: UInt64 = 0

    init(size: Int) {
        self.size = size
        rest.reserveCapacity(size)
    }

    /// Appends input and passes each completed block to the closure.
    mutating func update(_ bytes: UnsafeRawBufferPointer, each: (UnsafeRawBufferPointer) -> Void) {
        length &+= UInt64(bytes.count)
        var bytes = bytes[...]
        if !rest.isEmpty {
            let missing = bytes.prefix(size - rest.count)
            rest.append(contentsOf: missing)
            bytes = bytes.dropFirst(missing.count)
            guard rest.count == size else { return }
            rest.withUnsafeBytes { each($0) }
            rest.removeAll(keepingCapacity: true)
        }
        while bytes.count >= size {
            each(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)))
            bytes = bytes.dropFirst(size)
        }
        rest.append(contentsOf: bytes)
    }

    /// Returns the final one or two blocks.
    ///
    /// The size of the length field is an eighth of the block size. The field is little-endian in MD5 and big-endian in the others.
    func last(isBigEndian: Bool) -> [UInt8] {
        let lengthSize = size / 8
        var last = rest + [0x80]
        let total = last.count + lengthSize <= size ? size : 2 * size
        last.append(contentsOf: repeatElement(0, count: total - last.count - 8))
        let bits = length &<< 3
        for index in 0..<8 {
            let shift = UInt64(8 * (isBigEndian ? 7 - index : index))
            last.append(UInt8(truncatingIfNeeded: bits &>> shift))
        }
        return last
    }
}

extension FixedWidthInteger {
    func rotatedLeft(_ count: Self) -> Self {
        self &<< count | self &>> (Self(truncatingIfNeeded: Self.bitWidth) &- count)
    }

    func rotatedRight(_ count: Self) -> Self {
        self &>> count | self &<< (Self(truncatingIfNeeded: Self.bitWidth) &- count)
    }
}

extension Sequence where Element: FixedWidthInteger {
    /// Returns the concatenated bytes of the words.
    func bytes(isBigEndian: Bool) -> [UInt8] {
        flatMap { word in withUnsafeBytes(of: isBigEndian ? word.bigEndian : word.littleEndian) { Array($0) } }
    }
}
