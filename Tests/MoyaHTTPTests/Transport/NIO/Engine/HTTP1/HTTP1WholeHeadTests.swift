#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A response head that arrives in one piece is parsed in one pass, as the same head is line by line")
struct HTTP1WholeHeadTests {
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { HTTP1WholeHead($0) } != nil
    }

    @Test(
        "a usual response head is parsed in one pass",
        arguments: [
            "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 404 Not Found\r\nA: b\r\n\r\nbody", "HTTP/1.1 204\r\n\r\n",
            "HTTP/1.1 200 \r\n\r\n", "HTTP/1.2 999 Ein Gru\u{df}\r\nA:\r\n\r\n",
            "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
                + "Connection: keep-alive\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nKeep-Alive: timeout=5\r\nConnection: x, close\r\n\r\n",
        ]
    )
    func whole(text: String) { #expect(Self.isWhole(Array(text.utf8))) }

    @Test(
        "an unusual, invalid or incomplete response head is not parsed in one pass",
        arguments: [
            "", "HTTP/1.1 200", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n",
            "HTTP/1.1 200 OK\n\n", "HTTP/1.1 200 OK\r\nA: b\n\r\n", "HTTP/1.1 200 O\u{1}K\r\n\r\n",
            "HTTP/1.1 200 O\rK\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n", "http/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.x 200 OK\r\n\r\n",
            "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n A: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\tc\r\n\r\n", "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "SSH-2.0-OpenSSH\r\n\r\n",
        ]
    )
    func unusual(text: String) { #expect(!Self.isWhole(Array(text.utf8))) }

    @Test("a response head of the largest size and number of fields is parsed in one pass, and no larger one")
    func limits() {
        let start = "HTTP/1.1 200 OK\r\nA: "
        let value = String(repeating: "a", count: HTTP1Limits.head - start.utf8.count - 4)
        #expect(Self.isWhole(Array("\(start)\(value)\r\n\r\n".utf8)))
        #expect(!Self.isWhole(Array("\(start)\(value)a\r\n\r\n".utf8)))
        let fields = String(repeating: "A: b\r\n", count: HTTP1Limits.fields)
        #expect(Self.isWhole(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8)))
        #expect(!Self.isWhole(Array("HTTP/1.1 200 OK\r\n\(fields)A: b\r\n\r\n".utf8)))
    }

    private static let statusLines = [
        "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 204",
        "HTTP/1.0 200 OK", "HTTP/1.1 304 ", "HTTP/1.1 500 Gru\u{df}", "HTTP/1.3 201 a\tb", "HTTP/2.0 200 OK",
    ]
    private static let names = [
        "Server", "Date", "Content-Type", "X-Own", "a", "Set-Cookie", "Location", "ETag", "Content-Length",
        "content-length", "Transfer-Encoding", "TRANSFER-encoding", "Connection", "Keep-Alive", "Content-Lengt",
    ]
    private static let values = [
        "", "3", "3", "3, 3", "4", "-1", "chunked", "Chunked", "identity, chunked", "gzip", "close", "keep-alive",
        "x, Close",
        "timeout=5, max=7", "Fri, 27 Nov 2026 03:12:05 GMT", "text/html; charset=utf-8", "\u{e4}", "a=b; Path=/",
        "/a b",
    ]
    private static let oddNames = [
        "", "A B", "A ", " A", "Content-Length ", "\u{e4}", "A\u{1}", "Transfer Encoding",
    ]
    private static let oddValues = ["a\tb", "\ta", "a\t", "a\u{1}b", "a\u{7f}", "a\rb", "a\0", "3\u{b}", "a\r\n b"]

    private static func randomHead(_ generator: inout SeededGenerator) -> [UInt8] {
        func isRare() -> Bool { Int.random(in: 0..<40, using: &generator) == 0 }
        func pick(_ texts: [String]) -> [UInt8] {
            Array(texts[Int.random(in: texts.indices, using: &generator)].utf8)
        }
        var head = pick(statusLines) + Array((isRare() ? "\n" : "\r\n").utf8)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            head += pick(isRare() ? oddNames : names)
            head += Array((isRare() ? " :" : Bool.random(using: &generator) ? ":" : ": ").utf8)
            head += pick(isRare() ? oddValues : values)
            if isRare() { head.append(UInt8.random(in: 0...255, using: &generator)) }
            head += pick(isRare() ? ["\n", "\r", "\r\r\n", "\r\n ", " \r\n", "\t\r\n"] : ["\r\n"])
        }
        head += Array((isRare() ? "\n" : "\r\n").utf8)
        return head + Array("abc".utf8)
    }

    /// The spelling and the bytes of each field, which equal fields may differ in.
    private static func exact(_ parsed: ParsedResponse) -> [[UInt8]] {
        (parsed.head?.headers ?? [:]).map { Array("\($0.name.rawName):".utf8) + $0.bytes }
    }

    @Test(
        "100,000 random response heads have the same fields, framing or error in one piece and in two",
        arguments: 0..<20
    )
    func sameInPieces(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var wholeCount = 0
        for _ in 0..<5_000 {
            let bytes = Self.randomHead(&generator)
            if Self.isWhole(bytes) { wholeCount += 1 }
            let whole = ParsedResponse([bytes[...]])
            // The parser looks for a whole head in the first piece only.
            let pieces = ParsedResponse([bytes[..<1], bytes[1...]])
            guard whole == pieces, Self.exact(whole) == Self.exact(pieces) else {
                Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription): \(whole), \(pieces)")
                return
            }
        }
        // Both forms occur.
        #expect((1_000..<4_500).contains(wholeCount))
    }

    @Test("an interim response and the final response in one piece have separate fields")
    func interim() throws {
        var parser = HTTP1ResponseParser(method: "GET")
        parser.feed(
            ByteBuffer(
                string: "HTTP/1.1 103 x\r\nLink: a\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n"
            )
        )
        let (first, second) = (try parser.next(), try parser.next())
        guard case .interim(let interim)? = first, case .head(let head)? = second else {
            return #expect(Bool(false), "\(String(describing: first)), \(String(describing: second))")
        }
        #expect(interim.fields.byteCount == "Link: a\r\nContent-Length: 9\r\n".utf8.count)
        #expect(head.fields.byteCount == "A: b\r\n".utf8.count)
        #expect(interim.headers[.contentLength] == "9" && !head.fields.contains(.contentLength))
    }

    @Test("the head of a response does not keep the received buffer")
    func buffer() throws {
        let body = String(repeating: "x", count: 100_000)
        var buffer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n\(body)")
        var parser = HTTP1ResponseParser(method: "GET")
        parser.feed(buffer)
        let event = try parser.next()
        guard case .head(let head)? = event else { return #expect(Bool(false), "\(String(describing: event))") }
        parser = HTTP1ResponseParser(method: "GET")
        // A buffer whose storage has another owner copies the storage before it is changed.
        let address = buffer.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        buffer.setInteger(UInt8(0), at: buffer.readerIndex)
        #expect(buffer.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) } == address)
        #expect(head.fields.byteCount == "Content-Length: 100000\r\n".utf8.count)
        #expect(head.headers == [.contentLength: "100000"])
    }
}
#endif
