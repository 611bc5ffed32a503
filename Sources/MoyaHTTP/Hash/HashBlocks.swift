/// What MD5 and the two SHA-2 have in common: they take their input block by block, and end it with a one bit, zeros and
/// its length (Merkle–Damgård).
///
/// It holds what is left over from the last piece, which is less than a block.
struct HashBlocks: Sendable {
    /// How many bytes a block has: 64 or 128.
    let size: Int
    private var rest: [UInt8] = []
    /// The input so far, in bytes, modulo 2^64. The standards count bits, so that this is enough up to 2^61 bytes; no
    /// program gets there.
    private var length: UInt64 = 0

    init(size: Int) {
        self.size = size
        rest.reserveCapacity(size)
    }

    /// Takes a piece, and hands out the blocks that it completes.
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

    /// The one or two blocks that end the input.
    ///
    /// - Parameter isBigEndian: How the length is written, in an eighth of a block; MD5 has it the other way round.
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
    /// The bytes of the words, one word after the other.
    func bytes(isBigEndian: Bool) -> [UInt8] {
        flatMap { word in withUnsafeBytes(of: isBigEndian ? word.bigEndian : word.littleEndian) { Array($0) } }
    }
}
