#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A request of HTTP/1.1 is written (RFC 9112)")
struct OutboundMessageTests {
    private func message(
        _ method: MoyaHTTP.HTTPMethod,
        _ url: String = "http://h:81/p?q#f",
        _ headers: HTTPFields = [:],
        body: HTTPBody? = nil,
        _ wire: OutboundMessage.Body = .none
    ) throws -> OutboundMessage {
        let address = try #require(URL(string: url))
        let request = TransportRequest(method: method, url: address, headers: headers, body: body)
        let origin = try #require(Origin(request.url))
        let settings = ConnectionSettings(maximumConnectionsPerHost: 1)
        let connector = try settings.connector(for: origin, host: origin.host)
        let pool = ConnectionPool(connector, on: [MultiThreadedEventLoopGroup.singleton.next()])
        return try pool.makeRequest(request, body: wire, exchange: Exchange(request)).message
    }

    private func text(_ message: OutboundMessage) -> String {
        String(buffer: message.http1Start(ByteBufferAllocator()))
    }

    @Test(
        "request line, Host, the caller's fields and the framing are written, and a small body shares their buffer"
    )
    func whole() throws {
        let fields: HTTPFields = [
            .accept: "a", .contentLength: "99", .transferEncoding: "gzip", .contentType: "\u{e4}",
        ]
        let rows: [(OutboundMessage, String)] = [
            (try message(.get, "http://h"), "GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
            (
                try message(.get, "http://h:81/p?q#f", fields),
                "GET /p?q HTTP/1.1\r\nHost: h:81\r\nAccept: a\r\nContent-Type: \u{e4}\r\n\r\n"
            ),
            (try message(.post), "POST /p?q HTTP/1.1\r\nHost: h:81\r\nContent-Length: 0\r\n\r\n"),
            (try message(.delete), "DELETE /p?q HTTP/1.1\r\nHost: h:81\r\nContent-Length: 0\r\n\r\n"),
            (
                try message(.delete, body: .data(Data())),
                "DELETE /p?q HTTP/1.1\r\nHost: h:81\r\nContent-Length: 0\r\n\r\n"
            ),
            (
                try message(.put, .init("http://h"), [:], body: nil, .bytes(ByteBuffer(string: "ab"))),
                "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab"
            ),
        ]
        for (message, expected) in rows { #expect(text(message) == expected) }
    }

    @Test("a head of any length is written whole, before a body of any length")
    func lengths() throws {
        for length in Array(900...1_100) + [2_040, 2_050, 9_000, 70_000] {
            for body in ["", "b", String(repeating: "\u{e4}", count: 400)] {
                var fields = HTTPFields()
                fields.append(HTTPField(name: .accept, value: String(repeating: "a", count: length - 8)))
                fields.append(HTTPField(name: .accept, value: [0x61, 0xE9, 0x62] as [UInt8]))
                fields.append(HTTPField(name: .te, value: "trailers"))
                let put = try message(.put, "http://h/\u{e4}", fields, .bytes(ByteBuffer(string: body)))
                let written = Array(put.http1Start(ByteBufferAllocator()).readableBytesView)
                var expected = Array("PUT /%C3%A4 HTTP/1.1\r\nHost: h\r\nAccept: ".utf8)
                expected += Array(repeating: UInt8(ascii: "a"), count: length - 8) + Array("\r\nAccept: a".utf8)
                expected += [0xE9] + Array("b\r\nTE: trailers\r\nConnection: TE\r\n".utf8)
                expected += Array("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
                #expect(written == expected, "\(length)")
            }
        }
    }

    @Test("the caller's Host field replaces the default Host field")
    func host() throws {
        var fields = HTTPFields()
        let name = try #require(HTTPField.Name("hOST"))
        fields.append(HTTPField(name: name, value: "other"))
        fields.append(HTTPField(name: name, value: "third"))
        #expect(text(try message(.get, "http://h", fields)) == "GET / HTTP/1.1\r\nHost: other\r\n\r\n")
    }

    @Test("an empty piece of a body writes nothing, because it would end a chunked body (RFC 9112, section 7.1)")
    func pieces() throws {
        let body = HTTPBody.stream(InputStream(data: Data("a".utf8)))
        let chunked = try message(.put, body: body, .reader(body.open()))
        #expect(chunked.framing == .chunked)
        #expect(chunked.http1Buffers(for: ByteBuffer()) == [])
        let piece = ByteBuffer(string: "0123456789abcdefg")
        let chunk = chunked.http1Buffers(for: piece).map { String(buffer: $0) }.joined()
        #expect(chunk == "11\r\n0123456789abcdefg\r\n")
        #expect(chunked.http1End() == ByteBuffer(string: "0\r\n\r\n"))
        let sized = HTTPBody.stream(InputStream(data: Data("a".utf8)), length: 1)
        let plain = try message(.put, body: sized, .reader(sized.open()))
        #expect(plain.framing == .length(1))
        #expect(plain.http1Buffers(for: piece) == [piece] && plain.http1Buffers(for: ByteBuffer()) == [])
        #expect(plain.http1End() == nil)
    }

    @Test("trailers follow the last chunk in the case of their names, with any bytes (RFC 9112, section 7.1.2)")
    func trailers() throws {
        let body = HTTPBody.data(Data()).withTrailers { [:] }
        let chunked = try message(.put, body: body, .reader(body.open()))
        #expect(chunked.framing == .chunked)
        var fields = HTTPFields()
        let name = try #require(HTTPField.Name("x-SuM"))
        fields.append(HTTPField(name: name, value: "a, b"))
        fields.append(HTTPField(name: name, value: [0x61, 0xE9] as [UInt8]))
        fields.append(HTTPField(name: name, value: ""))
        let expected = Array("0\r\nx-SuM: a, b\r\nx-SuM: a".utf8) + [0xE9] + Array("\r\nx-SuM: \r\n\r\n".utf8)
        #expect(chunked.http1End(trailers: fields).map { Array($0.readableBytesView) } == expected)
    }

    @Test("the names of trailers are in Trailer, unless the request has the field (RFC 9110, section 6.6.2)")
    func trailerNames() throws {
        let body = HTTPBody.data(Data()).withTrailers([.eTag, .accept]) { [:] }
        let end = "Transfer-Encoding: chunked\r\n\r\n"
        let named = try message(.put, "http://h", body: body, .reader(body.open()))
        #expect(text(named) == "PUT / HTTP/1.1\r\nHost: h\r\nTrailer: ETag, Accept\r\n\(end)")
        let given = try message(.put, "http://h", [.trailer: "X"], body: body, .reader(body.open()))
        #expect(text(given) == "PUT / HTTP/1.1\r\nHost: h\r\nTrailer: X\r\n\(end)")
    }

    @Test(
        "a method that could change the first lines of an HTTP/1.1 request is refused",
        arguments: ["", "G T", "GET / HTTP/1.1\r\nX: y\r\n\r\n", "G\0"]
    )
    func methods(method: String) {
        #expect(throws: RequestValidationError.invalidMethod(method)) { try message(.init(rawValue: method)) }
    }

    @Test("a URL's host or a Host field with an escaped line break, space or zero byte is refused")
    func authorities() throws {
        let urls = ["http://a%0D%0Ab/", "http://a%20b/", "http://a%00b/"]
        for url in urls where URL(string: url)?.host?.isEmpty == false {
            #expect(throws: RequestValidationError.self) { try message(.get, url) }
        }
        var fields = HTTPFields()
        fields.append(HTTPField(name: try #require(HTTPField.Name("Host")), value: "a b"))
        #expect(throws: RequestValidationError.invalidHeaderValue(name: "Host")) {
            try message(.get, "http://h", fields)
        }
    }

    @Test(
        "a request with TE has the connection option TE (RFC 9110, section 10.1.4)",
        arguments: [
            ([("TE", "trailers")], "TE: trailers\r\nConnection: TE"),
            ([("te", "trailers"), ("Connection", "close")], "te: trailers\r\nConnection: close\r\nConnection: TE"),
            ([("Connection", "close, te"), ("TE", "trailers")], "Connection: close, te\r\nTE: trailers"),
            ([("Accept", "a")], "Accept: a"),
        ] as [([(String, String)], String)]
    )
    func acceptedTrailers(fields: [(String, String)], lines: String) throws {
        var headers = HTTPFields()
        for (name, value) in fields {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        #expect(text(try message(.get, "http://h", headers)) == "GET / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n\r\n")
    }

    @Test("no value of a field can contain a line break or a NUL")
    func values() {
        for text in ["a\r\nb", "a\0b", "\r", "a\nb"] {
            let fields = [
                HTTPField(name: .accept, value: text), HTTPField(name: .accept, value: Array(text.utf8)),
                HTTPField(name: .accept, lenientValue: Array(text.utf8)),
            ]
            for field in fields {
                #expect(field.withUnsafeBytesOfValue { !$0.contains { [0, 10, 13].contains($0) } })
            }
        }
    }

    @Test(
        "the option `close` of a Connection field ends the connection, alone or in a list of options",
        arguments: [("close", true), ("x, CLOSE", true), ("keep-alive", false), ("closed", false)]
    )
    func closes(value: String, closes: Bool) throws {
        #expect(try message(.get, "http://h", [.connection: value]).shouldCloseConnection == closes)
    }
}
#endif
