import Foundation
import MoyaHTTP
import Testing

@Suite("Forms are encoded as multipart/form-data")
struct MultipartBodyTests {
    static func text(_ name: String, _ content: String) -> MultipartBody.Part {
        MultipartBody.Part(name: name, body: .data(Data(content.utf8)))
    }

    static let framings: [(parts: [MultipartBody.Part], text: String)] = [
        ([], "--b--\r\n"),
        (
            [text("a", "1")],
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n"
        ),
        (
            [text("a", ""), text("", "\r\n"), text("a", "3")],
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
                + "\r\n--b\r\nContent-Disposition: form-data; name=\"\"\r\n\r\n\r\n"
                + "\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n3\r\n--b--\r\n"
        ),
        (
            [MultipartBody.Part(name: "a", fileName: "x.png", mimeType: "image/png", body: .data(Data("1".utf8)))],
            "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x.png\"\r\nContent-Type: image/png\r\n\r\n1"
                + "\r\n--b--\r\n"
        ),
        (
            [MultipartBody.Part(name: "a", fileName: "", mimeType: "", body: .data(Data("1".utf8)))],
            "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\"\r\n\r\n1\r\n--b--\r\n"
        ),
        (
            [MultipartBody.Part(name: "a", mimeType: "text/plain; charset=utf-8", body: .data(Data("1".utf8)))],
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n1"
                + "\r\n--b--\r\n"
        ),
        (
            [
                MultipartBody.Part(
                    headers: ["X-B": "2", "Content-Disposition": "form-data; name=a", "X-A": ""],
                    body: .data(Data("1".utf8))
                ),
                MultipartBody.Part(headers: [:], body: .data(Data("2".utf8))),
            ],
            "--b\r\nX-B: 2\r\nContent-Disposition: form-data; name=a\r\nX-A: \r\n\r\n1\r\n--b\r\n\r\n2\r\n--b--\r\n"
        ),
    ]

    @Test("the framing of a form follows RFC 2046, section 5.1.1, and the headers follow RFC 7578", arguments: framings)
    func framing(parts: [MultipartBody.Part], text: String) async throws {
        let body = try MultipartBody(boundary: "b", parts: parts).body()
        let reader = try body.open()
        #expect(reader.length == Int64(text.utf8.count))
        let read = await reader.rest()
        #expect(read.error == nil)
        #expect(String(bytes: read.bytes, encoding: .utf8) == text)
        #expect(body.isRepeatable)
        #expect(body.data == Data(text.utf8))
    }

    @Test(
        "fact 59: names and file names of parts are escaped by the WHATWG's rules and are otherwise unchanged",
        arguments: [
            ("a\"b", "a%22b"), ("\r", "%0D"), ("\n", "%0A"), ("a\r\nX: y", "a%0D%0AX: y"), ("\"\r\n\"", "%22%0D%0A%22"),
            ("%22", "%22"), ("ä 文 🎈", "ä 文 🎈"), ("e\u{301}\"", "e\u{301}%22"), ("\"\u{301}", "%22\u{301}"),
            ("a\\b", "a\\b"), ("\t;=", "\t;="), ("\r\u{301}\n\u{200D}", "%0D\u{301}%0A\u{200D}"), ("../a", "../a"),
        ]
    )
    func escaping(name: String, escaped: String) throws {
        let part = MultipartBody.Part(name: name, fileName: name, body: .data(Data()))
        let text =
            "--b\r\nContent-Disposition: form-data; name=\"\(escaped)\"; filename=\"\(escaped)\"\r\n\r\n\r\n--b--\r\n"
        // The bytes are compared, because Swift regards different compositions of a text as equal.
        #expect(try MultipartBody(boundary: "b", parts: [part]).body().data == Data(text.utf8))
    }

    @Test("values that would change the headers of a part are refused, and the error names the part")
    func invalidHeaders() {
        func part(_ name: String, _ fileName: String? = nil, _ type: String? = nil) -> MultipartBody.Part {
            MultipartBody.Part(name: name, fileName: fileName, mimeType: type, body: .data(Data()))
        }
        func part(header name: String, _ value: String) -> MultipartBody.Part {
            MultipartBody.Part(headers: [HTTPHeader(name: name, value: value)], body: .data(Data()))
        }
        let rows: [(MultipartBody.Part, MultipartError)] = [
            (part("a\0b"), .invalidName(part: "a\0b")),
            (part("a", "x\0.png"), .invalidFileName(part: "a")),
            (part("a", nil, "text/plain\r\nX: y"), .invalidMIMEType(part: "a")),
            (part("a", nil, "text/plain\n"), .invalidMIMEType(part: "a")),
            (part("a", nil, "text/plain\r"), .invalidMIMEType(part: "a")),
            (part("a", nil, "\r\n"), .invalidMIMEType(part: "a")),
            (part("a", nil, "a\0b"), .invalidMIMEType(part: "a")),
            (part("a", nil, " text/plain"), .invalidMIMEType(part: "a")),
            (part(header: "X-A", "1\r\n\r\nbody"), .invalidHeader(part: "#2", header: "X-A")),
            (part(header: "X-A", "1\n"), .invalidHeader(part: "#2", header: "X-A")),
            (part(header: "X-A", "\0"), .invalidHeader(part: "#2", header: "X-A")),
            (part(header: "X A", "1"), .invalidHeader(part: "#2", header: "X A")),
            (part(header: "X:", "1"), .invalidHeader(part: "#2", header: "X:")),
            (part(header: "", "1"), .invalidHeader(part: "#2", header: "")),
            (part(header: "A\r\nB", "1"), .invalidHeader(part: "#2", header: "A\r\nB")),
        ]
        for (part, error) in rows {
            #expect(throws: error) { try MultipartBody(parts: [Self.text("first", "1"), part]).body() }
        }
    }

    @Test("a compressed part of a form is refused, because parts have no header for a coding (RFC 7578, section 4.8)")
    func compressedPart() throws {
        let part = MultipartBody.Part(name: "b", body: HTTPBody.data(Data("b".utf8)).gzipped())
        #expect(throws: MultipartError.compressedPart(part: "b")) {
            try MultipartBody(parts: [Self.text("a", "1"), part]).body()
        }
        #expect(try MultipartBody(parts: [Self.text("a", "1")]).body().gzipped().isRepeatable)
    }

    @Test("a part of a form with trailers is refused, and the whole form may have them")
    func trailersOfPart() throws {
        let part = MultipartBody.Part(name: "b", body: HTTPBody.data(Data("b".utf8)).withTrailers { [:] })
        #expect(throws: MultipartError.trailersOfPart(part: "b")) {
            try MultipartBody(parts: [Self.text("a", "1"), part]).body()
        }
        #expect(try MultipartBody(parts: [Self.text("a", "1")]).body().withTrailers { [:] }.hasTrailers)
    }

    @Test(
        "a boundary has 1 to 70 of the characters that RFC 2046, section 5.1.1, allows, and does not end with a space",
        arguments: [
            "", " ", "a ", String(repeating: "a", count: 71), "a\r\nb", "a\"b", "a;b", "ä", "a\0", "a@b", "\r\n",
        ]
    )
    func invalidBoundary(boundary: String) {
        #expect(throws: MultipartError.invalidBoundary(boundary)) {
            try MultipartBody(boundary: boundary, parts: [Self.text("a", "1")]).body()
        }
    }

    @Test(
        "the content type of a form contains the boundary, in quotes where RFC 2045, section 5.1, requires them",
        arguments: [
            ("b", "b"), ("a'b+_-.1", "a'b+_-.1"), ("a b", "\"a b\""),
            ("gc0pJq0M:08jU534c0p", "\"gc0pJq0M:08jU534c0p\""),
            ("(", "\"(\""), (",", "\",\""), ("/", "\"/\""), ("=?", "\"=?\""), (" a", "\" a\""),
            (String(repeating: "a", count: 70), String(repeating: "a", count: 70)),
        ]
    )
    func contentType(boundary: String, parameter: String) throws {
        let body = MultipartBody(boundary: boundary, parts: [Self.text("a", "1")])
        #expect(body.contentType == "multipart/form-data; boundary=\(parameter)")
        #expect(try body.body().data?.starts(with: Data("--\(boundary)\r\n".utf8)) == true)
    }

    @Test("fact 56: the boundary of a form is random by default")
    func randomBoundary() throws {
        let boundaries = Set((0..<1000).map { _ in MultipartBody().boundary })
        #expect(boundaries.count == 1000)
        for boundary in boundaries {
            #expect(boundary.wholeMatch(of: /moya\.boundary\.[0-9a-f]{16}/) != nil)
        }
        #expect(MultipartBody(boundary: "given").boundary == "given")
    }

    @Test("the length of a form is known if the length of each part is known")
    func length() throws {
        let file = try TemporaryFile(.pattern(300_000))
        let known = [
            MultipartBody.Part(name: "data", body: .data(.pattern(7))),
            MultipartBody.Part(name: "file", body: .file(file.url)),
            MultipartBody.Part(name: "stream", body: .stream(InputStream(data: .pattern(9)), length: 9)),
            MultipartBody.Part(name: "sequence", body: .sequence(elements([Data.pattern(3)]), length: 3)),
        ]
        let frame =
            "--b\r\nContent-Disposition: form-data; name=\"\"\r\n\r\n\r\n".utf8.count * 4 + "--b--\r\n".utf8.count
        let names = "datafilestreamsequence".utf8.count
        let length = try MultipartBody(boundary: "b", parts: known).body().open().length
        #expect(length == Int64(frame + names + 300_000 + 7 + 9 + 3))
        for unknown in [HTTPBody.stream(InputStream(data: Data())), .sequence(elements([Data()]))] {
            let part = MultipartBody.Part(name: "x", body: unknown)
            #expect(try MultipartBody(parts: [known[0], part]).body().open().length == nil)
        }
    }

    @Test("a thousand tiny parts of a form are sent in a few pieces")
    func tinyParts() async throws {
        let parts = (0..<1000).map { Self.text("field \($0)", "value \($0)") }
        let body = try MultipartBody(parts: parts).body()
        #expect(body.segments.count == 1)
        let read = try await body.open().rest()
        #expect(read.pieces.count == 1)
    }

    @Test("multipart bodies are equal by boundary and parts")
    func equality() {
        let one = MultipartBody(boundary: "b", parts: [Self.text("a", "1")])
        #expect(one == MultipartBody(boundary: "b", parts: [Self.text("a", "1")]))
        #expect(one != MultipartBody(boundary: "c", parts: [Self.text("a", "1")]))
        #expect(one != MultipartBody(boundary: "b", parts: [Self.text("a", "2")]))
        #expect(one.parts[0].name == "a")
        #expect(MultipartBody.Part(headers: [:], body: .data(Data())).name == nil)
    }
}
