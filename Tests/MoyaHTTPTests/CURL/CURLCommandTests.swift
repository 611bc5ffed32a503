// On other platforms an application cannot start processes.
#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A curl command sends the same request as the library")
struct CURLCommandTests {
    static func request(
        _ method: String = "POST",
        _ url: String = "http://h/",
        headers: [String: String] = ["Content-Type": "a/b"],
        body: Data? = nil
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.httpBody = body
        return request
    }

    // MARK: Text

    @Test(
        "fact 136: curl's arguments are joined by backslash, newline, tab; -X, -H, -d have escaped quotes; the quoted URL is last"
    )
    func format() throws {
        let request = try Self.request(
            "PUT",
            "https://h:8080/p%20q?a=%22&b=$c#f",
            headers: ["Content-Type": "application/json", "Accept": "a/b"],
            body: Data(#"{"say":"hi"}"#.utf8)
        )
        let text = #"""
            $ curl -v \
            ⇥-X PUT \
            ⇥-H "Accept: a/b" \
            ⇥-H "Content-Type: application/json" \
            ⇥-d "{\"say\":\"hi\"}" \
            ⇥"https://h:8080/p%20q?a=%22&b=\$c#f"
            """#
        #expect(CURLCommand(request).text == text.replacingOccurrences(of: "⇥", with: "\t"))
    }

    @Test("a request with only a URL becomes a GET command of curl")
    func plain() throws {
        let request = URLRequest(url: try #require(URL(string: "http://h")))
        #expect(CURLCommand(request).text == "$ curl -v \\\n\t-X GET \\\n\t\"http://h\"")
    }

    @Test(
        "fact 136: the session's headers come first, then the request's headers, which replace session headers with the same name"
    )
    func headers() throws {
        let request = try Self.request("GET", headers: ["b": "request", "D": "4"])
        let command = CURLCommand(request, sessionHeaders: ["C": "3", "A": "1", "B": "session"])
        let headers = command.text?.components(separatedBy: "\n\t").filter { $0.hasPrefix("-H") }
        #expect(headers == [#"-H "A: 1" \"#, #"-H "b: request" \"#, #"-H "C: 3" \"#, #"-H "D: 4" \"#])
    }

    @Test(
        "curl decodes a body if the request accepts codings, and PUT, PATCH and DELETE without a body declare an empty body",
        arguments: [
            ("GET", ["Accept-Encoding": "gzip"], ["--compressed", "-H", "Accept-Encoding: gzip"]),
            ("GET", ["accept-encoding": "br, gzip"], ["--compressed", "-H", "accept-encoding: br, gzip"]),
            ("GET", ["Accept-Encoding": "identity"], ["-H", "Accept-Encoding: identity"]),
            ("GET", ["Accept-Encoding": " "], ["-H", "Accept-Encoding;"]), ("GET", [:], []),
            ("PUT", [:], ["-H", "Content-Length: 0"]),
            ("PATCH", ["Content-Length": "7"], ["-H", "Content-Length: 0"]),
            ("DELETE", [:], ["-H", "Content-Length: 0"]), ("OPTIONS", [:], []),
        ] as [(String, [String: String], [String])]
    )
    func framing(_ method: String, _ headers: [String: String], _ expected: [String]) async throws {
        let request = try Self.request(method, headers: headers)
        try await Self.expectArguments(of: request, ["-X", method] + expected + ["http://h/"])
    }

    @Test("a tab is escaped in a curl command, because a terminal would complete a file name")
    func tab() throws {
        let request = try Self.request(headers: ["X-A": "a\tb"], body: Data("c\td".utf8))
        let text = try #require(CURLCommand(request).text)
        #expect(text.contains(#"-H $'X-A: a\tb'"#) && text.contains(#"-d $'c\td'"#))
        #expect(!text.replacing("\n\t", with: "").contains("\t"))
    }

    @Test("the text for a curl command is a placeholder without a request or a URL")
    func missing() throws {
        var request = try Self.request()
        request.url = nil
        #expect(CURLCommand(request).text == nil)
        for request in [request, nil] {
            #expect(CURLCommand.text(for: request, sessionHeaders: [:]) == "$ curl command could not be created")
        }
        let text = CURLCommand.text(for: try Self.request("GET", headers: [:]), sessionHeaders: ["A": "1"])
        #expect(text == "$ curl -v \\\n\t-X GET \\\n\t-H \"A: 1\" \\\n\t\"http://h/\"")
    }

    @Test("credentials are masked in headers of request and session, in upper and lower case, and in the URL")
    func masking() throws {
        let request = try Self.request(
            "GET",
            "http://user:secret@h/p",
            headers: ["authorization": "Bearer secret", "COOKIE": "a=secret", "X-Plain": "plain"]
        )
        let session = [
            "Proxy-Authorization": "Basic secret", "Set-Cookie": "secret", "Authorization": "Basic secret",
        ]
        let text = try #require(CURLCommand(request, sessionHeaders: session).text)
        #expect(!text.contains("secret"))
        for part in [
            "authorization: Bearer ***", "COOKIE: ***", "Proxy-Authorization: Basic ***", "Set-Cookie: ***",
            "X-Plain: plain",
        ] {
            #expect(text.contains("-H \"\(part)\""), "\(text)")
        }
        #expect(text.hasSuffix("\"http://h/p\""))
    }

    // MARK: Arguments that a shell receives

    /// Texts that a shell would interpret without escapes.
    static let hostile = [
        "plain", "", " ", "two words", "\"", "\"\"", "'", "it's", "$", "$HOME", "${HOME}", "$(id)", "$((1+1))",
        "`id`",
        "\\", "\\\\", "\\\"", "\\$HOME", "\\n", "a\\", "!", "!!", "!id", "a!b\"c", "*", "?", "~", "#", "&", "&& id",
        "; id", "| id", "> x", "< x", "(id)", "{a,b}", "[a]", "%41", "^", "=", "-d", "--", "\t", "\n",
        "a\nb\n\nc\n",
        "\\\n", "\r\n", "\u{1}", "\u{7F}", "é", "e\u{301}", "中文", "😀👩‍👩‍👧", "\u{301}", "\u{2028}",
        #"{"k":"v\"$`!\\n"}"#, "\"; id; \"", "$'\\n'", "a\"$(id)`id`\\\"b",
    ]

    @Test(
        "the value of a header arrives unchanged through curl",
        arguments: hostile.filter { !["", " ", "\t"].contains($0) }
    )
    func headerValue(_ value: String) async throws {
        let request = try Self.request("GET", headers: ["X-A": value])
        try await Self.expectArguments(of: request, ["-X", "GET", "-H", "X-A: \(value)", "http://h/"])
    }

    @Test(
        "a header without a value is written as \"name;\", because curl would drop \"name:\"",
        arguments: ["", " ", "\t "]
    )
    func emptyHeaderValue(_ value: String) async throws {
        let request = try Self.request("GET", headers: ["X-A": value])
        try await Self.expectArguments(of: request, ["-X", "GET", "-H", "X-A;", "http://h/"])
    }

    @Test(
        "a text body arrives unchanged through curl",
        arguments: hostile + [String(repeating: "\"$`\\\n", count: 10_000)]
    )
    func textBody(_ text: String) async throws {
        let request = try Self.request(body: Data(text.utf8))
        let expected = ["-X", "POST", "-H", "Content-Type: a/b", "-d", text, "http://h/"]
        try await Self.expectArguments(of: request, expected)
    }

    @Test(
        "curl does not take a body that begins with @ for a file name",
        arguments: ["@", "@/etc/passwd", "@\u{301}x", "@-", "@@"]
    )
    func bodyWithAt(_ text: String) async throws {
        let request = try Self.request(body: Data(text.utf8))
        let expected = ["-X", "POST", "-H", "Content-Type: a/b", "--data-raw", text, "http://h/"]
        try await Self.expectArguments(of: request, expected)
    }

    @Test(
        "a binary body, or a body that an argument cannot contain, arrives byte by byte through curl",
        arguments: [
            Data([0xFF]), Data([0]), Data("a\0b".utf8), Data(0...255), Data([0xC3, 0x28]),
            Data([0xED, 0xA0, 0x80]),
        ]
    )
    func binaryBody(_ body: Data) async throws {
        let request = try Self.request(body: body)
        let expected = [
            "-X", "POST", "-H", "Content-Type: a/b", "--data-binary", "file:\(body.base64EncodedString())",
            "http://h/",
        ]
        try await Self.expectArguments(of: request, expected)
    }

    @Test("curl sends a byte order mark at the beginning of a body")
    func byteOrderMark() async throws {
        let request = try Self.request(body: Data([0xEF, 0xBB, 0xBF, 0x61]))
        let expected = ["-X", "POST", "-H", "Content-Type: a/b", "-d", "\u{FEFF}a", "http://h/"]
        try await Self.expectArguments(of: request, expected)
    }

    @Test("curl adds no content type to a body without one, and a content type of the session applies to the body")
    func contentType() async throws {
        let request = try Self.request(headers: [:], body: Data("b".utf8))
        let none = ["-X", "POST", "-H", "Content-Type:", "-d", "b", "http://h/"]
        try await Self.expectArguments(of: request, none)
        let session = ["-X", "POST", "-H", "content-type: c/d", "-d", "b", "http://h/"]
        try await Self.expectArguments(of: request, session, sessionHeaders: ["content-type": "c/d"])
        let bodyless = ["-X", "POST", "-H", "Content-Length: 0", "http://h/"]
        try await Self.expectArguments(of: Self.request(headers: [:]), bodyless)
    }

    @Test(
        "a method arrives unchanged through curl, also a method that a shell would interpret",
        arguments: [
            "GET", "M-SEARCH", "X_Y.Z~1",
            // These are tokens, so they may be sent (RFC 9110, section 5.6.2).
            "A`id`", "A&id", "A|id", "$HOME", "*", "#", "!", "it's",
            // These are not tokens: the session refuses them, but the command may be written before.
            "A;id", "A B", "A\"B", "$(id)", "A\nid", "",
        ]
    )
    func method(_ method: String) async throws {
        let request = try Self.request(method, headers: [:])
        try await Self.expectArguments(of: request, ["-X", method, "http://h/"])
    }

    @Test(
        "a URL arrives unchanged through curl",
        arguments: [
            "http://h/?a=1&b=2;c", "http://h/$HOME?$(id)", "http://h/'!*'", "http://[::1]:8080/%60%22%5C",
            "http://h/#f",
        ]
    )
    func url(_ url: String) async throws {
        let request = try Self.request("GET", url, headers: [:])
        try await Self.expectArguments(of: request, ["-X", "GET", url])
    }

    // MARK: Tools

    /// Runs the command with a function that writes its arguments in place of curl, and compares them byte by byte.
    static func expectArguments(
        of request: URLRequest,
        sending content: CURLCommand.Content? = nil,
        _ expected: [String],
        sessionHeaders: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let text = try #require(CURLCommand(request, content: content, sessionHeaders: sessionHeaders).text)
        let prefix = "$ curl -v "
        try #require(text.hasPrefix(prefix), sourceLocation: sourceLocation)
        // Arguments end with NUL, which they cannot contain. The content of a file replaces its name.
        let function = #"""
            show() {
                for argument in "$@"; do
                    case "$argument" in
                        *[@\<]/dev/fd/*)
                            file="/dev/fd/${argument#*/dev/fd/}"; file="${file%%[!/a-z0-9]*}"
                            printf '%sfile:' "${argument%%[@<]/dev/fd/*}"
                            base64 < "$file" | tr -d '\n'
                            printf '%s' "${argument#*"$file"}" ;;
                        *) printf '%s' "$argument" ;;
                    esac
                    printf '\0'
                done
            }

            """#
        let output = try run(function + "show " + text.dropFirst(prefix.count))
        let arguments = output.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Data($0) }
        #expect(
            arguments == expected.map { Data($0.utf8) },
            "\(arguments.map { String(decoding: $0, as: UTF8.self) }) instead of \(expected)",
            sourceLocation: sourceLocation
        )
    }

    /// Returns the output of a bash script through a file, because the processes of other tests could inherit a pipe.
    static func run(_ script: String, asTyped: Bool = false) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        let scriptFile = file.appendingPathExtension("sh")
        // "!" recalls commands in interactive input, but not in a script.
        try Data((asTyped ? "set -o history -o histexpand\n\(script)" : script).utf8).write(to: scriptFile)
        defer { try? FileManager.default.removeItem(at: scriptFile) }
        process.arguments = ["--norc"] + (asTyped ? [] : [scriptFile.path])
        process.standardInput = asTyped ? try FileHandle(forReadingFrom: scriptFile) : FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = FileHandle.nullDevice
        process.currentDirectoryURL = FileManager.default.temporaryDirectory
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return try Data(contentsOf: file)
    }
}
#endif
