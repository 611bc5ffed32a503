import Foundation
import TestSupport

/// The splits of the same bytes into chunks: one chunk, single bytes, and random chunks.
struct StreamSplits: Sequence {
    let bytes: Data
    var seeds: Range<UInt64> = 0..<50

    func makeIterator() -> AnyIterator<(name: String, chunks: [Data])> {
        let fixed: [(name: String, chunks: [Data])] = [
            ("whole", [bytes]),
            ("one byte at a time", bytes.indices.map { bytes[$0...$0] }),
        ]
        let random = seeds.map { (name: "seed \($0)", chunks: randomChunks(seed: $0)) }
        return AnyIterator((fixed + random).makeIterator())
    }

    /// Returns slices with nonzero start indices, some of them empty.
    private func randomChunks(seed: UInt64) -> [Data] {
        var random = SeededGenerator(seed: seed)
        var rest = bytes[...]
        var chunks: [Data] = []
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 0...6, using: &random))
            chunks.append(chunk)
            rest = rest.dropFirst(chunk.count)
        }
        return chunks
    }
}

extension SeededGenerator {
    /// Returns random bytes of an alphabet.
    mutating func bytes(_ count: Int, from alphabet: [UInt8]) -> Data {
        Data((0..<count).compactMap { _ in alphabet.randomElement(using: &self) })
    }

    /// Returns the bytes of random pieces in a row.
    mutating func bytes(_ count: Int, pieces: [String]) -> Data {
        Data((0..<count).flatMap { _ in Array((pieces.randomElement(using: &self) ?? "").utf8) })
    }
}
