import Foundation
import Testing

@testable import MoyaWebSockets

@Suite("A mask is applied to a payload (RFC 6455, section 5.3)")
struct WebSocketMaskTests {
    /// The definition of the RFC.
    private static func reference(_ bytes: [UInt8], _ key: [UInt8], from position: Int = 0) -> [UInt8] {
        bytes.enumerated().map { $1 ^ key[(position + $0) % 4] }
    }

    private static let keys: [[UInt8]] = [
        [0x37, 0xFA, 0x21, 0x3D], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0], [255, 0, 255, 0],
    ]

    private static func mask(_ key: [UInt8]) -> WebSocketMask {
        WebSocketMask(key: key.reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }

    @Test("each byte is combined with a byte of the key, for payloads of any length and alignment", arguments: keys)
    func definition(_ key: [UInt8]) {
        #expect(Self.mask(key).bytes == key)
        for count in 0...40 {
            for start in 0..<8 {
                let bytes = (0..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                var mask = Self.mask(key)
                var output = [UInt8](repeating: 0, count: start + count)
                bytes.withUnsafeBytes { input in
                    output.withUnsafeMutableBytes { output in
                        mask.apply(
                            from: UnsafeRawBufferPointer(rebasing: input[start...]),
                            to: UnsafeMutableRawBufferPointer(rebasing: output[start...])
                        )
                    }
                }
                #expect(Array(output[start...]) == Self.reference(Array(bytes[start...]), key), "\(count) at \(start)")
            }
        }
    }

    @Test("a payload in pieces is masked like a whole one, in place", arguments: keys)
    func pieces(_ key: [UInt8]) {
        let bytes = (0..<61).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for first in 0...20 {
            for second in 0...20 {
                var mask = Self.mask(key)
                var output = bytes
                output.withUnsafeMutableBytes { output in
                    for range in [0..<first, first..<first + second, first + second..<bytes.count] {
                        let piece = UnsafeMutableRawBufferPointer(rebasing: output[range])
                        mask.apply(from: UnsafeRawBufferPointer(piece), to: piece)
                    }
                }
                #expect(output == Self.reference(bytes, key), "\(first), \(second)")
            }
        }
    }
}
