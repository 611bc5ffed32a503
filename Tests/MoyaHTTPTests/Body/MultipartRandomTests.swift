import Foundation
import MoyaHTTP
import TestSupport
import Testing

@Suite("Random multipart bodies can be parsed")
struct MultipartRandomTests {
    @Test(
        "a parser finds the headers and the content of each part of a random form",
        arguments: 0..<30 as Range<UInt64>
    )
    func readBack(block: UInt64) async throws {
        let folder = try TemporaryFolder()
        for seed in block * 20..<(block + 1) * 20 {
            let sample = try MultipartSample(seed: seed)
            let encoded = try sample.form.encode()
            let parts = MultipartReader.parts(of: encoded, boundary: sample.form.boundary)
            let expected = sample.parts.map { MultipartReader.Part(headers: $0.headers, content: $0.content) }
            #expect(parts == expected, "seed \(seed)")

            let reader = try sample.form.body.open()
            #expect(reader.length == Int64(encoded.count), "seed \(seed)")
            #expect(await reader.rest().bytes == encoded, "seed \(seed)")
            let url = folder.url.appendingPathComponent("\(seed)")
            try sample.form.writeEncodedData(to: url)
            #expect(try Data(contentsOf: url) == encoded, "seed \(seed)")
        }
    }

    @Test("the parser of these tests refuses multipart bodies that are cut or have trailing bytes")
    func readerIsStrict() throws {
        let body = try MultipartSample(seed: 1).form
        let encoded = try body.encode()
        #expect(MultipartReader.parts(of: encoded, boundary: body.boundary) != nil)
        for count in 0..<encoded.count {
            #expect(MultipartReader.parts(of: encoded.prefix(count), boundary: body.boundary) == nil)
        }
        #expect(MultipartReader.parts(of: encoded + [0], boundary: body.boundary) == nil)
        #expect(MultipartReader.parts(of: [0] + encoded, boundary: body.boundary) == nil)
    }

    /// The folder in which `scripts/check/multipart` expects bodies for other parsers.
    static let samplesFolder = ProcessInfo.processInfo.environment["MULTIPART_SAMPLES"]

    @Test("sample forms for other parsers are written on request", .enabled(if: samplesFolder != nil))
    func writeSamples() throws {
        let folder = URL(fileURLWithPath: try #require(Self.samplesFolder), isDirectory: true)
        for seed in 0..<500 as Range<UInt64> {
            let sample = try MultipartSample(seed: seed)
            try sample.form.writeEncodedData(to: folder.appendingPathComponent("\(seed).body"))
            try JSONEncoder().encode(sample.description).write(to: folder.appendingPathComponent("\(seed).json"))
        }
    }
}
