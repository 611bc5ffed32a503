#if !canImport(UIKit) && !canImport(AppKit)
import Foundation
import Moya
import TestSupport
import Testing

@Suite("Randomly damaged images cause no crash")
struct ImageFuzzTests {
    @Test("damaged image bytes produce a complete image or an error", arguments: ImageSample.images.map(\.0))
    func mutations(sample: ImageSample) throws {
        let seed: UInt64 = 0x1_A6E
        var random = SeededGenerator(seed: seed)
        for round in 0..<2_000 {
            let bytes = mutate(sample.bytes, &random)
            guard let image = Image(data: Data(bytes)) else { continue }
            #expect(image.width > 0 && image.height > 0, "seed \(seed), round \(round)")
            #expect(image.data == Data(bytes), "seed \(seed), round \(round)")
        }
    }

    @Test("random bytes after an image signature produce an image or an error")
    func noise() {
        var random = SeededGenerator(seed: 7)
        let signatures: [[UInt8]] = [
            PNGBytes.signature, [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("RIFF\u{40}\0\0\0WEBP".utf8),
            Array("BM".utf8),
        ]
        for signature in signatures {
            for _ in 0..<5_000 {
                let length = Int.random(in: 0...64, using: &random)
                let bytes = signature + (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
                guard let image = Image(data: Data(bytes)) else { continue }
                #expect(image.width > 0 && image.height > 0, "\(bytes)")
            }
        }
    }

    /// Changes, removes, repeats or inserts bytes one to four times.
    private func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0...3, using: &random) {
            guard let position = bytes.indices.randomElement(using: &random) else { break }
            let end = min(bytes.count, position + Int.random(in: 1...8, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[position] = .random(in: .min ... .max, using: &random)
            case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.removeSubrange(position..<end)
            case 3: bytes.insert(contentsOf: bytes[position..<end], at: position)
            case 4: bytes.replaceSubrange(position..<end, with: Array(repeating: 0xFF, count: end - position))
            default: bytes.removeSubrange(position...)
            }
        }
        return bytes
    }
}
#endif
