// On other platforms an application cannot start processes.
#if os(macOS) || os(Linux)
import Foundation
import Moya
import TestServers
import TestSupport
import Testing

@Suite(
    "A logged curl command runs in bash and curl",
    .serialized,
    .enabled(if: Bash.hasCURL),
    .timeLimit(.minutes(5))
)
struct CURLShellTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var path = "/p"
        var method: Moya.Method = .post
        var headers: [String: String]?
        /// A stream serves one request, so each request has a new task.
        let task: @Sendable (TemporaryFolder) throws -> HTTPTask

        /// Whether the default transport sends the request as it is (`Tests/URLSESSION.md`).
        var isSentUnchanged: Bool {
            !TransportKind.isDefaultURLSessionOnLinux
                || testDescription != "a GET with a body" && path != "/a/../b/./c"
        }
    }

    typealias Part = MultipartFormData

    /// Texts that a shell, curl or a terminal would interpret without escaping.
    static let hostile = [
        " ", "\"", "'", "it's", "$HOME", "$(id)", "`id`", "\\", "\\\"", "a\\", "!", "!!", "!id", "a!b\"c", "*", "~",
        "#", "; id", "{a,b}", "[a]", "%41", "-d", "--", "\t", "\n", "a\nb\n\nc\n", "\\\n", "\r\n", "\r", "\u{1B}[A",
        "\u{1}", "\u{7F}", "é", "e\u{301}", "中文", "😀👩‍👩‍👧", "\u{FEFF}a", "@", "@/etc/passwd", "<", "</etc/passwd",
        "a;type=b/c", "a;filename=b", "a,b", "a=b&c=%26", #"{"k":"v\"$`!\\n"}"#, "\"; id; \"", "a\n^b^c\n",
    ]

    static var bodies: [Row] {
        let texts = hostile.map { text in
            Row(testDescription: "the text \(text.debugDescription)", headers: ["Content-Type": "text/plain"]) {
                _ in
                .requestData(Data(text.utf8))
            }
        }
        let bytes: [[UInt8]] = [
            [0], [0xFF], [0x61, 0, 0x62], Array(0...255), [0xC3, 0x28], [0x61, 0, 0x0A, 0x0A],
        ]
        return texts
            + bytes.map { bytes in Row(testDescription: "the bytes \(bytes)") { _ in .requestData(Data(bytes)) } }
            + [
                Row(testDescription: "no body") { _ in .requestPlain },
                Row(testDescription: "an empty body") { _ in .requestData(Data()) },
                Row(testDescription: "63,999 bytes of text") { _ in
                    .requestData(Data(String(repeating: "\"$`\\\n!", count: 10_666).utf8))
                },
                Row(testDescription: "JSON") { _ in .requestJSONEncodable(["q\"$`!": "\\ ' \u{7F}é"]) },
                Row(testDescription: "a form") { _ in
                    .requestParameters(
                        parameters: ["a b": "$&=+\"", "é": ["!", "`"]],
                        encoding: URLEncoding.httpBody
                    )
                },
                Row(testDescription: "parameters in the query", method: .get) { _ in
                    .requestParameters(
                        parameters: ["a": ["$", "\"", "`", "{1,2}"], "é[]": "[1-3]"],
                        encoding: URLEncoding.queryString
                    )
                },
                Row(testDescription: "data with parameters") { _ in
                    .requestCompositeData(bodyData: Data("'".utf8), urlParameters: ["a": "'"])
                },
                Row(testDescription: "a GET with a body", method: .get) { _ in .requestData(Data("b".utf8)) },
                Row(testDescription: "a DELETE with a body", method: .delete) { _ in .requestData(Data("b".utf8)) },
                Row(testDescription: "a HEAD", method: .head) { _ in .requestPlain },
                Row(testDescription: "a file") { .uploadFile(try $0.write("a\r\n\0b\n", to: oddName)) },
                Row(testDescription: "an empty file") { .uploadFile(try $0.write("", to: "empty")) },
                Row(testDescription: "a body of text") { _ in
                    .uploadBody(.data(Data("'\"".utf8)), contentType: "a/b")
                },
                Row(testDescription: "a body of a file", method: .put) {
                    .uploadBody(.file(try $0.write("x", to: oddName)), contentType: "a/b; c=\"d\"")
                },
            ]
    }

    static let oddName = "a \"$x`!;,'\\é\n(.txt"

    static let heads: [Row] =
        ["M-SEARCH", "X_Y.Z~1", "it's", "A`id`", "$HOME", "*", "#", "!id"].map { method in
            Row(testDescription: "the method \(method)", method: Moya.Method(rawValue: method)) { _ in .requestPlain
            }
        }
        + hostile.filter { !$0.contains { $0.asciiValue.map { $0 < 0x20 || $0 == 0x7F } ?? false } && $0 != "\r\n" }
        .map { value in
            Row(testDescription: "the header \(value)", headers: ["X-A": value]) { _ in .requestPlain }
        }
        + ["", ";", ":", "a;", " a ", "a\tb"].map { value in
            Row(testDescription: "the header \(value.debugDescription)", headers: ["X-A": value, "X-B": ""]) { _ in
                .requestPlain
            }
        }
        + ["X-$A", "X-`id`", "X'!id", "#", "x-a"].map { name in
            Row(testDescription: "a header named \(name)", headers: [name: "v"]) { _ in .requestPlain }
        }
        + [
            Row(testDescription: "credentials", headers: ["Authorization": "Bearer a.b", "Cookie": "a=\"b\""]) {
                _ in
                .requestPlain
            },
            Row(testDescription: "a length that is wrong", headers: ["Content-Length": "7"]) { _ in
                .requestData(Data("b".utf8))
            },
        ]
        + [
            "/?a=1&b=2;c", "/$HOME?$(id)", "/'!*'", "/%60%22%5C", "/#f", "/?a[]=1&b={1,2}", "/a/../b/./c",
            "/%2e%2E/a",
            "//a//",
            "/?", "/~%00", "/a;b=c,d",
        ].map { path in
            Row(testDescription: "the URL \(path)", path: path, method: .get) { _ in .requestPlain }
        }

    static let forms: [Row] =
        hostile.map { text in
            Row(testDescription: "a form with \(text.debugDescription)") { _ in
                let data = Data(text.utf8)
                return .uploadMultipart([
                    Part(provider: .data(data), name: "a"),
                    Part(provider: .data(data), name: "b", mimeType: "text/plain; charset=utf-8"),
                    Part(provider: .data(data), name: text, fileName: text, mimeType: "a/b"),
                ])
            }
        }
        + [
            Row(testDescription: "a form with files") { folder in
                let odd = try folder.write("a\r\n\0b\n", to: oddName)
                return .uploadMultipart([
                    Part(provider: .file(odd), name: "a"),
                    Part(provider: .file(odd), name: "b", fileName: "x.y", mimeType: "a/b"),
                    Part(provider: .file(odd), name: "c", fileName: oddName, mimeType: "image/svg+xml"),
                    Part(provider: .file(try folder.write("", to: "empty.bin")), name: "d"),
                ])
            },
            Row(testDescription: "a form with bytes") { _ in
                let data = Data(0...255)
                return .uploadMultipart([
                    Part(provider: .data(data), name: "a"),
                    Part(provider: .data(data), name: "b", mimeType: "a/b"),
                    Part(provider: .data(data), name: "c", fileName: "c.png", mimeType: "a/b"),
                    Part(provider: .data(Data()), name: "d", fileName: "d", mimeType: "a/b"),
                ])
            },
            Row(testDescription: "a form that curl can't write", method: .put) { folder in
                let parts = [
                    Part(provider: .data(Data([0, 0xFF])), name: "a=b"),
                    Part(provider: .data(Data("!\n".utf8)), name: "b", fileName: "b.png"),
                    Part(provider: .file(try folder.write("a\r\n\0b\n", to: oddName)), name: "c"),
                ]
                return .uploadMultipart(parts, boundary: "B")
            },
            Row(testDescription: "a form with a boundary, and parameters", method: .patch) { _ in
                .uploadMultipart([Part(provider: .data(Data("v".utf8)), name: "n")], boundary: "'x y'")
                    .adding(query: ["a": "$"])
            },
            Row(testDescription: "a form and parameters", method: .patch) { _ in
                .uploadCompositeMultipart(
                    [Part(provider: .data(Data("v".utf8)), name: "n")],
                    urlParameters: ["a": "$"]
                )
            },
        ]

    // MARK: Tests

    @Test(
        "the logged curl command sends the provider's request",
        arguments: (bodies + heads).filter(\.isSentUnchanged)
    )
    func same(row: Row) async throws {
        let bench = try await Bench(row)
        let (ours, curls) = try await bench.requests()
        #expect(curls.head.method == ours.head.method)
        #expect(curls.head.target == ours.head.target)
        #expect(curls.head.comparable == ours.head.comparable)
        #expect(curls.body == ours.body)
        await bench.server.shutDown()
    }

    @Test("the logged curl command sends the same form with a new boundary", arguments: forms)
    func form(row: Row) async throws {
        let bench = try await Bench(row)
        let (ours, curls) = try await bench.requests()
        #expect(curls.head.method == ours.head.method)
        #expect(curls.head.target == ours.head.target)
        let parts = try #require(FormPart.parts(of: ours))
        #expect(!parts.isEmpty)
        #expect(FormPart.parts(of: curls) == parts)
        await bench.server.shutDown()
    }

    static let gzipped: [Row] = [
        Row(testDescription: "text") { _ in .gzipped(.requestData(Data("a\n".utf8))) },
        Row(testDescription: "a file") { .gzipped(.uploadFile(try $0.write("a\n\0", to: oddName))) },
        Row(testDescription: "bytes") { _ in .gzipped(.uploadBody(.data(Data([0, 0xFF])))) },
        Row(testDescription: "no bytes") { _ in .gzipped(.uploadBody(.data(Data()))) },
        Row(testDescription: "a form") {
            .gzipped(
                .uploadMultipart([
                    Part(provider: .data(Data("!$".utf8)), name: "a"),
                    Part(provider: .file(try $0.write("a\n\0", to: oddName)), name: "b"),
                ])
            )
        },
    ]

    @Test("the logged curl command sends the same body in gzip", arguments: gzipped)
    func gzip(row: Row) async throws {
        let bench = try await Bench(row)
        let (ours, curls) = try await bench.requests()
        #expect(curls.head.comparable == ours.head.comparable)
        #expect(curls.head["content-encoding"] == "gzip")
        let bodies = try await (curls.body.gunzipped(), ours.body.gunzipped())
        #expect(bodies.0 == bodies.1)
        await bench.server.shutDown()
    }

    static let streamed: [Row] = [
        Row(testDescription: "a stream") { _ in
            .uploadBody(.stream(InputStream(data: Data("once".utf8)), length: 4))
        },
        Row(testDescription: "a stream in a form") { _ in
            let stream = InputStream(data: Data("once".utf8))
            return .uploadMultipart([
                Part(provider: .stream(stream, 4), name: "a", fileName: "f", mimeType: "a/b"),
                Part(provider: .body(.stream(InputStream(data: Data("once".utf8)))), name: "b"),
            ])
        },
    ]

    @Test(
        "the logged curl command sends no stream until the user replaces the placeholder file",
        arguments: streamed
    )
    func once(row: Row) async throws {
        let bench = try await Bench(row)
        let command = try #require(await bench.command())
        try await Bash.run(curl: command)
        #expect(bench.server.requests.count == 1, "\(command)")
        let file = try bench.folder.write("once", to: "once").path
        let filled = command.replacing(/\(put .*? its name here\)/, with: file)
        #expect(filled != command)
        try await Bash.run(curl: filled)
        let requests = bench.server.requests
        try #require(requests.count == 2)
        if let parts = FormPart.parts(of: requests[0]) {
            #expect(FormPart.parts(of: requests[1]) == parts)
        } else {
            #expect(requests[1].body == requests[0].body)
        }
        await bench.server.shutDown()
    }

    @Test(
        "a stub logs the same curl command and reads no file or stream",
        arguments: (bodies + forms + streamed).filter(\.isSentUnchanged)
    )
    func stub(row: Row) async throws {
        let bench = try await Bench(row)
        let target = try bench.target
        let live = try #require(await bench.command(for: target, .never))
        // This is another task, because a stream serves one request.
        let again = try bench.target
        let stubbed = try #require(await bench.command(for: again, .immediate))
        let boundary = /moya\.boundary\.[0-9a-f]{16}/
        #expect(stubbed.replacing(boundary, with: "B") == live.replacing(boundary, with: "B"))
        // The stub has consumed no stream.
        if case .uploadMultipart = again.task {
            #expect(await EntryPoint.async.request(again, from: bench.provider()).response?.statusCode == 200)
        }
        await bench.server.shutDown()
    }
}

/// A server, and the request that a provider sends to it.
private struct Bench {
    let row: CURLShellTests.Row
    let server: ReactingServer
    let folder: TemporaryFolder

    init(_ row: CURLShellTests.Row) async throws {
        self.row = row
        server = try await ReactingServer()
        folder = try TemporaryFolder()
    }

    var target: TaskTarget {
        get throws {
            TaskTarget(
                baseURL: server.url(row.path),
                method: row.method,
                task: try row.task(folder),
                headers: row.headers
            )
        }
    }

    func provider(_ behavior: StubBehavior = .never, plugins: [any PluginType] = []) -> MoyaProvider<TaskTarget> {
        let configuration = URLSessionConfiguration.default
        configuration.headers = ["X-Session": "a\"b"]
        // The cookies of other tests must not be sent.
        configuration.httpCookieStorage = nil
        return MoyaProvider(
            stubClosure: { _ in behavior },
            session: Session(configuration: configuration),
            plugins: plugins
        )
    }

    /// Sends the request and returns the logged text.
    func command(for target: TaskTarget? = nil, _ behavior: StubBehavior = .never) async throws -> String? {
        let output = Recorder<String>()
        let logger = NetworkLoggerPlugin(
            configuration: NetworkLoggerPlugin.Configuration(
                formatter: NetworkLoggerPlugin.Configuration.Formatter(entry: { _, message, _ in message }),
                output: { _, items in items.forEach { output.add($0) } },
                logOptions: [.formatRequestAscURL, .secrets]
            )
        )
        let result = await EntryPoint.async.request(
            try target ?? self.target,
            from: provider(behavior, plugins: [logger])
        )
        #expect(result.response?.statusCode == 200, "\(result)")
        return output.values.first
    }

    /// Returns the requests of the provider and of its command.
    func requests() async throws -> (ReactingServer.Received, ReactingServer.Received) {
        let command = try #require(await command())
        #expect(command.hasPrefix("$ curl -v "))
        try await Bash.run(curl: command)
        let requests = server.requests
        try #require(requests.count == 2, "\(command)")
        return (requests[0], requests[1])
    }
}

extension RequestHead {
    /// The headers without the body's framing, which is the sender's choice.
    fileprivate var comparable: [String] {
        ownFields.filter { field in
            !["content-length:", "transfer-encoding:", "expect:"].contains { field.hasPrefix($0) }
        }
    }
}

extension Data {
    fileprivate func gunzipped() async throws -> Data {
        let folder = try TemporaryFolder()
        try write(to: folder.file("in.gz"))
        _ = try await Bash.run("gunzip < '\(folder.file("in.gz").path)' > '\(folder.file("out").path)'")
        return try Data(contentsOf: folder.file("out"))
    }
}

/// A part of a form as a server parses it.
private struct FormPart: Equatable {
    var headers: Set<String>
    var content: Data

    /// Returns the parts of a form (RFC 2046, section 5.1.1); `nil` if it is malformed.
    static func parts(of request: ReactingServer.Received) -> [FormPart]? {
        guard let type = request.head["content-type"], type.hasPrefix("multipart/form-data; boundary=") else {
            return nil
        }
        let boundary = type.dropFirst("multipart/form-data; boundary=".count).trimmingCharacters(in: ["\""])
        var parts: [FormPart] = []
        var rest = Data("\r\n".utf8) + request.body
        let delimiter = Data("\r\n--\(boundary)".utf8)
        guard let first = rest.range(of: delimiter), first.lowerBound == rest.startIndex else { return nil }
        rest = rest[first.upperBound...]
        while let end = rest.range(of: delimiter) {
            let part = rest[..<end.lowerBound].dropFirst(2)
            guard let head = (Data("\r\n".utf8) + part).range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let text = String(decoding: (Data("\r\n".utf8) + part)[..<head.lowerBound], as: UTF8.self)
            parts.append(
                FormPart(
                    headers: Set(text.components(separatedBy: "\r\n").filter { !$0.isEmpty }),
                    content: Data((Data("\r\n".utf8) + part)[head.upperBound...])
                )
            )
            rest = rest[end.upperBound...]
        }
        return rest == Data("--\r\n".utf8) ? parts : nil
    }
}
#endif
