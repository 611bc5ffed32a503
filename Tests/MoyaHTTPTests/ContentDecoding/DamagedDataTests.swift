import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("Damaged and hostile coded data is decoded safely")
struct DamagedDataTests {
    private static let hello = Data("hello".utf8)
    /// Python: gzip.compress(b"hello", mtime=0), zlib.compress(b"hello"), and the latter without its frame.
    private static let gzip = Data(hex: "1F8B080000000000 02FF CB48CDC9C907 00 86A61036 05000000")
    private static let zlib = Data(hex: "789C CB48CDC9C907 00 062C0215")
    private static let raw = Data(hex: "CB48CDC9C907 00")

    struct Tail: Sendable {
        var format: String
        var tail: String
        /// No error, because no bytes are missing.
        var error: ContentDecodingError?
    }

    @Test(
        "data after the end of a coded body is ignored, corrupt or truncated, according to its bytes",
        arguments: [
            Tail(format: "gzip", tail: "00"),
            Tail(format: "gzip", tail: "000000000000"),
            Tail(format: "gzip", tail: "0D0A", error: .corrupt(.gzip)),
            Tail(format: "gzip", tail: "00000A", error: .corrupt(.gzip)),
            Tail(format: "gzip", tail: "1E8B08", error: .corrupt(.gzip)),
            Tail(format: "gzip", tail: "1F8C", error: .corrupt(.gzip)),
            Tail(format: "gzip", tail: "1F8B0900", error: .corrupt(.gzip)),
            Tail(format: "gzip", tail: "1F", error: .truncated),
            Tail(format: "gzip", tail: "001F8B", error: .truncated),
            Tail(format: "zlib", tail: "00", error: .corrupt(.deflate)),
            Tail(format: "zlib", tail: "0D0A", error: .corrupt(.deflate)),
            Tail(format: "zlib", tail: "789CCB48CDC9C90700062C0215", error: .corrupt(.deflate)),
            Tail(format: "raw", tail: "0D0A"),
            Tail(format: "raw", tail: "062C0215"),
            Tail(format: "raw", tail: "062C021500", error: .corrupt(.deflate)),
        ]
    )
    func tails(row: Tail) {
        let data: Data
        switch row.format {
        case "gzip": data = Self.gzip
        case "zlib": data = Self.zlib
        default: data = Self.raw
        }
        let coding: ContentCoding = row.format == "gzip" ? .gzip : .deflate
        let expected: Outcome = row.error.map { .failure($0) } ?? .success(Self.hello)
        for count in [1, 3, 1_000] {
            #expect(BodyDecoder.outcome(of: (data + Data(hex: row.tail)).chunks(of: count), [coding]) == expected)
        }
    }

    @Test(
        "violations of the coding formats are errors",
        arguments: [
            ("not gzip at all", .gzip, "68656C6C6F 20776F726C64"),
            ("the zlib format as gzip", .gzip, "789C CB48CDC9C907 00 062C0215"),
            ("a wrong second byte", .gzip, "1F8C080000000000 02FF CB48CDC9C907 00 86A61036 05000000"),
            ("another method than deflate", .gzip, "1F8B070000000000 02FF CB48CDC9C907 00 86A61036 05000000"),
            ("reserved flag 5", .gzip, "1F8B082000000000 02FF CB48CDC9C907 00 86A61036 05000000"),
            ("reserved flag 7", .gzip, "1F8B088000000000 02FF CB48CDC9C907 00 86A61036 05000000"),
            ("a wrong header checksum", .gzip, "1F8B080200000000 02FF 0000 CB48CDC9C907 00 86A61036 05000000"),
            ("a wrong checksum", .gzip, "1F8B080000000000 02FF CB48CDC9C907 00 86A61037 05000000"),
            ("a wrong length", .gzip, "1F8B080000000000 02FF CB48CDC9C907 00 86A61036 06000000"),
            ("a block of type 3", .gzip, "1F8B080000000000 02FF 07"),
            ("a distance beyond the start", .gzip, "1F8B080000000000 02FF 4B0442"),
            ("text as deflate", .deflate, "68656C6C6F 20776F726C64 68656C6C6F 20776F726C64"),
            ("gzip as deflate", .deflate, "1F8B080000000000 02FF CB48CDC9C907 00 86A61036 05000000"),
            ("a wrong checksum", .deflate, "789C CB48CDC9C907 00 062C0216"),
            ("a preset dictionary", .deflate, "78BB 3E0405EC AB068B19A00AEA28"),
            ("a stored block whose lengths disagree", .deflate, "01 0500 FAFE 68656C6C6F"),
            ("a block of type 3", .deflate, "07 00"),
            ("a dynamic block without codes", .deflate, "05 E0 81 08 00 00 00 00 20 7F EB 0B 00"),
        ] as [(String, ContentCoding, String)]
    )
    func malformed(name: String, coding: ContentCoding, hex: String) {
        let data = Data(hex: hex)
        #expect(BodyDecoder.outcome(of: data, coding) == .failure(.corrupt(coding)))
        #expect(BodyDecoder.outcome(of: data.chunks(of: 1), [coding]) == .failure(.corrupt(coding)))
    }

    @Test("one flipped bit in coded data gives the correct data or an error", arguments: Vector.gzip + Vector.zlib)
    func checkedBitFlips(vector: Vector) {
        let coding: ContentCoding = vector.data.first == 0x1F ? .gzip : .deflate
        for bit in 0..<vector.data.count * 8 {
            let outcome = BodyDecoder.outcome(of: vector.data.flipping(bit: bit), coding)
            if let body = try? outcome.get() {
                #expect(body == vector.plain.data, "bit \(bit)")
            }
        }
    }

    @Test(
        "one flipped bit in raw deflate data, which has no checksum, ends the decoding without a crash",
        arguments: Vector.raw
    )
    func bareBitFlips(vector: Vector) {
        for bit in 0..<vector.data.count * 8 {
            _ = BodyDecoder.outcome(of: vector.data.flipping(bit: bit), .deflate)
        }
    }

    @Test(
        "cuts, repetitions, insertions and flips of coded data give the same result for any split",
        arguments: 0..<200 as Range<UInt64>
    )
    func mutations(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (coding, vector) = try #require(Vector.all.randomElement(using: &generator))
        var data = vector.data
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let position = Int.random(in: 0...data.count, using: &generator)
            let (start, end) = (data.prefix(position), data.dropFirst(position))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: data = Data(start + end.dropFirst(.random(in: 1...20, using: &generator)))
            case 1: data = Data(start + end.prefix(.random(in: 1...20, using: &generator)) + end)
            case 2: data = Data(start + [.random(in: 0...255, using: &generator)] + end)
            default: if !data.isEmpty { data = data.flipping(bit: .random(in: 0..<data.count * 8, using: &generator)) }
            }
        }
        let whole = BodyDecoder.outcome(of: data, coding)
        #expect(BodyDecoder.outcome(of: data.chunks(of: 1), [coding]) == whole, "seed \(seed)")
        #expect(BodyDecoder.outcome(of: data.chunks(using: &generator), [coding]) == whole, "seed \(seed)")
    }

    @Test("random bytes end the decoding of a body without a crash", arguments: [ContentCoding.gzip, .deflate])
    func rubbish(coding: ContentCoding) {
        let heads =
            coding == .gzip ? ["1F8B0800000000000003", "1F8B081F000000000003", "1F8B"] : ["", "789C", "05", "04"]
        for seed: UInt64 in 0..<500 {
            var generator = SeededGenerator(seed: seed)
            let bytes = (0..<Int.random(in: 0...2_000, using: &generator)).map { _ in generator.next() as UInt64 }
            let data = Data(hex: heads[Int(seed) % heads.count]) + bytes.map { UInt8(truncatingIfNeeded: $0) }
            let outcome = BodyDecoder.outcome(of: data, coding)
            #expect((try? outcome.get().count).map { $0 <= data.count * 1_032 } ?? true, "seed \(seed)")
        }
    }

    @Test("an endless gzip header is skipped without being stored", arguments: [0x08, 0x10, 0x18] as [UInt8])
    func endlessHeader(flags: UInt8) throws {
        let inflater = try Inflater(.gzip)
        inflater.push(Data([0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3]))
        for _ in 0..<100 {
            inflater.push(Data(repeating: 0x41, count: 65_536))
            #expect(try inflater.next() == nil)
        }
        #expect(inflater.consumed == 100 * 65_536 + 10)
        #expect(throws: ContentDecodingError.truncated) { try inflater.finish() }
    }
}
