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

/// The input blocks of MD5 and SHA-2, padded with a one bit, zeros and the length (Merkle–Damgård).
///
/// It keeps the rest of the input, which is less than a block.
struct HashBlocks: Sendable {
    /// The block size in bytes: 64 or 128.
    let size: Int
    private var rest: [UInt8] = []
    /// The length of the input in bytes, modulo 2^64.
    ///
    /// The standards count bits, so this is sufficient for 2^61 bytes.
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
    /// The length field has an eighth of the block size. It is big-endian in SHA-2 and little-endian in MD5.
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

extension HTTPBody {
    /// Returns the hash of the body as sent, for `auth-int` (RFC 7616, section 3.4.3).
    ///
    /// The body is read piece by piece, so only a repeatable body can be sent afterwards.
    ///
    /// - Throws: ``RequestBodyError``.
    package func hash(by digest: DigestHash) async throws(RequestBodyError) -> [UInt8] {
        var plain = HTTPBody(segments: segments)
        // Hashing is not upload progress, so the copy is not observed.
        if isGzipped { plain = plain.gzipped() }
        let reader = try plain.open()
        var function = digest.function.init()
        while let piece = try await reader.next() { function.update(piece) }
        return function.finalize()
    }
}
