#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("HTTP/1.1 responses are parsed (RFC 9112)")
struct HTTP1ResponseParserTests {
    /// A server's bytes up to the end of the connection, and their meaning; the section gives the reason.
    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        let bytes: String
        let summary: String
        var method = "GET"

        init(_ section: String, _ bytes: String, _ summary: String, method: String = "GET") {
            (self.section, self.bytes, self.summary, self.method) = (section, bytes, summary, method)
        }

        var testDescription: String { "\(section): \(bytes.prefix(60).debugDescription)" }
    }

    private static func failure(_ error: HTTP1ResponseError) -> String { "error \(error)" }

    static let heads: [Row] = [
        Row("4", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "200 [Content-Length=0] "),
        Row("4", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", "200 [Content-Length=0] "),
        Row("4: no reason, no space", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "200 [Content-Length=0] "),
        Row("4", "HTTP/1.1 200 Ein Gru\u{df}\r\nContent-Length: 0\r\n\r\n", "200 [Content-Length=0] "),
        Row("4", "HTTP/1.0 200 OK\r\n\r\nab", "200 [] ab"),
        Row("4: a status of no class", "HTTP/1.1 999 x\r\nContent-Length: 1\r\n\r\na", "999 [Content-Length=1] a"),
        Row("2.2: LF alone", "HTTP/1.1 200 OK\nA: b\nContent-Length: 1\n\nx", "200 [A=b|Content-Length=1] x"),
        Row("4", "HTTP/1.1 99 OK\r\n\r\n", failure(.invalidStatusLine)),
        Row("4", "HTTP/1.1 099 OK\r\n\r\n", failure(.invalidStatusLine)),
        Row("4", "HTTP/1.1 2000 OK\r\n\r\n", failure(.invalidStatusLine)),
        Row("4", "HTTP/1.1 20x OK\r\n\r\n", failure(.invalidStatusLine)),
        Row("4", "HTTP/1.1 abc\r\n\r\n", failure(.invalidStatusLine)),
        Row("4", "HTTP/1.1  200 OK\r\n\r\n", failure(.invalidStatusLine)),
        Row("4", "HTTP/1.1 200 O\rK\r\n\r\n", failure(.invalidStatusLine)),
        Row("4", "HTTP/1.1 200 O\0K\r\n\r\n", failure(.invalidStatusLine)),
        Row("4", "HTTP/11 200 OK\r\n\r\n", failure(.invalidStatusLine)),
        Row("4", "HTTP/1.1\r\n\r\n", failure(.invalidStatusLine)),
        Row("9110, 2.5", "HTTP/1.2 200 OK\r\nContent-Length: 1\r\n\r\na", "200 [Content-Length=1] a"),
        Row("2.3", "HTTP/2.0 200 OK\r\n\r\n", failure(.unsupportedVersion)),
        Row("2.3", "HTTP/0.9 200 OK\r\n\r\n", failure(.unsupportedVersion)),
        Row("2.3", "http/1.1 200 OK\r\n\r\n", failure(.notHTTP)),
        Row("4", "\r\nHTTP/1.1 200 OK\r\n\r\n", failure(.notHTTP)),
        Row("4", "SSH-2.0-OpenSSH", failure(.notHTTP)),
        Row("4", "ICY 200 OK\r\n\r\n", failure(.notHTTP)),
        Row("4: cut", "HTTP/1.1 20", failure(.truncated)),
        Row("4: cut", "HTTP/1.1 200 OK\r\nA: b\r\n", failure(.truncated)),
        Row("8: nothing", "", failure(.truncated)),
    ]

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"

    static let fields: [Row] = [
        Row("5: space around a value", "\(ok)A: \t b c \t\r\n\r\n", "200 [Content-Length=0|A=b c] "),
        Row("5: no space", "\(ok)A:b\r\nB:\r\n\r\n", "200 [Content-Length=0|A=b|B=] "),
        Row("5: a colon in a value", "\(ok)A: b:c\r\n\r\n", "200 [Content-Length=0|A=b:c] "),
        Row("5: the same name", "\(ok)a: 1\r\nA: 2\r\n\r\n", "200 [Content-Length=0|a=1|A=2] "),
        Row("5.2: a folded line", "\(ok)A: b\r\n c\r\n\t  d\r\n\r\n", "200 [Content-Length=0|A=b c d] "),
        Row("5.2: folds of nothing", "\(ok)A:\r\n \r\n b\n \n\r\n", "200 [Content-Length=0|A=b] "),
        // These fields are dropped, as browsers drop them. curl 7.88 and Go 1.19 accept all of them, and fetch of Node.js 20
        // accepts those with a space; its http module refuses them.
        Row("5.1: space before the colon", "\(ok)A : b\r\nC: d\r\n\r\n", "200 [Content-Length=0|C=d] "),
        Row("5.1: tab before the colon", "\(ok)A\t: b\r\n\r\n", "200 [Content-Length=0] "),
        Row("5.1: space within a name", "\(ok)X Foo: b\r\nC: d\r\n\r\n", "200 [Content-Length=0|C=d] "),
        Row("5: no name", "\(ok): b\r\n\r\n", "200 [Content-Length=0] "),
        Row("5: a space for a name, in a fold", "\(ok)A: b\r\n : c\r\n\r\n", "200 [Content-Length=0|A=b : c] "),
        Row("5: no token", "\(ok)A(: b\r\n\r\n", "200 [Content-Length=0] "),
        Row("5: not ASCII", "\(ok)\u{e4}: b\r\n\r\n", "200 [Content-Length=0] "),
        Row("5: a pseudo-header", "\(ok):status: 404\r\n\r\n", "200 [Content-Length=0] "),
        Row("5.2: dropped with its folds", "\(ok)A : b\r\n c: d\r\nE: f\r\n\r\n", "200 [Content-Length=0|E=f] "),
        Row(
            "5: a framing field's value in another",
            "\(ok)A : Content-Length: 3\r\n\r\n",
            "200 [Content-Length=0] "
        ),
        Row("5: a longer name", "\(ok)X-Content-Length : 3\r\n\r\n", "200 [Content-Length=0] "),
        // Other recipients may accept such a framing field: curl and Go drop it or read it as another, and Node.js
        // refuses it.
        Row("11.2: a length", "\(ok)Content-Length : 3\r\n\r\nabc", failure(.invalidFieldName)),
        Row("11.2: a length", "\(ok)content-length\t: 3\r\n\r\nabc", failure(.invalidFieldName)),
        Row("11.2: a length", "\(ok)Content Length: 3\r\n\r\nabc", failure(.invalidFieldName)),
        Row("11.2: a length", "\(ok)X Content-Length: 3\r\n\r\nabc", failure(.invalidFieldName)),
        Row("11.2: a length", "\(ok)Content-Length\u{b}: 3\r\n\r\nabc", failure(.invalidFieldName)),
        Row("11.2: a length", "\(ok)\u{1}Content-Length: 3\r\n\r\nabc", failure(.invalidFieldName)),
        Row("11.2: a length", "\(ok)Content-\u{ad}Length: 3\r\n\r\nabc", failure(.invalidFieldName)),
        Row("11.2: a coding", "\(ok)Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", failure(.invalidFieldName)),
        Row("11.2: a coding", "\(ok)TRANSFER-ENCODING\t : chunked\r\n\r\n0\r\n\r\n", failure(.invalidFieldName)),
        Row("11.2: a coding", "\(ok)Transfer-Encoding x: chunked\r\n\r\n", failure(.invalidFieldName)),
        // Other recipients may treat CR as the end of a line.
        Row("2.2: CR in a name", "\(ok)A \rB: b\r\n\r\n", failure(.invalidFieldName)),
        Row("2.2: NUL in a name", "\(ok)A\0: b\r\n\r\n", failure(.invalidFieldName)),
        Row("2.2: CR in a value", "\(ok)A : b\rContent-Length: 3\r\n\r\n", failure(.invalidFieldName)),
        Row("2.2: NUL in a value", "\(ok)A : b\0\r\n\r\n", failure(.invalidFieldName)),
        Row("5: no colon before a fold", "\(ok)A\r\n b: c\r\n\r\n", failure(.invalidFieldName)),
        // curl, Go and Node.js refuse such a head.
        Row("2.2: space before the first", "HTTP/1.1 200 OK\r\n A: b\r\n\r\n", failure(.invalidFieldName)),
        Row("5: no colon", "\(ok)A\r\n\r\n", failure(.invalidFieldName)),
        Row("9110, 5.5: CR", "\(ok)A: b\rc\r\n\r\n", failure(.invalidFieldValue(name: "A"))),
        Row("9110, 5.5: NUL", "\(ok)A: b\0c\r\n\r\n", failure(.invalidFieldValue(name: "A"))),
        Row("9110, 5.5: CR in a fold", "\(ok)A: b\r\n \rc\r\n\r\n", failure(.invalidFieldValue(name: "A"))),
        Row("9110, 5.5: others", "\(ok)A: b\u{1}c\u{7f}d\r\n\r\n", "200 [Content-Length=0|A=b c d] "),
        Row("6265bis, 5.6", "\(ok)Set-Cookie: a=b\u{1}c\r\n\r\n", "200 [Content-Length=0|Set-Cookie=a=b\u{1}c] "),
        Row("2.2: CR LF CR", "\(ok)\rA: b\r\n\r\n", failure(.invalidFieldName)),
    ]

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let isChunked = "200 [Transfer-Encoding=chunked] "

    private static func head(_ fields: String...) -> String {
        "HTTP/1.1 200 OK\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    private static let badLength = failure(.invalidContentLength)

    static let lengths: [Row] = [
        Row("6.3 (8): until close", "\(head())abc", "200 [] abc"),
        Row("6.3 (6)", "\(head("Content-Length: 3"))abc", "200 [Content-Length=3] abc"),
        Row("6.3 (6): cut", "\(head("Content-Length: 4"))abc", failure(.truncated)),
        Row("6.3 (5): equal", "\(head("Content-Length: 3, 3"))abc", "200 [Content-Length=3, 3] abc"),
        Row(
            "6.3 (5): equal",
            "\(head("Content-Length: 3", "content-length: 3"))abc",
            "200 [Content-Length=3|content-length=3] abc"
        ),
        Row("6.3 (5): different", "\(head("Content-Length: 3", "Content-Length: 4"))abc", badLength),
        Row("6.3 (5): different", "\(head("Content-Length: 3, 4"))abc", badLength),
        Row("9110, 8.6: sign", "\(head("Content-Length: +5"))abcde", badLength),
        Row("9110, 8.6: sign", "\(head("Content-Length: -1"))", badLength),
        Row("9110, 8.6: empty", "\(head("Content-Length:"))", badLength),
        Row("9110, 8.6: empty member", "\(head("Content-Length: 3,"))abc", badLength),
        Row("9110, 8.6: hexadecimal", "\(head("Content-Length: 0x3"))abc", badLength),
        Row("9110, 8.6: space", "\(head("Content-Length: 1 1"))abc", badLength),
        Row("9110, 8.6: overflow", "\(head("Content-Length: 9223372036854775808"))abc", badLength),
        Row("6.3 (1): 204", "HTTP/1.1 204 x\r\nContent-Length: 3\r\n\r\n", "204 [Content-Length=3] "),
        Row("6.3 (1): 304", "HTTP/1.1 304 x\r\nContent-Length: 3\r\n\r\n", "304 [Content-Length=3] "),
        Row(
            "6.3 (1): 304",
            "HTTP/1.1 304 x\r\nTransfer-Encoding: chunked\r\n\r\n",
            "304 [Transfer-Encoding=chunked] "
        ),
        Row("6.3 (1): HEAD", "\(head("Content-Length: 3"))", "200 [Content-Length=3] ", method: "HEAD"),
        Row("6.3 (1): HEAD", chunked, isChunked, method: "HEAD"),
        Row("6.3 (2): CONNECT", "\(head("Content-Length: 3"))", "200 [Content-Length=3] ", method: "CONNECT"),
    ]

    private static let badChunk = failure(.invalidChunk)

    static let chunks: [Row] = [
        Row("7.1", "\(chunked)3\r\nabc\r\n0\r\n\r\n", "\(isChunked)abc"),
        Row("7.1", "\(chunked)a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "\(isChunked)01234567890123456789"),
        Row("7.1: zeros", "\(chunked)0003\r\nabc\r\n000\r\n\r\n", "\(isChunked)abc"),
        Row("7.1.1: extensions", "\(chunked)3;a=b;c=\"d\"\r\nabc\r\n0;x\r\n\r\n", "\(isChunked)abc"),
        Row("7.1.1: space", "\(chunked)3 \r\nabc\r\n0\t;x\r\n\r\n", "\(isChunked)abc"),
        Row("7.1.2: trailers are dropped", "\(chunked)1\r\na\r\n0\r\nA: b\r\nC: d\r\n\r\n", "\(isChunked)a"),
        Row(
            "6.3 (4): other case",
            "\(head("Transfer-Encoding: Chunked"))0\r\n\r\n",
            "200 [Transfer-Encoding=Chunked] "
        ),
        Row("6.3 (4): identity", "\(head("Transfer-Encoding: identity"))ab", "200 [Transfer-Encoding=identity] ab"),
        Row(
            "6.3 (3): a length, too",
            "\(head("Content-Length: 9", "Transfer-Encoding: chunked"))1\r\na\r\n0\r\n\r\n",
            "200 [Content-Length=9|Transfer-Encoding=chunked] a"
        ),
        Row(
            "7",
            "\(head("Transfer-Encoding: gzip, chunked"))0\r\n\r\n",
            failure(.unsupportedTransferCoding("gzip, chunked"))
        ),
        Row(
            "7: over two fields",
            "\(head("Transfer-Encoding: gzip", "Transfer-Encoding: chunked"))0\r\n\r\n",
            failure(.unsupportedTransferCoding("gzip, chunked"))
        ),
        Row("7", "\(head("Transfer-Encoding: gzip"))0\r\n\r\n", failure(.unsupportedTransferCoding("gzip"))),
        // curl 7.88 and Node.js 20 accept these responses, and Go 1.19 refuses them.
        Row(
            "7: twice",
            "\(head("Transfer-Encoding: chunked, chunked"))1\r\na\r\n0\r\n\r\n",
            "200 [Transfer-Encoding=chunked, chunked] a"
        ),
        Row(
            "7: twice, in two fields",
            "\(head("Transfer-Encoding: chunked", "transfer-encoding: Chunked"))1\r\na\r\n0\r\n\r\n",
            "200 [Transfer-Encoding=chunked|transfer-encoding=Chunked] a"
        ),
        Row(
            "7: identity first",
            "\(head("Transfer-Encoding: identity, chunked"))1\r\na\r\n0\r\n\r\n",
            "200 [Transfer-Encoding=identity, chunked] a"
        ),
        Row(
            "7: identity first, in two fields",
            "\(head("Transfer-Encoding: identity", "Transfer-Encoding: chunked"))1\r\na\r\n0\r\n\r\n",
            "200 [Transfer-Encoding=identity|Transfer-Encoding=chunked] a"
        ),
        // curl reads chunks, Node.js reads until the connection closes, and Go refuses the response.
        Row(
            "7: identity last",
            "\(head("Transfer-Encoding: chunked, identity"))0\r\n\r\n",
            failure(.unsupportedTransferCoding("chunked, identity"))
        ),
        Row(
            "7: identity between",
            "\(head("Transfer-Encoding: chunked, identity, chunked"))0\r\n\r\n",
            failure(.unsupportedTransferCoding("chunked, identity, chunked"))
        ),
        Row("7: none", "\(head("Transfer-Encoding:"))ab", failure(.unsupportedTransferCoding(""))),
        Row("7", "\(head("Transfer-Encoding: xchunked"))ab", failure(.unsupportedTransferCoding("xchunked"))),
        Row("7.1: no size", "\(chunked)\r\n", badChunk),
        Row("7.1: no number", "\(chunked)x\r\n", badChunk),
        Row("7.1: sign", "\(chunked)+3\r\nabc\r\n", badChunk),
        Row("7.1: sign", "\(chunked)-3\r\nabc\r\n", badChunk),
        Row("7.1: prefix", "\(chunked)0x3\r\nabc\r\n", badChunk),
        Row("7.1: overflow", "\(chunked)8000000000000000\r\nabc", badChunk),
        Row("7.1: overflow", "\(chunked)10000000000000003\r\nabc\r\n", badChunk),
        Row("7.1: LF alone", "\(chunked)3\nabc\r\n0\r\n\r\n", badChunk),
        Row("7.1: LF alone after it", "\(chunked)3\r\nabc\n0\r\n\r\n", badChunk),
        Row("7.1: longer than said", "\(chunked)3\r\nabcd\r\n0\r\n\r\n", badChunk),
        Row("7.1: CR in an extension", "\(chunked)3;a\rb\r\nabc\r\n", badChunk),
        Row("7.1: cut", "\(chunked)3\r\nab", failure(.truncated)),
        Row("7.1: cut", "\(chunked)3\r\nabc\r\n", failure(.truncated)),
        Row("7.1: cut", "\(chunked)3\r\nabc\r\n0\r\n", failure(.truncated)),
        Row("7.1.2: a dropped field", "\(chunked)1\r\na\r\n0\r\nA : b\r\n: c\r\n\r\n", "\(isChunked)a"),
        Row("7.1.2: no field", "\(chunked)0\r\nabc\r\n\r\n", failure(.invalidFieldName)),
    ]

    static let rows = heads + fields + lengths + chunks

    @Test("each kind of HTTP/1.1 response is parsed", arguments: rows)
    func parses(_ row: Row) {
        #expect(ParsedResponse([row.data[...]], method: row.method).summary == row.summary)
    }

    @Test("the events of an HTTP/1.1 response do not depend on how its bytes are split", arguments: rows)
    func splits(_ row: Row) {
        let bytes = row.data
        let whole = ParsedResponse([bytes[...]], method: row.method)
        for cut in bytes.indices {
            #expect(ParsedResponse([bytes[..<cut], bytes[cut...]], method: row.method) == whole)
        }
        #expect(ParsedResponse(bytes.indices.map { bytes[$0...$0] }, method: row.method) == whole)
    }

    @Test("interim responses differ from the final response (RFC 9110, section 15.2)")
    func interim() {
        let parsed = ParsedResponse(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\nContent-Length: 7\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        )
        #expect(parsed.interim == [100, 103])
        #expect(parsed.summary == "200 [Content-Length=2] ok")
    }

    @Test(
        "the persistence of a connection follows from the version and the fields (RFC 9112, section 9.3)",
        arguments: [
            ("1.1", [], true), ("1.1", ["Connection: close"], false), ("1.1", ["Connection: x, CLOSE ,y"], false),
            ("1.1", ["Connection: keep-alive", "Connection: Close"], false), ("1.1", ["Connection: closed"], true),
            ("1.0", [], false), ("1.0", ["Connection: Keep-Alive"], true),
            ("1.0", ["Connection: keep-alive, close"], false),
            // RFC 9112, section 6.1: a recipient may have been misled about the end of the message.
            ("1.1", ["Transfer-Encoding: chunked"], false), ("1.1", ["Connection : close"], true),
        ] as [(String, [String], Bool)]
    )
    func persists(version: String, fields: [String], isPersistent: Bool) {
        let lines = ["HTTP/\(version) 200 OK", "Content-Length: 5"] + fields + ["", "0\r\n\r\n"]
        let parsed = ParsedResponse(lines.joined(separator: "\r\n"))
        #expect(parsed.isComplete)
        #expect(parsed.isPersistent == isPersistent)
        #expect(!ParsedResponse("HTTP/1.1 200 OK\r\n\r\n").isPersistent)
        #expect(!ParsedResponse("HTTP/1.1 200 OK\r\n\r\n", method: "CONNECT").isPersistent)
        let chunked =
            "HTTP/\(version) 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(ParsedResponse(chunked).isPersistent == (version == "1.1"))
        // Implementations disagree about the end of the message.
        for codings in ["chunked, chunked", "identity, chunked", "chunked\r\nTransfer-Encoding: chunked"] {
            let listed = ParsedResponse("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings)\r\n\r\n0\r\n\r\n")
            #expect(listed.isComplete && !listed.isPersistent)
        }
    }

    /// Go 1.19 refuses the sixth interim response to a request, curl 7.88 refuses 300 KiB of them, and Node.js 20 refuses
    /// none.
    @Test("the bytes of interim responses are limited for each ten seconds, and their number is unlimited")
    func interimBudget() throws {
        var parser = HTTP1ResponseParser(method: "GET")
        let hints = ByteBuffer(
            string: "HTTP/1.1 103 Early Hints\r\nLink: \(String(repeating: "a", count: 1_000))\r\n\r\n"
        )
        for _ in 0..<100 {
            #expect(!parser.isCountingInterimResponses)
            for _ in 0..<200 {
                parser.feed(hints)
                let event = try parser.next()
                guard case .interim? = event else { return #expect(Bool(false), "There is no interim response.") }
            }
            #expect(parser.isCountingInterimResponses)
            parser.intervalPassed()
        }
        #expect(throws: HTTP1ResponseError.tooManyInterimResponses) {
            for _ in 0..<300 {
                parser.feed(hints)
                _ = try parser.next()
            }
        }
    }

    @Test(
        "the keep-alive time of the server is parsed (RFC 2068, section 19.7.1.1)",
        arguments: [
            (nil, nil), ("timeout=5", 5), ("timeout=5, max=100", 5), ("max=100 ,\tTimeout = 0", 0),
            ("timeout", nil),
            ("timeout=", nil), ("timeout=-1", nil), ("timeout=1.5", nil), ("timeout=\"5\"", nil), ("max=5", nil),
            ("xtimeout=5", nil), ("timeout=999999999999999999999999", 86_400), ("timeout=\u{665}", nil), ("", nil),
        ] as [(String?, Int?)]
    )
    func keepAlive(value: String?, seconds: Int?) {
        let field = value.map { "KEEP-alive: \($0)\r\n" } ?? ""
        let parsed = ParsedResponse("HTTP/1.1 200 OK\r\n\(field)Content-Length: 0\r\n\r\n")
        #expect(parsed.keepAliveTime == seconds.map { .seconds($0) })
        #expect(parsed.isPersistent)
        // The field belongs to the final response.
        let interim = ParsedResponse("HTTP/1.1 103 x\r\n\(field)\r\nHTTP/1.1 204 x\r\n\r\n")
        #expect(interim.keepAliveTime == nil)
    }

    @Test("bytes after the end of an HTTP/1.1 response do not belong to the response")
    func rest() {
        let parsed = ParsedResponse("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n")
        #expect(parsed.rest == "HTTP/1.1 200 OK\r\n")
        #expect(ParsedResponse("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", method: "CONNECT").rest == "abc")
    }

    @Test("excessive chunk extensions in a response are an error, and small chunks are allowed")
    func chunkExtensions() {
        let long = String(repeating: "1;\(String(repeating: "x", count: 1_000))\r\na\r\n", count: 80)
        #expect(ParsedResponse(Self.chunked + long).error == .chunkLineTooLong)
        let short = String(repeating: "1;x=y\r\na\r\n", count: 20_000) + "0\r\n\r\n"
        #expect(ParsedResponse(Self.chunked + short).body.count == 20_000)
    }

    @Test("a transfer coding with a control character is not recognized")
    func controlCharacterInFraming() {
        for byte in ["\u{b}", "\u{1}", "\u{7f}"] {
            let parsed = ParsedResponse("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(byte)chunked\r\n\r\n0\r\n\r\n")
            #expect(parsed.error == .unsupportedTransferCoding("\(byte)chunked"))
            let length = ParsedResponse("HTTP/1.1 200 OK\r\nContent-Length: 1\(byte)\r\n\r\na")
            #expect(length.error == .invalidContentLength)
        }
    }

    @Test("a control character in Location is kept, and those in other fields become spaces")
    func controlCharacterInLocation() {
        let parsed = ParsedResponse(
            "HTTP/1.1 302 x\r\nLocation: /a\u{1}b\r\nA: c\u{1}d\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(parsed.head?.headers[.location] == "/a\u{1}b")
        #expect(parsed.head?.headers[HTTPField.Name("A") ?? .accept] == "c d")
    }

    @Test("limits of the response parser bound the memory, even without a line end")
    func limits() {
        let long = String(repeating: "a", count: HTTP1Limits.head)
        let ok = "HTTP/1.1 200 OK\r\n"
        let chunked = "\(ok)Transfer-Encoding: chunked\r\n\r\n"
        let interim = String(
            repeating: "HTTP/1.1 100 Continue\r\n\r\n",
            count: InterimResponseBudget.limit / 64
        )
        let fields = String(repeating: "A: b\r\n", count: HTTP1Limits.fields)
        let final = "\(ok)Content-Length: 0\r\n\r\n"
        let rows: [(String, HTTP1ResponseError?)] = [
            ("\(ok)A: \(long)", .headTooLarge), ("\(ok)A: \(long)\r\n\r\n", .headTooLarge),
            ("HTTP/1.1 200 \(long)", .headTooLarge),
            ("\(ok)\(String(repeating: "A: b\r\n c\r\n", count: 900))\(long)", .headTooLarge),
            ("\(ok)\(fields)\r\n", nil), ("\(ok)\(fields)A: b\r\n\r\n", .tooManyFields),
            ("\(interim)\(final)", nil),
            ("\(interim)HTTP/1.1 100 Continue\r\n\r\n\(final)", .tooManyInterimResponses),
            ("\(chunked)3;\(long)", .chunkLineTooLong), ("\(chunked)3;\(long)\r\n", .chunkLineTooLong),
            ("\(chunked)0\r\nA: \(long)", .trailersTooLarge), ("\(chunked)0\r\n\(fields)\r\n", nil),
            ("\(chunked)0\r\n\(fields)A: b\r\n\r\n", .tooManyFields),
        ]
        for (text, error) in rows {
            let parsed = ParsedResponse(text)
            #expect(parsed.error == error, "\(text.prefix(60))")
            let bytes = Array(text.utf8)
            let pieces = stride(from: 0, to: bytes.count, by: 1000).map { bytes[$0..<min($0 + 1000, bytes.count)] }
            #expect(ParsedResponse(pieces) == parsed)
        }
    }

    @Test("damaged HTTP/1.1 responses give the same event or error for any split", arguments: 0..<20)
    func mutations(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let marks = Array("\r\n\r\n :;,0aF\0\u{7f}".utf8)
        for _ in 0..<500 {
            let row = try #require(Self.rows.randomElement(using: &generator))
            var bytes = row.data
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(marks[Int.random(in: marks.indices, using: &generator)], at: index)
                case 3: bytes.insert(contentsOf: bytes[..<index].suffix(20), at: index)
                default: bytes = Array(bytes[..<index]) + bytes[index...].reversed().prefix(50)
                }
            }
            let whole = ParsedResponse([bytes[...]], method: row.method)
            #expect(whole.isComplete || whole.error != nil)
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            #expect(ParsedResponse([bytes[..<cut], bytes[cut...]], method: row.method) == whole)
            #expect(ParsedResponse(bytes.indices.map { bytes[$0...$0] }, method: row.method) == whole)
        }
    }
}

extension HTTP1ResponseParserTests.Row {
    fileprivate var data: [UInt8] { Array(bytes.utf8) }
}
#endif
