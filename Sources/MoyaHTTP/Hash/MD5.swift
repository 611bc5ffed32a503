/// MD5 (RFC 1321), for Digest authentication with servers that do not support SHA-2.
///
/// It is not collision resistant.
package struct MD5: HashFunction {
    package static let byteCount = 16

    private var blocks = HashBlocks(size: 64)
    private var state = SIMD4<UInt32>(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var state = state
        blocks.update(bytes) { Self.compress($0, into: &state) }
        self.state = state
    }

    package func finalize() -> [UInt8] {
        var copy = self
        copy.blocks = HashBlocks(size: blocks.size)
        blocks.last(isBigEndian: false).withUnsafeBytes { copy.update($0) }
        return (0..<4).map { copy.state[$0] }.bytes(isBigEndian: false)
    }

    /// Processes a block (section 3.4, step 4).
    private static func compress(_ block: UnsafeRawBufferPointer, into state: inout SIMD4<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        constants.withUnsafeBufferPointer { constants in
            for step in 0..<64 {
                let mixed: UInt32
                let word: Int
                switch step >> 4 {
                case 0: (mixed, word) = (b & c | ~b & d, step)
                case 1: (mixed, word) = (b & d | c & ~d, 5 &* step &+ 1)
                case 2: (mixed, word) = (b ^ c ^ d, 3 &* step &+ 5)
                default: (mixed, word) = (c ^ (b | ~d), 7 &* step)
                }
                let value = UInt32(littleEndian: block.loadUnaligned(fromByteOffset: (word & 15) &* 4, as: UInt32.self))
                let sum = a &+ mixed &+ value &+ constants[step]
                (a, d, c) = (d, c, b)
                b = b &+ sum.rotatedLeft(shifts[step >> 4][step & 3])
            }
        }
        state &+= SIMD4(a, b, c, d)
    }

    /// The rotation of each step in a round.
    private static let shifts: [SIMD4<UInt32>] = [
        SIMD4(7, 12, 17, 22), SIMD4(5, 9, 14, 20), SIMD4(4, 11, 16, 23), SIMD4(6, 10, 15, 21),
    ]

    /// The integer parts of 2^32 · |sin(i + 1)|.
    private static let constants: [UInt32] = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a,
        0xa830_4613, 0xfd46_9501, 0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be,
        0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821, 0xf61e_2562, 0xc040_b340,
        0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8,
        0x676f_02d9, 0x8d2a_4c8a, 0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c,
        0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70, 0x289b_7ec6, 0xeaa1_27fa,
        0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92,
        0xffef_f47d, 0x8584_5dd1, 0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1,
        0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ]
}
