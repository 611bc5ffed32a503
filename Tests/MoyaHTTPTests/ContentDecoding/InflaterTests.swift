import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("gzip and deflate are decoded for any split of the data")
struct InflaterTests {
    @Test("gzip and deflate output of other compressors is decoded", arguments: Vector.all)
    func vectors(coding: ContentCoding, vector: Vector) {
        #expect(!vector.data.isEmpty)
        #expect(BodyDecoder.outcome(of: vector.data, coding) == .success(vector.plain.data))
    }

    @Test("gzip and deflate input is decoded byte by byte", arguments: Vector.all)
    func byteByByte(coding: ContentCoding, vector: Vector) {
        #expect(BodyDecoder.outcome(of: vector.data.chunks(of: 1), [coding]) == .success(vector.plain.data))
    }

    @Test("gzip and deflate input is decoded for any split", arguments: Vector.all)
    func splits(coding: ContentCoding, vector: Vector) {
        for seed: UInt64 in 0..<40 {
            var generator = SeededGenerator(seed: seed)
            let chunks = vector.data.chunks(using: &generator)
            #expect(BodyDecoder.outcome(of: chunks, [coding]) == .success(vector.plain.data), "seed \(seed)")
        }
    }

    @Test(
        "gzip and deflate output is returned in pieces of any size",
        arguments: [ContentCoding.gzip, .deflate],
        [1, 2, 3, 7, 100]
    )
    func smallPieces(coding: ContentCoding, maximum: Int) throws {
        for (other, vector) in Vector.all where other == coding {
            let inflater = try Inflater(coding, longestInput: 5)
            inflater.push(vector.data)
            var body = Data()
            while let piece = try inflater.next(maximum: maximum) {
                #expect(piece.count <= maximum && !piece.isEmpty)
                body.append(piece)
            }
            try inflater.finish()
            #expect(body == vector.plain.data)
            #expect(inflater.consumed == Int64(vector.data.count))
        }
    }

    @Test("gzip or deflate data that is cut anywhere is truncated, unless a member ends there", arguments: Vector.all)
    func truncation(coding: ContentCoding, vector: Vector) {
        for count in 1..<vector.data.count {
            for chunks in [[vector.data.prefix(count)], vector.data.prefix(count).chunks(of: 1)] {
                let outcome = BodyDecoder.outcome(of: chunks, [coding])
                if vector.ends.contains(count) {
                    let start = try? outcome.get()
                    #expect(start.map { vector.plain.data.starts(with: $0) } == true, "\(count)")
                } else {
                    #expect(outcome == .failure(.truncated), "\(count)")
                }
            }
        }
    }

    @Test("empty gzip or deflate data is an empty body", arguments: ContentCoding.allCases)
    func empty(coding: ContentCoding) {
        #expect(BodyDecoder.outcome(of: [], [coding]) == .success(Data()))
        #expect(BodyDecoder.outcome(of: [Data(), Data()], [coding]) == .success(Data()))
    }

    @Test(
        "two bytes distinguish the two formats of deflate (RFC 1950, section 2.2)",
        arguments: [
            (0x78, 0x01, true), (0x78, 0x5E, true), (0x78, 0x9C, true), (0x78, 0xDA, true),
            (0x08, 0x1D, true), (0x18, 0x19, true), (0x68, 0x81, true),
            // A preset dictionary belongs to the zlib format, but cannot be decoded.
            (0x78, 0xBB, true), (0x78, 0x20, true),
            // The value is not a multiple of 31.
            (0x78, 0x9B, false), (0x78, 0x00, false), (0x08, 0x1E, false),
            // A window of 64 KiB, and another method.
            (0x88, 0x1C, false), (0x79, 0x18, false), (0x77, 0x1A, false),
            // Raw data begins with a fixed, a dynamic or a stored block.
            (0x03, 0x00, false), (0xAB, 0x56, false), (0x95, 0xCF, false), (0x01, 0xC8, false), (0x00, 0x00, false),
        ] as [(UInt8, UInt8, Bool)]
    )
    func zlibHeader(first: UInt8, second: UInt8, isZlib: Bool) {
        #expect(Inflater.isZlibHeader(first, second) == isZlib)
    }

    /// A stored block with bits set in the padding of its header, and an empty last one.
    private static func stored(_ first: UInt8, _ bytes: Data) -> Data {
        let count = UInt16(bytes.count)
        let head = [first, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
        return Data(head) + bytes + Data(hex: "01 0000 FFFF")
    }

    @Test("raw deflate data that almost begins like the zlib format is decoded", arguments: [1, 2])
    func almostZlib(chunk: Int) {
        let rows: [(UInt8, Int)] = [(0x78, 0x9B), (0x78, 0x00), (0x88, 0x1C), (0xF8, 0x9C), (0x00, 0x9C), (0x18, 0x9C)]
        for (first, count) in rows {
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
            let data = Self.stored(first, bytes)
            #expect(BodyDecoder.outcome(of: data.chunks(of: chunk), [.deflate]) == .success(bytes), "\(first)")
        }
    }

    @Test("raw deflate data that begins like the zlib format, which no compressor writes, is an error")
    func looksLikeZlib() {
        let rows: [(UInt8, Int)] = [(0x78, 0x01), (0x78, 0x9C), (0x18, 0x19)]
        for (first, count) in rows {
            let data = Self.stored(first, Data(repeating: 0x41, count: count))
            #expect(BodyDecoder.outcome(of: data, .deflate) == .failure(.corrupt(.deflate)), "\(first)")
        }
    }

    @Test("an error of a decoder is thrown again, and bytes decoded just before it are not returned")
    func failedForGood() throws {
        var data = try #require(Vector.gzip.first).data
        data[data.count - 5] ^= 1
        let inflater = try Inflater(.gzip)
        inflater.push(data)
        for _ in 0..<2 {
            #expect(throws: ContentDecodingError.corrupt(.gzip)) { try inflater.next() }
            #expect(throws: ContentDecodingError.corrupt(.gzip)) { try inflater.next(maximum: 1) }
            #expect(throws: ContentDecodingError.corrupt(.gzip)) { try inflater.finish() }
        }
    }

    @Test("the end of a gzip or deflate body may not be declared before the last piece is taken")
    func finishTooEarly() throws {
        let vector = try #require(Vector.gzip.first { $0.testDescription.hasPrefix("five members") })
        let inflater = try Inflater(.gzip)
        inflater.push(vector.data)
        _ = try inflater.next(maximum: 9)
        #expect(throws: ContentDecodingError.truncated) { try inflater.finish() }
    }
}
