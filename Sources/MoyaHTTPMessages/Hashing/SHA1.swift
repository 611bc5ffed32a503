/// SHA-1 (RFC 3174), for the handshake of WebSockets.
///
/// It is not collision resistant.
package struct SHA1: BlockHashFunction {
    package static let byteCount = 20
    static let isBigEndian = true

    var blocks = HashBlocks(size: 64)
    /// The five words of the state; the others are not used.
    var state = SIMD8<UInt32>(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0, 0, 0, 0)

    package init() {}

    /// Processes a block (section 6.1).
    static func compress(_ block: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
        var words = (0..<16).map { UInt32(bigEndian: block.loadUnaligned(fromByteOffset: $0 &* 4, as: UInt32.self)) }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(mixed.rotatedLeft(1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (step, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch step / 20 {
                case 0: (b & c | ~b & d, 0x5a82_7999)
                case 1: (b ^ c ^ d, 0x6ed9_eba1)
                case 2: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let sum = a.rotatedLeft(5) &+ mixed &+ e &+ word &+ constant
            (e, d, c, b, a) = (d, c, b.rotatedLeft(30), a, sum)
        }
        state &+= SIMD8(a, b, c, d, e, 0, 0, 0)
    }
}
