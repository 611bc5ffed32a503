/// MD5 (RFC 1321), for Digest authentication with servers that do not support SHA-2.
///
/// It is not collision resistant.
package struct MD5: BlockHashFunction {
    package static let byteCount = 16
    static let isBigEndian = false

    var blocks = HashBlocks(size: 64)
    var state = SIMD4<UInt32>(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)

    package init() {}

    /// Processes a block (section 3.4, step 4).
    static func compress(_ block: UnsafeRawBufferPointer, into state: inout SIMD4<UInt32>) {
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

    /// The rotations of each round, whose steps use the four numbers in turn.
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

/// SHA-256 (FIPS 180-4).
package struct SHA256: BlockHashFunction {
    package static let byteCount = 32
    static let isBigEndian = true

    var blocks = HashBlocks(size: 64)
    var state = SIMD8<UInt32>(
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19
    )

    package init() {}

    /// Processes a block (section 6.2.2).
    static func compress(_ block: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            for index in 0..<16 {
                words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
            }
            for index in 16..<64 {
                let (early, late) = (words[index &- 15], words[index &- 2])
                let sigma0 = early.rotatedRight(7) ^ early.rotatedRight(18) ^ early &>> 3
                let sigma1 = late.rotatedRight(17) ^ late.rotatedRight(19) ^ late &>> 10
                words[index] = words[index &- 16] &+ sigma0 &+ words[index &- 7] &+ sigma1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            constants.withUnsafeBufferPointer { constants in
                for index in 0..<64 {
                    let sum1 = e.rotatedRight(6) ^ e.rotatedRight(11) ^ e.rotatedRight(25)
                    let choice = e & f ^ ~e & g
                    let first = h &+ sum1 &+ choice &+ constants[index] &+ words[index]
                    let sum0 = a.rotatedRight(2) ^ a.rotatedRight(13) ^ a.rotatedRight(22)
                    let majority = a & b ^ a & c ^ b & c
                    (h, g, f, e) = (g, f, e, d &+ first)
                    (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
                }
            }
            state &+= SIMD8(a, b, c, d, e, f, g, h)
        }
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
        0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
        0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
        0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
        0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

/// SHA-512/256 (FIPS 180-4): SHA-512 with other initial values, truncated to 256 bits.
///
/// Digest authentication calls it SHA-512-256.
package struct SHA512_256: BlockHashFunction {
    package static let byteCount = 32
    static let isBigEndian = true

    var blocks = HashBlocks(size: 128)
    var state = SIMD8<UInt64>(
        0x2231_2194_fc2b_f72c,
        0x9f55_5fa3_c84c_64c2,
        0x2393_b86b_6f53_b151,
        0x9638_7719_5940_eabd,
        0x9628_3ee2_a88e_ffe3,
        0xbe5e_1e25_5386_3992,
        0x2b01_99fc_2c85_b8aa,
        0x0eb7_2ddc_81c5_2ca2
    )

    package init() {}

    /// Processes a block (section 6.4.2, with the initial values of section 5.3.6.2).
    static func compress(_ block: UnsafeRawBufferPointer, into state: inout SIMD8<UInt64>) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 80) { words in
            for index in 0..<16 {
                words[index] = UInt64(bigEndian: block.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
            }
            for index in 16..<80 {
                let (early, late) = (words[index &- 15], words[index &- 2])
                let sigma0 = early.rotatedRight(1) ^ early.rotatedRight(8) ^ early &>> 7
                let sigma1 = late.rotatedRight(19) ^ late.rotatedRight(61) ^ late &>> 6
                words[index] = words[index &- 16] &+ sigma0 &+ words[index &- 7] &+ sigma1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            constants.withUnsafeBufferPointer { constants in
                for index in 0..<80 {
                    let sum1 = e.rotatedRight(14) ^ e.rotatedRight(18) ^ e.rotatedRight(41)
                    let choice = e & f ^ ~e & g
                    let first = h &+ sum1 &+ choice &+ constants[index] &+ words[index]
                    let sum0 = a.rotatedRight(28) ^ a.rotatedRight(34) ^ a.rotatedRight(39)
                    let majority = a & b ^ a & c ^ b & c
                    (h, g, f, e) = (g, f, e, d &+ first)
                    (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
                }
            }
            state &+= SIMD8(a, b, c, d, e, f, g, h)
        }
    }

    /// The first 64 bits of the fractional parts of the cube roots of the first 80 primes.
    private static let constants: [UInt64] = [
        0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
        0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
        0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
        0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
        0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
        0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
        0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
        0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
        0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
        0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
        0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
        0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
        0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
        0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
        0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
        0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
        0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
        0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
        0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
        0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
    ]
}
