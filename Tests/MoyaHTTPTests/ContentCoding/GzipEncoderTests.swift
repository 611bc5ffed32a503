import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("Bodies are coded with gzip (RFC 1952)")
struct GzipEncoderTests {
    private static func encode(
        _ chunks: [Data],
        level: Int? = nil,
        maximum: Int = CodingBuffers.pieceSize,
        longestInput: Int = ZlibStream.longestInput
    ) throws -> Data {
        let encoder = try GzipEncoder(level: level, longestInput: longestInput)
        var coded = Data()
        func take() throws {
            while let piece = try encoder.next(maximum: maximum) {
                #expect(!piece.isEmpty && piece.count <= maximum)
                coded.append(piece)
            }
        }
        for chunk in chunks {
            encoder.push(chunk)
            try take()
        }
        encoder.finish()
        try take()
        return coded
    }

    @Test("gzip bodies can be decoded, at every level", arguments: [nil, -5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100])
    func levels(level: Int?) throws {
        let data = Vector.Plain.text.data
        let coded = try GzipEncoder.encode(data, level: level)
        #expect(BodyDecoder.outcome(of: coded, .gzip) == .success(data))
        #expect(coded.count < data.count || (level ?? 6) <= 0)
    }

    @Test("gzip level 0 stores, level 9 is the smallest, and the default is level 6")
    func levelsDiffer() throws {
        var generator = SeededGenerator(seed: 1)
        let data = generator.body(upTo: 200_000) + Vector.Plain.text.data
        let sizes = try (0...9).map { try GzipEncoder.encode(data, level: $0).count }
        #expect(sizes[0] > data.count)
        #expect(sizes[9] == sizes.min())
        #expect(try GzipEncoder.encode(data) == GzipEncoder.encode(data, level: 6))
    }

    @Test("an empty body is encoded as a complete, empty gzip file")
    func empty() throws {
        let coded = try GzipEncoder.encode(Data())
        #expect(coded.count == 20)
        #expect(BodyDecoder.outcome(of: coded, .gzip) == .success(Data()))
    }

    @Test("the gzip header has no flags, time or name, so equal input has equal output")
    func header() throws {
        let coded = try GzipEncoder.encode(Vector.Plain.text.data)
        #expect(coded.prefix(8) == Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
        #expect(try GzipEncoder.encode(Vector.Plain.text.data) == coded)
    }

    @Test("gzip bodies are decoded unchanged for any split and level", arguments: 0..<100 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let data = generator.body(upTo: seed.isMultiple(of: 10) ? 300_000 : 5_000)
        let coded = try Self.encode(
            data.chunks(using: &generator),
            level: .random(in: 0...9, using: &generator),
            maximum: .random(in: 1...70_000, using: &generator),
            longestInput: .random(in: 1...100_000, using: &generator)
        )
        #expect(BodyDecoder.outcome(of: coded.chunks(using: &generator), [.gzip]) == .success(data), "seed \(seed)")
    }

    @Test("the gzip encoder accepts bytes one at a time")
    func byteByByte() throws {
        let data = Vector.Plain.text.data
        #expect(try Self.encode(data.chunks(of: 1), maximum: 1, longestInput: 1) == GzipEncoder.encode(data))
    }

    @Test(
        "the gzip encoder does not finish before all input has been passed to zlib",
        arguments: [1, 10, 467, 468]
    )
    func finishWithInput(longestInput: Int) throws {
        let encoder = try GzipEncoder(longestInput: longestInput)
        encoder.push(Vector.Plain.text.data)
        encoder.finish()
        var coded = Data()
        while let piece = try encoder.next() { coded.append(piece) }
        #expect(BodyDecoder.outcome(of: coded, .gzip) == .success(Vector.Plain.text.data))
    }

    @Test("the gzip encoder returns a long body in pieces of limited size")
    func bounded() throws {
        let encoder = try GzipEncoder(level: 0)
        var count = 0
        for _ in 0..<100 {
            encoder.push(Data(repeating: 1, count: 1_000_000))
            while let piece = try encoder.next() {
                #expect(piece.count <= CodingBuffers.pieceSize)
                count += piece.count
            }
        }
        encoder.finish()
        while let piece = try encoder.next() { count += piece.count }
        #expect(count > 100_000_000)
        #expect(try encoder.next() == nil)
    }

    @Test("input after the end of a gzip body is an error")
    func pushAfterEnd() throws {
        let encoder = try GzipEncoder()
        encoder.finish()
        #expect(try encoder.next() != nil)
        #expect(try encoder.next() == nil)
        encoder.push(Data([1]))
        // Z_STREAM_ERROR
        #expect(throws: ZlibError(-2)) { try encoder.next() }
    }

    // scripts/check/gzip sets the variable, and has another program read the files.
    @Test(
        "gzip files for another program are written on request",
        .enabled(if: ProcessInfo.processInfo.environment["MOYA_GZIP_DIRECTORY"] != nil)
    )
    func files() throws {
        let path = try #require(ProcessInfo.processInfo.environment["MOYA_GZIP_DIRECTORY"])
        let directory = URL(fileURLWithPath: path, isDirectory: true)
        for seed: UInt64 in 0..<200 {
            var generator = SeededGenerator(seed: seed)
            let data = seed == 0 ? Data() : generator.body(upTo: 200_000)
            let coded = try Self.encode(
                data.chunks(using: &generator),
                level: Int(seed % 10),
                maximum: .random(in: 1...70_000, using: &generator)
            )
            try data.write(to: directory.appendingPathComponent("\(seed)"))
            try coded.write(to: directory.appendingPathComponent("\(seed).gz"))
        }
    }
}
