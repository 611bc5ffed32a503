import Foundation
import MoyaHTTP
import TestSupport
import Testing

@Suite("A body supplies its bytes in pieces")
struct HTTPBodyTests {
    static let piece = HTTPBody.pieceSize

    @Test(
        "every kind of body source supplies its bytes, in pieces of at most 128 KiB, and knows its length",
        arguments: [0, 1, 2, piece - 1, piece, piece + 1, 2 * piece, 3 * piece + 7]
    )
    func pieces(size: Int) async throws {
        let content = Data.pattern(size)
        let file = try TemporaryFile(content)
        let portions = stride(from: 0, to: size, by: 50_000).map { content[$0..<min(size, $0 + 50_000)] }
        let bodies: [(HTTPBody, length: Int64?)] = [
            (.data(content), Int64(size)),
            (.data((Data([1]) + content).dropFirst()), Int64(size)),
            (.file(file.url), Int64(size)),
            (.stream(InputStream(data: content)), nil),
            (.stream(InputStream(data: content), length: Int64(size)), Int64(size)),
            (.stream(InputStream(data: content), length: -1), nil),
            (.sequence(elements(portions)), nil),
            (.sequence(elements(portions), length: Int64(size)), Int64(size)),
            (.sequence(elements([content])), nil),
            (.sequence(elements([content]), length: Int64(size)), Int64(size)),
            (.sequence(elements([[UInt8](content)]), length: -1), nil),
        ]
        for (body, length) in bodies {
            let reader = try body.open()
            #expect(reader.length == length)
            let read = await reader.rest()
            #expect(read.error == nil)
            #expect(read.bytes == content)
            #expect(read.pieces.allSatisfy { (1...Self.piece).contains($0.count) && $0.startIndex == 0 })
            let after = try await reader.next()
            #expect(after == nil)
        }
    }

    @Test("segments of all kinds and lengths follow one another in a body", arguments: 0..<40 as Range<UInt64>)
    func segments(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var expected = Data()
        var segments: [BodySegment] = []
        var isLengthKnown = true
        var isSynchronous = true
        var files: [TemporaryFile] = []
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let sizes = [0, 1, 100, Self.piece - 1, Self.piece, Self.piece + 1, 200_000]
            let content = Data.pattern(sizes.randomElement(using: &random) ?? 0)
            let length = Bool.random(using: &random) ? Int64(content.count) : nil
            expected += content
            switch Int.random(in: 0...5, using: &random) {
            case 0...2:
                segments += HTTPBody.data(content).segments
            case 3:
                files.append(try TemporaryFile(content))
                segments += HTTPBody.file(files[files.count - 1].url).segments
            case 4:
                segments += HTTPBody.stream(InputStream(data: content), length: length).segments
                isLengthKnown = isLengthKnown && length != nil
            default:
                segments += HTTPBody.sequence(elements([content]), length: length).segments
                isLengthKnown = isLengthKnown && length != nil
                isSynchronous = false
            }
        }
        let reader = try HTTPBody(segments: segments).open()
        #expect(reader.length == (isLengthKnown ? Int64(expected.count) : nil), "seed \(seed)")
        #expect(reader.isSynchronous == isSynchronous, "seed \(seed)")
        let read = isSynchronous && seed % 2 == 0 ? reader.synchronousRest() : await reader.rest()
        #expect(read.error == nil, "seed \(seed)")
        #expect(read.bytes == expected, "seed \(seed)")
        #expect(read.pieces.allSatisfy { (1...Self.piece).contains($0.count) && $0.startIndex == 0 }, "seed \(seed)")
    }

    @Test("adjacent small bytes and small files share pieces of a body")
    func coalescing() async throws {
        let file = try TemporaryFile(Data.pattern(50))
        var segments: [BodySegment] = []
        for index in 0..<1000 {
            segments.append(.bytes(Data("--b\r\n\(index)\r\n\r\n".utf8)))
            segments += index.isMultiple(of: 2) ? HTTPBody.data(.pattern(9)).segments : HTTPBody.file(file.url).segments
        }
        let reader = try HTTPBody(segments: segments).open()
        let read = await reader.rest()
        #expect(read.error == nil)
        #expect(Int64(read.bytes.count) == reader.length)
        #expect(read.pieces.count == 1)
        #expect(HTTPBody(segments: (0..<3000).map { _ in .bytes(.pattern(30)) }).segments.count == 1)
    }

    @Test("bytes of a body that fit into one piece are passed on unchanged")
    func bytesAsTheyAre() async throws {
        let content = Data.pattern(Self.piece)
        let piece = try #require(await HTTPBody.data(content).open().next())
        let isSame = content.withUnsafeBytes { own in piece.withUnsafeBytes { $0.baseAddress == own.baseAddress } }
        #expect(isSame)
    }

    @Test("bodies of bytes and files are repeatable, bodies of streams are not, and sequences declare it")
    func repeatability() throws {
        let url = URL(fileURLWithPath: "/x")
        #expect(HTTPBody.data(Data()).isRepeatable)
        #expect(HTTPBody.file(url).isRepeatable)
        #expect(!HTTPBody.stream(InputStream(data: Data())).isRepeatable)
        #expect(!HTTPBody.sequence(elements([Data()])).isRepeatable)
        #expect(HTTPBody.sequence(elements([Data()]), isRepeatable: true).isRepeatable)
        let mixed = HTTPBody.data(Data([1])).segments + HTTPBody.stream(InputStream(data: Data())).segments
        #expect(!HTTPBody(segments: mixed).isRepeatable)
    }

    @Test("a repeatable body supplies the same bytes again, also to two readers at a time")
    func repeated() async throws {
        let file = try TemporaryFile(.pattern(300_000))
        let bodies = [HTTPBody.data(.pattern(300_000)), .file(file.url), .sequence(Repeated(), isRepeatable: true)]
        for body in bodies {
            let (first, second) = (try body.open(), try body.open())
            async let one = first.rest()
            async let other = second.rest()
            let bytes = await [one.bytes, other.bytes]
            #expect(bytes == [.pattern(300_000), .pattern(300_000)])
        }
    }

    @Test("the whole body is available at once if it consists of bytes in one piece")
    func data() {
        #expect(HTTPBody.data(Data("abc".utf8)).data == Data("abc".utf8))
        #expect(HTTPBody.data(Data()).data == Data())
        #expect(HTTPBody(segments: []).data == Data())
        let large = Data.pattern(Self.piece)
        #expect(HTTPBody(segments: [.bytes(large), .bytes(Data([1])), .bytes(large)]).data == nil)
        #expect(HTTPBody.data(large).gzipped().data == nil)
        #expect(HTTPBody.file(URL(fileURLWithPath: "/x")).data == nil)
        #expect(HTTPBody.stream(InputStream(data: Data())).data == nil)
        #expect(HTTPBody.sequence(elements([Data()])).data == nil)
    }

    @Test("bodies are compared by their bytes, their files' URLs, and the identity of their streams and sequences")
    func equality() {
        let stream = InputStream(data: Data())
        let sequence = HTTPBody.sequence(elements([Data()]))
        let file = URL(fileURLWithPath: "/x/y")
        let different: [HTTPBody] = [
            .data(Data("a".utf8)), .data(Data("b".utf8)), .data(Data()), .file(file),
            .file(URL(fileURLWithPath: "/x/z")), .stream(stream), .stream(stream, length: 3),
            .stream(InputStream(data: Data())), sequence, .sequence(elements([Data()])),
        ]
        for (index, body) in different.enumerated() {
            for (other, otherBody) in different.enumerated() { #expect((body == otherBody) == (index == other)) }
        }
        #expect(Set(different).count == different.count)
        let same: [(HTTPBody, HTTPBody)] = [
            (.data(Data("a".utf8)), .data(Data("xa".utf8).dropFirst())),
            (.data(Data("ab".utf8)), HTTPBody(segments: [.bytes(Data("a".utf8)), .bytes(Data("b".utf8))])),
            (.file(file), .file(URL(fileURLWithPath: "y", relativeTo: URL(fileURLWithPath: "/x/")))),
            (.stream(stream), .stream(stream)), (sequence, sequence),
        ]
        for (one, other) in same {
            #expect(one == other)
            #expect(one.hashValue == other.hashValue)
        }
    }

    @Test("a body whose length overflows is refused")
    func overflow() {
        let segments = (0..<2).flatMap { _ in HTTPBody.stream(InputStream(data: Data()), length: .max).segments }
        #expect(openingError(HTTPBody(segments: segments.map { $0.named("b") }))?.reason == .lengthOverflow)
    }
}

/// A sequence that supplies the same bytes each time.
private struct Repeated: AsyncSequence, Sendable {
    func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.Iterator {
        elements([Data.pattern(300_000)]).makeAsyncIterator()
    }
}
