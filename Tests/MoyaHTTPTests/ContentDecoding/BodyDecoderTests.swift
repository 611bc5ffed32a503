import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("Bodies with several codings are decoded, and decompression bombs are stopped")
struct BodyDecoderTests {
    private static let unlimited = ContentDecodingLimits(ratio: .max, size: .max)
    private static let mebibyte = 1 << 20

    /// 100 MiB of zeros in 102 KB.
    private static let bomb = Result {
        let encoder = try GzipEncoder(level: 9)
        var coded = Data()
        for _ in 0..<100 {
            encoder.push(Data(count: mebibyte))
            while let piece = try encoder.next() { coded.append(piece) }
        }
        encoder.finish()
        while let piece = try encoder.next() { coded.append(piece) }
        return coded
    }

    /// The results of decoding a body: the number of returned bytes, in total and at most at once.
    private static func run(
        _ data: Data,
        _ codings: [ContentCoding],
        _ limits: ContentDecodingLimits,
        chunk: Int
    ) -> (outcome: Outcome, total: Int, largest: Int) {
        var (total, largest) = (0, 0)
        let outcome = BodyDecoder.outcome(of: data.chunks(of: chunk), codings, limits: limits) { count in
            total += count
            largest = max(largest, count)
        }
        return (outcome, total, largest)
    }

    @Test("codings of a body are decoded from the last to the first", arguments: [1, 5, 1_000])
    func chain(chunk: Int) throws {
        let zlib = try #require(Vector.zlib.first { $0.testDescription.contains("level 6") })
        let raw = try #require(Vector.raw.first { $0.testDescription.contains("level 6") })
        let once = try GzipEncoder.encode(zlib.data)
        let rows: [(Data, [ContentCoding])] = [
            (once, [.deflate, .gzip]),
            (try GzipEncoder.encode(once), [.deflate, .gzip, .gzip]),
            (try GzipEncoder.encode(raw.data), [.deflate, .gzip]),
            (Vector.Plain.text.data, []),
        ]
        for (data, codings) in rows {
            let outcome = BodyDecoder.outcome(of: data.chunks(of: chunk), codings)
            #expect(outcome == .success(Vector.Plain.text.data), "\(codings)")
        }
        let outcome = BodyDecoder.outcome(of: once.chunks(of: chunk), [.gzip, .deflate])
        #expect(outcome == .failure(.corrupt(.deflate)))
    }

    @Test("an error in any of a body's codings is detected")
    func chainErrors() throws {
        let inner = try GzipEncoder.encode(Data("hello".utf8))
        let outer = try GzipEncoder.encode(inner)
        for count in 1..<outer.count {
            #expect(BodyDecoder.outcome(of: outer.prefix(count), .gzip, .gzip) == .failure(.truncated), "\(count)")
        }
        for count in 1..<inner.count {
            let cut = try GzipEncoder.encode(inner.prefix(count))
            #expect(BodyDecoder.outcome(of: cut, .gzip, .gzip) == .failure(.truncated), "\(count)")
        }
        for bit in 0..<inner.count * 8 {
            let outcome = try BodyDecoder.outcome(of: GzipEncoder.encode(inner.flipping(bit: bit)), .gzip, .gzip)
            #expect((try? outcome.get()).map { $0 == Data("hello".utf8) } ?? true, "\(bit)")
        }
        // An empty inner body is an empty body.
        #expect(try BodyDecoder.outcome(of: GzipEncoder.encode(Data()), .gzip, .gzip) == .success(Data()))
    }

    @Test("the ratio limit stops a bomb before excess bytes are returned", arguments: [100, 16_384, 1 << 30])
    func ratio(chunk: Int) throws {
        let bomb = try Self.bomb.get()
        let limits = ContentDecodingLimits()
        let (outcome, total, largest) = Self.run(bomb, [.gzip], limits, chunk: chunk)
        #expect(outcome == .failure(.ratioExceeded(limit: 200)))
        #expect(total <= Self.mebibyte)
        #expect(largest <= CodingBuffers.pieceSize)
    }

    @Test("the size limit stops a bomb before excess bytes are returned", arguments: [100, 16_384, 1 << 30])
    func size(chunk: Int) throws {
        let bomb = try Self.bomb.get()
        for size: Int64 in [0, 1, 1_000, 65_536, 10_000_000] {
            let limits = ContentDecodingLimits(ratio: .max, size: size)
            let (outcome, total, largest) = Self.run(bomb, [.gzip], limits, chunk: chunk)
            #expect(outcome == .failure(.sizeExceeded(limit: size)))
            #expect(total <= size)
            #expect(largest <= CodingBuffers.pieceSize)
        }
    }

    @Test("a decompression bomb is decoded completely without limits, piece by piece", arguments: [100, 1 << 30])
    func unlimited(chunk: Int) throws {
        let bomb = try Self.bomb.get()
        let decoder = try BodyDecoder([.gzip], limits: Self.unlimited)
        var total = 0
        for chunk in bomb.chunks(of: chunk) {
            decoder.push(chunk)
            while let piece = try decoder.next() {
                #expect(piece.count <= CodingBuffers.pieceSize)
                total += piece.count
            }
        }
        try decoder.finish()
        #expect(total == 100 * Self.mebibyte)
    }

    @Test("nested decompression bombs are stopped, too", arguments: [2, 3, 5])
    func nested(depth: Int) throws {
        var bomb = try Self.bomb.get()
        for _ in 1..<depth { bomb = try GzipEncoder.encode(bomb, level: 9) }
        let codings = Array(repeating: ContentCoding.gzip, count: depth)
        let (outcome, total, largest) = Self.run(bomb, codings, ContentDecodingLimits(), chunk: 1 << 30)
        #expect(outcome == .failure(.ratioExceeded(limit: 200)))
        #expect(total <= Self.mebibyte && largest <= CodingBuffers.pieceSize)
        let small = ContentDecodingLimits(ratio: .max, size: 3_000_000)
        let second = Self.run(bomb, codings, small, chunk: 1 << 30)
        #expect(second.outcome == .failure(.sizeExceeded(limit: 3_000_000)))
        #expect(second.total <= 3_000_000)
    }

    @Test("the ratio limit applies to all codings of a body together")
    func wholeRatio() throws {
        // Each coding alone is within the ratio: a thousand members of 4,000 zeros in 34 bytes, and a second coding.
        let member = try GzipEncoder.encode(Data(count: 4_000))
        let members = (0..<1_000).reduce(into: Data()) { members, _ in members.append(member) }
        #expect(BodyDecoder.outcome(of: members, .gzip) == .success(Data(count: 4_000_000)))
        let coded = try GzipEncoder.encode(members)
        #expect(BodyDecoder.outcome(of: coded, .gzip) == .success(members))
        #expect(BodyDecoder.outcome(of: coded, .gzip, .gzip) == .failure(.ratioExceeded(limit: 200)))
    }

    @Test("the size limit applies to the longest body before, between or after codings")
    func wholeSize() throws {
        let once = try GzipEncoder.encode(Vector.Plain.noise.data)
        let twice = try GzipEncoder.encode(once)
        func outcome(_ size: Int) -> Outcome {
            BodyDecoder.outcome(of: [twice], [.gzip, .gzip], limits: ContentDecodingLimits(size: Int64(size)))
        }
        #expect(once.count > Vector.Plain.noise.data.count)
        #expect(outcome(once.count) == .success(Vector.Plain.noise.data))
        #expect(outcome(once.count - 1) == .failure(.sizeExceeded(limit: Int64(once.count - 1))))
    }

    @Test("a body that is long only between two codings is stopped, because its decoding costs time")
    func longInBetween() throws {
        // The outer coding has a million empty stored blocks, which the inner one reduces to nothing.
        var blocks = Data()
        for _ in 0..<1_000_000 { blocks.append(contentsOf: [0, 0, 0, 0xFF, 0xFF]) }
        let data = try GzipEncoder.encode(blocks + [3, 0], level: 9)
        let outcome = BodyDecoder.outcome(of: data, .deflate, .gzip)
        #expect(outcome == .failure(.ratioExceeded(limit: 200)))
        #expect(BodyDecoder.outcome(of: [data], [.deflate, .gzip], limits: Self.unlimited) == .success(Data()))
    }

    @Test("up to 1 MiB the ratio limit does not apply, for any split of the body", arguments: [10, 1 << 30])
    func threshold(chunk: Int) throws {
        let zeros = Data(count: Self.mebibyte)
        let limits = ContentDecodingLimits(ratio: 1)
        let fits = try GzipEncoder.encode(zeros)
        #expect(BodyDecoder.outcome(of: fits.chunks(of: chunk), [.gzip], limits: limits) == .success(zeros))
        let tooLong = try GzipEncoder.encode(zeros + [0])
        let outcome = BodyDecoder.outcome(of: tooLong.chunks(of: chunk), [.gzip], limits: limits)
        #expect(outcome == .failure(.ratioExceeded(limit: 1)))
    }

    @Test("a body of exactly the size limit is decoded, and a longer body is an error", arguments: [1, 1 << 30])
    func exactSize(chunk: Int) throws {
        let data = Vector.Plain.text.data
        let coded = try GzipEncoder.encode(data)
        let count = Int64(data.count)
        func outcome(_ size: Int64) -> Outcome {
            BodyDecoder.outcome(of: coded.chunks(of: chunk), [.gzip], limits: ContentDecodingLimits(size: size))
        }
        #expect(outcome(count) == .success(data))
        #expect(outcome(count - 1) == .failure(.sizeExceeded(limit: count - 1)))
        #expect(outcome(-1) == .failure(.sizeExceeded(limit: -1)))
    }

    @Test("the ratio limit counts the bytes that a decoder has consumed, not the received bytes")
    func sameVerdict() throws {
        // After a monotonous start, the noise keeps the total far below the ratio.
        var generator = SeededGenerator(seed: 3)
        let noise = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let data = try GzipEncoder.encode(Data(count: 3 * Self.mebibyte) + noise)
        for chunk in [1, 1_000, 1 << 30] {
            let outcome = BodyDecoder.outcome(of: data.chunks(of: chunk), [.gzip])
            #expect(outcome == .failure(.ratioExceeded(limit: 200)), "\(chunk)")
        }
    }

    @Test(
        "the budget of a decoder is checked against the ratio limit and the size limit",
        arguments: [
            ([1 << 20], 0, 200, .max, nil),
            ([1 << 20, 1], 0, 200, .max, .ratioExceeded(limit: 200)),
            ([1 << 20, 1], nil, 200, .max, nil),
            ([2_000_000], 10_000, 200, .max, nil),
            ([2_000_000, 1], 10_000, 200, .max, .ratioExceeded(limit: 200)),
            ([1_048_577], 1_048_577, 1, .max, nil),
            ([1_048_577], 1_048_576, 1, .max, .ratioExceeded(limit: 1)),
            ([1_048_577], 1_048_576, 0, .max, .ratioExceeded(limit: 0)),
            ([1_048_577], 1_048_576, .min, .max, .ratioExceeded(limit: .min)),
            ([1_048_577], .max, .max, .max, nil),
            ([10, 10], nil, 200, 20, nil),
            ([10, 11], nil, 200, 20, .sizeExceeded(limit: 20)),
            ([0], 0, 0, 0, nil),
        ] as [([Int], Int64?, Int, Int64, ContentDecodingError?)]
    )
    func budget(counts: [Int], encoded: Int64?, ratio: Int, size: Int64, error: ContentDecodingError?) {
        var budget = DecodingBudget(ContentDecodingLimits(ratio: ratio, size: size))
        let outcome = Result { () throws(ContentDecodingError) in
            for count in counts { try budget.spend(count, encoded: encoded) }
        }
        switch (outcome, error) {
        case (.success, nil): break
        case (.failure(let thrown), let error?): #expect(thrown == error)
        default: Issue.record("\(outcome) and not \(String(describing: error))")
        }
    }

    @Test("the default limits of decoding are a ratio of 200 and a size of 16 GiB")
    func defaults() {
        #expect(ContentDecodingLimits() == ContentDecodingLimits(ratio: 200, size: 17_179_869_184))
    }
}
