import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A curl command sends the body of its request")
struct CURLBodyTests {
    typealias Part = MultipartBody.Part

    private static let file = URL(fileURLWithPath: "/tmp/a \"$x`!;,'\\é")

    private static func request(_ contentType: String? = "a/b") throws -> URLRequest {
        try CURLCommandTests.request(headers: contentType.map { ["Content-Type": $0] } ?? [:])
    }

    // MARK: Bodies

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable () -> HTTPBody
        let expected: [String]
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    static let rows: [Row] = [
        Row(testDescription: "empty", body: { .data(Data()) }, expected: ["-d", ""]),
        Row(testDescription: "text", body: { .data(Data("a\"$".utf8)) }, expected: ["-d", "a\"$"]),
        Row(
            testDescription: "bytes",
            body: { .data(Data([0, 0xFF])) },
            expected: ["--data-binary", "file:AP8="]
        ),
        Row(testDescription: "a file", body: { .file(file) }, expected: ["--data-binary", "@\(file.path)"]),
        Row(
            testDescription: "text, bytes and text",
            body: {
                HTTPBody(segments: [
                    .bytes(Data("a\r\n".utf8)), .init(.file(URL(fileURLWithPath: "/dev/null"))), .bytes(Data([0])),
                    .init(.file(URL(fileURLWithPath: "/dev/null"))), .bytes(Data("'b\n".utf8)),
                ])
            },
            expected: ["--data-binary", "file:\(base64("a\r\n\0'b\n"))"]
        ),
    ]

    @Test("a body arrives unchanged in curl's arguments", arguments: rows)
    func body(row: Row) async throws {
        let start = ["-X", "POST", "-H", "Content-Type: a/b"]
        let content = CURLCommand.Content.body(row.body())
        try await CURLCommandTests.expectArguments(
            of: Self.request(),
            sending: content,
            start + row.expected + ["http://h/"]
        )
        // The given body takes precedence over the body of the request.
        var request = try Self.request(nil)
        request.httpBody = Data("other".utf8)
        try await CURLCommandTests.expectArguments(
            of: request,
            sending: content,
            ["-X", "POST", "-H", "Content-Type:"] + row.expected + ["http://h/"]
        )
    }

    @Test("the command gzip compresses a gzipped body for curl")
    func gzip() throws {
        for (body, script) in [
            (HTTPBody.data(Data("a b".utf8)), "printf %s \"a b\""),
            (.file(URL(fileURLWithPath: "/a b")), "cat \"/a b\""),
            (.data(Data()), ":"),
        ] {
            let text = try #require(CURLCommand(Self.request(), content: .body(body.gzipped())).text)
            #expect(text.contains("\t--data-binary @<({ \(script); } | gzip -c) \\\n"), "\(text)")
        }
    }

    @Test(
        "a nonexistent file replaces a body that cannot be repeated, so that curl does not run and the shell explains it"
    )
    func unwritten() throws {
        let stream = InputStream(data: Data("secret".utf8))
        let sequence = AsyncStream<Data> { $0.finish() }
        let rows: [(HTTPBody, String)] = [
            (.stream(stream, length: 6), "(put the stream (6 bytes) into a file, and its name here)"),
            (.sequence(sequence), "(put the async sequence into a file, and its name here)"),
            (.data(Data(count: 64_001)), "(put the 64001 bytes into a file, and its name here)"),
            (
                HTTPBody(segments: [.bytes(Data("a".utf8)), .init(.stream(.init(stream, length: nil)))]),
                "(put the body into a file, and its name here)"
            ),
        ]
        for (body, name) in rows {
            let text = try #require(CURLCommand(Self.request(), content: .body(body)).text)
            #expect(text.contains("\t--data-binary @- < \"\(name)\" \\\n"), "\(text)")
            let output = try CURLCommandTests.run("show() { echo sent; }; show \(text.dropFirst("$ curl -v ".count))")
            #expect(output.isEmpty)
        }
        #expect(stream.streamStatus == .notOpen)
        var request = try Self.request()
        request.httpBodyStream = stream
        #expect(try #require(CURLCommand(request).text).contains("@- < \"(put the stream into"))
        #expect(stream.streamStatus == .notOpen)
    }

    // MARK: Forms

    static let parts: [(Part, [String])] = [
        (Part(name: "a", body: .data(Data("b".utf8))), ["--form-string", "a=b"]),
        (Part(name: "a", body: .data(Data())), ["--form-string", "a="]),
        (Part(name: "a", body: .data(Data("@x;\"\\'$`!\r\n,<".utf8))), ["--form-string", "a=@x;\"\\'$`!\r\n,<"]),
        (
            Part(name: "a;\",\\\r\n'$`é", body: .data(Data("v".utf8))),
            ["--form-string", "a;%22,\\%0D%0A'$`é=v"]
        ),
        (
            Part(name: "a", mimeType: "a/b; charset=utf-8", body: .data(Data("@\"\\".utf8))),
            ["-F", #"a="@\"\\";type=a/b; charset=utf-8"#]
        ),
        (
            Part(name: "a", fileName: "f\"\\;é", mimeType: "a/b", body: .data(Data("x".utf8))),
            ["-F", #"a="x";filename="f%22\\;é";type=a/b"#]
        ),
        (Part(name: "a", body: .data(Data([0, 0xFF]))), ["-F", "a=file:AP8="]),
        (
            Part(name: "a", fileName: "f", mimeType: "a/b", body: .data(Data([0, 0xFF]))),
            ["-F", "a=file:AP8=;filename=\"f\";type=a/b"]
        ),
        (
            Part(name: "a", fileName: "f", mimeType: "a/b", body: .file(file)),
            ["-F", "a=@\"/tmp/a \\\"$x`!;,'\\\\é\";filename=\"f\";type=a/b"]
        ),
        (
            Part(name: "a", mimeType: "a/b", body: .file(URL(fileURLWithPath: "/x"))),
            ["-F", "a=<\"/x\";type=a/b"]
        ),
        (
            Part(name: "a", fileName: "f", mimeType: "a/b", body: .stream(InputStream(data: Data()), length: 3)),
            ["-F", "a=@\"(put the stream (3 bytes) into a file, and its name here)\";filename=\"f\";type=a/b"]
        ),
        (
            Part(name: "a", body: .data(Data(count: 64_001))),
            ["-F", "a=<\"(put the 64001 bytes into a file, and its name here)\""]
        ),
    ]

    @Test(
        "a form becomes one curl option for each part, without the content type and its boundary",
        arguments: parts.indices
    )
    func form(index: Int) async throws {
        let (part, expected) = Self.parts[index]
        let form = MultipartBody(boundary: "B", parts: [part, Part(name: "z", body: .data(Data("y".utf8)))])
        try await CURLCommandTests.expectArguments(
            of: Self.request(form.contentType),
            sending: .form(form, body: form.body()),
            ["-X", "POST"] + expected + ["--form-string", "z=y", "http://h/"]
        )
    }

    @Test(
        "a form that curl would write differently is sent as a plain body in the curl command",
        arguments: [
            Part(name: "", body: .data(Data("v".utf8))),
            Part(name: "a=b", body: .data(Data("v".utf8))),
            Part(name: "a", fileName: "f", body: .data(Data("v".utf8))),
            Part(name: "a", mimeType: "a/b; type=c", body: .data(Data("v".utf8))),
            Part(name: "a", mimeType: "a/b, c", body: .data(Data("v".utf8))),
            Part(name: "a", mimeType: "text", body: .data(Data("v".utf8))),
            Part(headers: ["X": "y"], body: .data(Data("v".utf8))),
        ]
    )
    func exactForm(part: Part) async throws {
        let form = MultipartBody(boundary: "B", parts: [part])
        let body = try #require(try form.body().data)
        try await CURLCommandTests.expectArguments(
            of: Self.request(form.contentType),
            sending: .form(form, body: form.body()),
            [
                "-X", "POST", "-H", "Content-Type: multipart/form-data; boundary=B", "-d",
                String(decoding: body, as: UTF8.self), "http://h/",
            ]
        )
    }

    @Test("a form with another content type is sent as a plain body in the curl command")
    func otherContentType() async throws {
        let form = MultipartBody(boundary: "B", parts: [Part(name: "a", body: .data(Data("b".utf8)))])
        let text = "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--B--\r\n"
        for type in ["multipart/mixed; boundary=B", "multipart/form-data; boundary=C"] {
            try await CURLCommandTests.expectArguments(
                of: Self.request(type),
                sending: .form(form, body: form.body()),
                ["-X", "POST", "-H", "Content-Type: \(type)", "-d", text, "http://h/"]
            )
        }
    }

    @Test("the curl command masks parts with secret names unless it has no mask")
    func secrets() throws {
        for other in [Part(name: "b", body: .data(Data())), Part(name: "b=", body: .data(Data()))] {
            let secret = Part(name: "Pass Word", body: .data(Data("5ecret".utf8)))
            let form = MultipartBody(parts: [secret, other])
            let content = CURLCommand.Content.form(form, body: try form.body())
            let request = try Self.request(form.contentType)
            let mask = SecretMask(names: ["pass word"])
            #expect(try #require(CURLCommand(request, content: content, mask: .none).text).contains("5ecret"))
            let text = try #require(CURLCommand(request, content: content, mask: mask).text)
            #expect(!text.contains("5ecret"))
            #expect(text.contains(other.name == "b" ? "\"Pass Word=***\"" : "(put a form with secrets into a file"))
        }
    }

    // MARK: Shells

    @Test(
        "a typed curl command recalls no earlier command of the shell",
        arguments: CURLCommandTests.hostile + ["a\n^b^c", "^!^"]
    )
    func typed(_ text: String) throws {
        let request = try CURLCommandTests.request(body: Data(text.utf8))
        let command = try #require(CURLCommand(request).text).dropFirst("$ curl -v ".count)
        let output = try CURLCommandTests.run("show() { printf '%s' \"$5$6\"; }\nshow \(command)\n", asTyped: true)
        #expect(output == Data("\(text.hasPrefix("@") ? "--data-raw" : "-d")\(text)".utf8))
    }

    @Test("a curl command contains escapes for control characters, which a terminal would interpret as keys")
    func keys() throws {
        let request = try CURLCommandTests.request(body: Data("a\r\u{1B}[!'\\\u{7F}\t".utf8))
        let text = try #require(CURLCommand(request).text)
        #expect(text.contains(#"-d $'a\r\033[\041\'\\\177\t'"#), "\(text)")
    }

    // MARK: Interpretation by curl

    @Test("a HEAD request without a body has the curl option --head, because curl would otherwise wait for a body")
    func head() async throws {
        try await CURLCommandTests.expectArguments(
            of: CURLCommandTests.request("HEAD", headers: [:]),
            ["--head", "http://h/"]
        )
        try await CURLCommandTests.expectArguments(
            of: CURLCommandTests.request("HEAD", body: Data("b".utf8)),
            ["-X", "HEAD", "-H", "Content-Type: a/b", "-d", "b", "http://h/"]
        )
    }

    @Test(
        "curl expands no brackets in a URL and removes no dot segments",
        arguments: [
            ("http://h/?a[]=1", ["--globoff"]), ("http://[::1]:80/?a[]=1", ["--globoff"]), ("http://[::1]:80/a", []),
            ("http://h/a/../b", ["--path-as-is"]), ("http://h/./b", ["--path-as-is"]),
            ("http://h/%2E%2e/b", ["--path-as-is"]), ("http://h/..a/...?/../", []),
        ]
    )
    func url(url: String, options: [String]) async throws {
        let url = try #require(URL(string: url)).absoluteString
        try await CURLCommandTests.expectArguments(
            of: CURLCommandTests.request("GET", url, headers: [:]),
            // Current versions of Foundation escape brackets, other versions do not.
            ["-X", "GET"] + (url.contains("[]") ? options : options.filter { $0 != "--globoff" }) + [url]
        )
    }

    @Test("the curl command omits headers that the transport sets, and headers with invalid names")
    func headers() async throws {
        let headers = [
            "content-length": "3", "Transfer-Encoding": "chunked", "@/etc/passwd": "a", "A B": "c", "D": "e",
        ]
        try await CURLCommandTests.expectArguments(
            of: CURLCommandTests.request("GET", headers: headers),
            ["-X", "GET", "-H", "D: e", "http://h/"]
        )
    }
}
