import Foundation
import TestSupport

@testable import MoyaHTTP

typealias Outcome = Result<Data, ContentDecodingError>

extension BodyDecoder {
    /// Decodes chunks to the end, and reports the number of returned bytes, with or without errors.
    static func outcome(
        of chunks: some Sequence<Data>,
        _ codings: [ContentCoding],
        limits: ContentDecodingLimits = ContentDecodingLimits(),
        handedOut: (Int) -> Void = { _ in }
    ) -> Outcome {
        Result { () throws(ContentDecodingError) in
            let decoder = try BodyDecoder(codings, limits: limits)
            var body = Data()
            for chunk in chunks {
                decoder.push(chunk)
                while let piece = try decoder.next() {
                    handedOut(piece.count)
                    body.append(piece)
                }
            }
            try decoder.finish()
            return body
        }
    }

    static func outcome(of data: Data, _ codings: ContentCoding...) -> Outcome { outcome(of: [data], codings) }
}

extension Data {
    /// Chunks of one length; the last may be shorter.
    func chunks(of count: Int) -> [Data] {
        stride(from: 0, to: self.count, by: count).map { dropFirst($0).prefix(count) }
    }

    /// Chunks of random lengths, some of them empty.
    func chunks(using generator: inout SeededGenerator) -> [Data] {
        var chunks: [Data] = []
        var rest = self[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...Swift.max(1, self.count / 3), using: &generator)
            chunks.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return chunks
    }

    /// A copy with one flipped bit.
    func flipping(bit: Int) -> Data {
        var copy = Data(self)
        copy[bit / 8] ^= 1 << UInt8(bit % 8)
        return copy
    }

    /// Bytes in the notation of a table.
    init(hex: String) {
        let digits = hex.filter { !$0.isWhitespace }
        self.init(
            stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
        )
    }
}

extension SeededGenerator {
    /// Bytes that can be compressed slightly: runs, repetitions and noise.
    mutating func body(upTo maximum: Int) -> Data {
        let count = Int.random(in: 0...maximum, using: &self)
        var data = Data(capacity: count)
        while data.count < count {
            let run = Int.random(in: 1...300, using: &self)
            switch UInt8.random(in: 0..<3, using: &self) {
            case 0: data.append(Data(repeating: .random(in: 0...255, using: &self), count: run))
            case 1 where !data.isEmpty: data.append(data.suffix(.random(in: 1...data.count, using: &self)).prefix(run))
            default: for _ in 0..<run { data.append(.random(in: 0...255, using: &self)) }
            }
        }
        return data.prefix(count)
    }
}
