#if Brotli || Zstd
import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A coding of a system library, with bodies in it.
struct SystemCoding: Sendable, CustomTestStringConvertible {
    let coding: ContentCoding
    /// `hello`, four times, encoded by the coding's program.
    let hello: Data
    /// 100 MiB of zeros.
    let bomb: Data
    /// The first bytes of damaged bodies.
    let heads: [String]
    let suffix: String

    var testDescription: String { coding.rawValue }

    static let text = Data("hello, hello, hello, hello".utf8)

    static var all: [SystemCoding] {
        var all: [SystemCoding] = []
        #if Brotli
        all.append(brotli)
        #endif
        #if Zstd
        all.append(zstd)
        #endif
        return all
    }

    #if Brotli
    private static let brotli = SystemCoding(
        coding: .brotli,
        hello: data("HxkA+I2Ubt5ECVKGlmwsbzFPJLDjAA=="),
        bomb: data(
            """
            z///fwAkAOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje/+f//w8ACYA4LADd+x8=
            """
        ),
        heads: ["", "1B", "CFFF", "0B"],
        suffix: "br"
    )
    #endif

    #if Zstd
    private static let zstd = SystemCoding(
        coding: .zstd,
        hello: data("KLUv/QRYbQAAOGhlbGxvLCABAEqKEY+ZUzc="),
        bomb: zstdFrame(zeros: 100 << 20),
        heads: ["", "28B52FFD", "28B52FFD2458", "28B52FFD0058", "502A4D18FF000000"],
        suffix: "zst"
    )

    /// A frame of zeros in blocks of 128 KiB that name one byte (RFC 8878, section 3.1.1).
    static func zstdFrame(zeros count: Int, header: [UInt8] = [0x00, 0x58]) -> Data {
        var frame = Data([0x28, 0xB5, 0x2F, 0xFD] + header)
        var rest = count
        repeat {
            let size = min(rest, 1 << 17)
            rest -= size
            let block = UInt32(size) << 3 | 1 << 1 | (rest == 0 ? 1 : 0)
            frame += [UInt8(block & 0xFF), UInt8(block >> 8 & 0xFF), UInt8(block >> 16 & 0xFF), 0]
        } while rest > 0
        return frame
    }
    #endif

    private static func data(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}

@Suite("Codings of system libraries are decoded", .timeLimit(.minutes(5)))
struct SystemCodingsTests {
    @Test(
        "a body with a system library's coding is decoded for any split, and in pieces of any size",
        arguments: SystemCoding.all
    )
    func splits(row: SystemCoding) throws {
        for count in 1...row.hello.count {
            let outcome = BodyDecoder.outcome(of: row.hello.chunks(of: count), [row.coding])
            #expect(outcome == .success(SystemCoding.text))
        }
        for maximum in [1, 2, 7, 1_000] {
            let decoder = try row.coding.makeDecoder()
            decoder.push(row.hello)
            var body = Data()
            while let piece = try decoder.next(maximum: maximum) {
                #expect(piece.count <= maximum)
                body.append(piece)
            }
            try decoder.finish()
            #expect(body == SystemCoding.text)
            #expect(decoder.consumed == Int64(row.hello.count))
        }
    }

    @Test(
        "an incomplete body with a system library's coding is truncated, wherever it is cut",
        arguments: SystemCoding.all
    )
    func truncation(row: SystemCoding) {
        for count in 1..<row.hello.count {
            for chunk in [1, 1_000] {
                let outcome = BodyDecoder.outcome(of: row.hello.prefix(count).chunks(of: chunk), [row.coding])
                #expect(outcome == .failure(.truncated), "\(count)")
            }
        }
    }

    @Test("data after the end of a body with a system library's coding is an error", arguments: SystemCoding.all)
    func tails(row: SystemCoding) {
        for tail in ["00000000", "0D0A0D0A", "28B52FFE00"] {
            for chunk in [1, 1_000] {
                let data = row.hello + Data(hex: tail)
                #expect(
                    BodyDecoder.outcome(of: data.chunks(of: chunk), [row.coding]) == .failure(.corrupt(row.coding))
                )
            }
        }
    }

    @Test(
        "a flipped bit in a coded body never crashes the process, and has the same effect for any split",
        arguments: SystemCoding.all
    )
    func flipped(row: SystemCoding) {
        for bit in 0..<row.hello.count * 8 {
            let data = row.hello.flipping(bit: bit)
            let whole = BodyDecoder.outcome(of: data, row.coding)
            #expect(BodyDecoder.outcome(of: data.chunks(of: 1), [row.coding]) == whole, "\(bit)")
            // This Zstandard data has a checksum, Brotli has none.
            if row.coding.rawValue == "zstd", case .success(let body) = whole { #expect(body == SystemCoding.text) }
        }
    }

    @Test("random bytes end the decoding by a system library without a crash", arguments: SystemCoding.all)
    func rubbish(row: SystemCoding) {
        let limits = ContentDecodingLimits(size: 1 << 22)
        for seed: UInt64 in 0..<2_000 {
            var generator = SeededGenerator(seed: seed)
            let bytes = (0..<Int.random(in: 0...2_000, using: &generator)).map { _ in generator.next() as UInt64 }
            let head = row.heads[Int(seed) % row.heads.count]
            let data = Data(hex: head) + bytes.map { UInt8(truncatingIfNeeded: $0) }
            var total = 0
            _ = BodyDecoder.outcome(of: data.chunks(using: &generator), [row.coding], limits: limits) {
                total += $0
            }
            #expect(total <= 1 << 22, "seed \(seed)")
        }
    }

    @Test(
        "the ratio limit and the size limit stop a bomb in a system library's coding",
        arguments: SystemCoding.all,
        [1, 100, 1 << 20]
    )
    func bomb(row: SystemCoding, chunk: Int) {
        #expect(row.bomb.count < 10_000)
        for (limits, error) in [
            (ContentDecodingLimits(), .ratioExceeded(limit: 200)),
            (ContentDecodingLimits(ratio: .max, size: 5_000_000), .sizeExceeded(limit: 5_000_000)),
        ] as [(ContentDecodingLimits, ContentDecodingError)] {
            var (total, largest) = (0, 0)
            let outcome = BodyDecoder.outcome(of: row.bomb.chunks(of: chunk), [row.coding], limits: limits) {
                count in
                total += count
                largest = max(largest, count)
            }
            #expect(outcome == .failure(error))
            #expect(total <= 5_000_000)
            #expect(largest <= CodingBuffers.pieceSize)
        }
        let unlimited = ContentDecodingLimits(ratio: .max, size: .max)
        var total = 0
        let outcome = BodyDecoder.outcome(of: row.bomb.chunks(of: chunk), [row.coding], limits: unlimited) {
            total += $0
        }
        #expect(throws: Never.self) { try outcome.get() }
        #expect(total == 100 << 20)
    }

    @Test("several system codings in one field are decoded from the last to the first", arguments: SystemCoding.all)
    func several(row: SystemCoding) throws {
        let twice = try GzipEncoder.encode(row.hello)
        #expect(try ContentCoding.list(["\(row.coding.rawValue), gzip"]) == [row.coding, .gzip])
        #expect(try ContentCoding.list([row.coding.rawValue.uppercased()]) == [row.coding])
        #expect(BodyDecoder.outcome(of: twice.chunks(of: 3), [row.coding, .gzip]) == .success(SystemCoding.text))
        #expect(BodyDecoder.outcome(of: twice, .gzip, row.coding) == .failure(.corrupt(row.coding)))
        // A bomb in the inner coding is detected, too.
        let wrapped = try GzipEncoder.encode(row.bomb)
        let outcome = BodyDecoder.outcome(of: wrapped, row.coding, .gzip)
        #expect(outcome == .failure(.ratioExceeded(limit: 200)))
    }

    @Test("a session requests exactly the codings that it decodes")
    func accepted() {
        let names = ContentCoding.allCases.map(\.rawValue)
        #expect(HTTPHeader.defaultAcceptEncoding.value == names.joined(separator: ", "))
    }

    @Test(
        "files that the codings' programs have written are decoded",
        .enabled(if: Files.directory != nil),
        arguments: SystemCoding.all
    )
    func files(row: SystemCoding) throws {
        let directory = try #require(Files.directory)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { $0.hasSuffix(".\(row.suffix)") }
        #expect(names.count >= 100)
        for name in names {
            let coded = try Data(contentsOf: URL(fileURLWithPath: directory).appendingPathComponent(name))
            let plain = directory + "/" + name.prefix { $0 != "." }
            let expected = try Data(contentsOf: URL(fileURLWithPath: plain))
            let limits = ContentDecodingLimits(ratio: .max, size: .max)
            for chunk in [1_000, 1 << 20] {
                let outcome = BodyDecoder.outcome(of: coded.chunks(of: chunk), [row.coding], limits: limits)
                #expect(outcome == .success(expected), "\(name)")
            }
        }
    }

    private enum Files {
        static let directory = ProcessInfo.processInfo.environment["MOYA_CODINGS_DIRECTORY"]
    }

    #if Brotli
    @Test("Brotli data with a window beyond 16 MiB is an error")
    func largeWindow() {
        // brotli --large_window=27
        let data = Data(base64Encoded: "EVsMBACQAmHJQaYZLBMqPDxdmVQB") ?? Data()
        #expect(BodyDecoder.outcome(of: data, .brotli) == .failure(.corrupt(.brotli)))
    }
    #endif

    #if Zstd
    @Test(
        "Zstandard data may have a window of at most 8 MiB (RFC 9659, section 3)",
        arguments: [
            // 10 + the upper five bits is the logarithm, the lower three bits are eighths.
            ([0x00, 0x68], true), ([0x00, 0x69], false), ([0x00, 0x70], false), ([0x00, 0xF8], false),
            // A single segment: the window has the size of the content, 8 MiB or one byte more.
            ([0xA0, 0x00, 0x00, 0x80, 0x00], true), ([0xA0, 0x01, 0x00, 0x80, 0x00], false),
            ([0xE0, 0, 0, 0, 0, 0, 0, 0, 0x40], false),
        ] as [([UInt8], Bool)]
    )
    func window(header: [UInt8], isValid: Bool) {
        let isLonger = header.count == 5 && header[1] == 1
        let count = (8 << 20) + (isLonger ? 1 : 0)
        let frame = SystemCoding.zstdFrame(zeros: count, header: header)
        let limits = ContentDecodingLimits(ratio: .max, size: .max)
        let outcome = BodyDecoder.outcome(of: [frame], [.zstd], limits: limits)
        #expect(outcome == (isValid ? .success(Data(count: count)) : .failure(.corrupt(.zstd))))
    }

    @Test(
        "successive and skippable Zstandard frames are decoded; older formats and dictionaries are errors",
        arguments: [1, 3, 1_000]
    )
    func frames(chunk: Int) throws {
        let row = try #require(SystemCoding.all.last)
        let skippable = Data(hex: "532A4D18 03000000 616263")
        let rows: [(Data, Outcome)] = [
            (row.hello + row.hello, .success(SystemCoding.text + SystemCoding.text)),
            (skippable + row.hello + skippable, .success(SystemCoding.text)),
            (skippable, .success(Data())),
            (row.hello + Data(hex: "28B52F"), .failure(.truncated)),
            (row.hello + skippable.dropLast(), .failure(.truncated)),
            // Versions 0.1, 0.5 and 0.7.
            (Data(hex: "1EB52FFD") + Data(count: 100), .failure(.corrupt(.zstd))),
            (Data(hex: "25B52FFD") + Data(count: 100), .failure(.corrupt(.zstd))),
            (Data(hex: "27B52FFD") + Data(count: 100), .failure(.corrupt(.zstd))),
            // The dictionary 7.
            (Data(hex: "28B52FFD 01 58 07 010000"), .failure(.corrupt(.zstd))),
            // A reserved block type, and a reserved bit.
            (Data(hex: "28B52FFD 00 58 070000"), .failure(.corrupt(.zstd))),
            (Data(hex: "28B52FFD 08 58 010000"), .failure(.corrupt(.zstd))),
        ]
        for (number, (data, expected)) in rows.enumerated() {
            #expect(BodyDecoder.outcome(of: data.chunks(of: chunk), [.zstd]) == expected, "\(number)")
        }
    }

    @Test("endless empty Zstandard frames produce no output and end with the body")
    func emptyFrames() {
        let frame = Data(hex: "28B52FFD 00 58 010000")
        var data = Data()
        for _ in 0..<100_000 { data.append(frame) }
        #expect(BodyDecoder.outcome(of: data.chunks(of: 65_536), [.zstd]) == .success(Data()))
    }
    #endif

    #if NIO && !canImport(Darwin)
    @Test(
        "a system library's coding is requested, decoded, damaged and truncated over a connection",
        arguments: SystemCoding.all
    )
    func live(row: SystemCoding) async throws {
        let name = row.coding.rawValue
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                #expect(head["accept-encoding"]?.contains(name) == true)
                var body = head.path == "/bomb" ? row.bomb : row.hello
                if head.path == "/damaged" { body[4] ^= 0xFF }
                try await connection.writer.write(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: \(name)\r\nTransfer-Encoding: chunked\r\n\r\n"
                )
                if head.path == "/cut" { body = body.dropLast(3) }
                try await connection.writer.writeChunks(body, of: 5)
                try await connection.writer.write("0\r\nX-Sum: 1\r\n\r\n")
            }
        }
        let transport = NIOTransport()
        try await transport.shutDown {
            let session = Session.alone(on: transport)
            let response = try await session.data(for: URLRequest(url: server.url()))
            #expect(response.data == SystemCoding.text)
            #expect(response.trailers.combined["X-Sum"] == "1")
            let (_, stream) = try await session.stream(for: URLRequest(url: server.url()))
            let streamed = try await stream.reduce(into: Data()) { $0.append($1) }
            #expect(streamed == SystemCoding.text)
            for (path, expected) in [
                ("/cut", ContentDecodingError.truncated), ("/damaged", .corrupt(row.coding)),
                ("/bomb", .ratioExceeded(limit: 200)),
            ] {
                let error = await #expect(throws: URLError.self) {
                    try await session.data(for: URLRequest(url: server.url(path)))
                }
                #expect(error?.code == .cannotDecodeContentData)
                let cause = error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError
                // Damage may also look like a missing end.
                #expect(cause == expected || path == "/damaged" && cause == .truncated)
            }
        }
        await server.shutDown()
    }

    @Test("URLSession decodes bodies itself and requests its own codings")
    func urlSession() async throws {
        let server = try await ReactingServer()
        let transport = URLSessionTransport()
        try await transport.shutDown {
            _ = try await Session(transport: transport).data(for: URLRequest(url: server.url()))
        }
        #expect(server.requests.first?.head["accept-encoding"] == "gzip, deflate")
        await server.shutDown()
    }
    #endif
}
#endif
