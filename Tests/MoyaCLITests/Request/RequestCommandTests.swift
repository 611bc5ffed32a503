import ArgumentParser
import Foundation
import Moya
import MoyaHAR
import TestServers
import TestSupport
import Testing

@testable import moya_cli

@Suite("moya-cli get, post, put, patch, delete and head send requests", .timeLimit(.minutes(2)))
struct RequestCommandTests {
    /// Runs a command line, and returns the output and whether the command succeeds.
    private func run(_ line: [String]) async throws -> (lines: [String], isSuccess: Bool) {
        let lines = Recorder<String>()
        let (method, arguments) = try #require(try Self.parsed(line))
        let isSuccess = try await arguments.run(method) { lines.add($0) }
        return (lines.values, isSuccess)
    }

    private static func parsed(_ line: [String]) throws -> (HTTPMethod, RequestArguments)? {
        switch try MoyaCLI.parseAsRoot(line) {
        case let command as RequestCommand<GetMethod>: (.get, command.arguments)
        case let command as RequestCommand<PostMethod>: (.post, command.arguments)
        case let command as RequestCommand<PutMethod>: (.put, command.arguments)
        case let command as RequestCommand<PatchMethod>: (.patch, command.arguments)
        case let command as RequestCommand<DeleteMethod>: (.delete, command.arguments)
        case let command as RequestCommand<HeadMethod>: (.head, command.arguments)
        default: nil
        }
    }

    @Test(
        "each request command of moya-cli sends its method, and shows the response",
        arguments: ["get", "post", "put", "patch", "delete", "head"]
    )
    func methods(_ name: String) async throws {
        let server = try await ReactingServer { _ in .respond(200, headers: ["Content-Type: text/plain", "X-A: b"]) }
        let (lines, isSuccess) = try await run([name, server.url("/p?a=1").absoluteString])
        #expect(isSuccess)
        #expect(server.requests.map(\.head.method) == [name.uppercased()])
        #expect(server.requests.map(\.head.target) == ["/p?a=1"])
        #expect(lines.first == "> \(name.uppercased()) \(server.url("/p?a=1"))")
        #expect(lines.contains { $0.hasPrefix("< 200") })
        #if NIO
        // URLSession on Linux does not know the version.
        #expect(lines.contains { $0.hasPrefix("< 200") && $0.contains("HTTP/1.1") })
        #endif
        #expect(lines.contains("< X-A: b"))
        #expect(lines.contains("ok") == (name != "head"))
        let last = try #require(lines.last)
        #if NIO && !canImport(Darwin)
        let timing = #/^[0-9.]+ m?s, [02] B received: connection .*, response .*, body [0-9]/#
        #else
        // URLSession on Linux reports the connection with the head of the response.
        let timing = #/^[0-9.]+ m?s, [02] B received: connection .*, body [0-9]/#
        #endif
        #expect(last.firstMatch(of: timing) != nil, "\(lines)")
        await server.shutDown()
    }

    @Test("a header option replaces the body's content type, and headers with the same name are combined")
    func headers() async throws {
        let server = try await ReactingServer()
        _ = try await run([
            "post", server.url("/").absoluteString, "-H", "X-A: a b", "--header", "x-b:", "-H", "X-C: 1", "-H",
            "X-C: 2",
            "-H", "Content-Type: application/x", "-j", "a=1",
        ])
        let head = try #require(server.requests.first?.head)
        #expect(head["x-a"] == "a b" && head["x-b"] == "" && head["content-type"] == "application/x")
        #expect(head["x-c"] == "1,2" || head["x-c"] == "1, 2")
        await server.shutDown()
    }

    @Test(
        "options of moya-cli send JSON, forms and texts as bodies",
        arguments: [
            (
                ["-j", "name=Zoë \"x\"", "--json", "age:=7", "-j", "tags:=[1, {\"a\": null}]"],
                #"{"name":"Zoë \"x\"","age":7,"tags":[1, {"a": null}]}"#, "application/json"
            ),
            (
                ["-f", "a b=c&d", "--form", "é==1"], "a%20b=c%26d&%C3%A9=%3D1",
                "application/x-www-form-urlencoded; charset=utf-8"
            ),
            (["-b", "plain", "-H", "Content-Type: text/plain"], "plain", "text/plain"),
            (["--body", ""], "", nil),
        ] as [([String], String, String?)]
    )
    func bodies(_ arguments: [String], _ body: String, _ type: String?) async throws {
        let server = try await ReactingServer()
        _ = try await run(["post", server.url("/").absoluteString] + arguments)
        #expect(server.requests.first?.text == body)
        #expect(server.requests.first?.head["content-type"] == type)
        await server.shutDown()
    }

    @Test("moya-cli sends a file unchanged, and a missing file is an error")
    func file() async throws {
        let folder = try TemporaryFolder()
        let server = try await ReactingServer()
        let file = try folder.write("a\0\r\n", to: "f")
        _ = try await run(["put", server.url("/").absoluteString, "-b", "@\(file.path)"])
        #expect(server.requests.first?.text == "a\0\r\n")
        await #expect(throws: ValidationError.self) {
            _ = try await run(["put", server.url("/").absoluteString, "-b", "@\(file.path)x"])
        }
        #expect(server.requests.count == 1)
        await server.shutDown()
    }

    @Test(
        "moya-cli adds parameters to the URL's query",
        arguments: [
            ("http://h/p", "http://h/p?a%20b=c%26&d="), ("http://h/p?x=1", "http://h/p?x=1&a%20b=c%26&d="),
            ("http://h/p?", "http://h/p?a%20b=c%26&d="), ("http://h/p?x=1&", "http://h/p?x=1&a%20b=c%26&d="),
            ("http://h/p#f", "http://h/p?a%20b=c%26&d=#f"),
        ]
    )
    func query(_ url: String, _ full: String) throws {
        let (method, arguments) = try #require(try Self.parsed(["get", url, "-q", "a b=c&", "--query", "d="]))
        #expect(try arguments.urlRequest(method).url?.absoluteString == full)
    }

    @Test(
        "invalid arguments of moya-cli's request commands are errors",
        arguments: [
            ["get"], ["get", "example.com"], ["get", "ftp://h/"], ["get", "http://"],
            ["post", "http://h", "-H", "no colon"],
            ["post", "http://h", "-H", "a b: c"], ["post", "http://h", "-j", "=x"],
            ["post", "http://h", "-j", "a:=no"],
            ["post", "http://h", "-j", ":=1"], ["post", "http://h", "-j", "a=1", "-j", "a=2"],
            ["post", "http://h", "-f", "x"],
            ["post", "http://h", "-j", "a=1", "-f", "b=2"], ["post", "http://h", "-b", "x", "-f", "b=2"],
            ["get", "http://h", "--timeout", "0"], ["get", "http://h", "--retries", "-1"],
            ["get", "http://h", "-q", "=b"],
        ]
    )
    func refused(_ line: [String]) {
        #expect(throws: (any Error).self) { try MoyaCLI.parseAsRoot(line) }
    }

    @Test(
        "moya-cli refuses a header with an invalid name or value, and the error tells the reason",
        arguments: [
            ("A: b\nc", "line break"), ("A: b\r\nC: d", "line break"), ("A: b\u{1}c", "control character"),
            ("A: b\0", "control character"), ("A b: c", "without spaces"), (": c", "without spaces"), ("A", "colon"),
        ]
    )
    func refusedHeader(_ header: String, _ reason: String) {
        let error = #expect(throws: (any Error).self) { try MoyaCLI.parseAsRoot(["get", "http://h", "-H", header]) }
        let text = error.map { MoyaCLI.message(for: $0) } ?? ""
        #expect(text.contains(reason), "\(text)")
    }

    @Test("moya-cli follows and shows redirects unless --no-redirects is given")
    func redirects() async throws {
        let server = try await ReactingServer { request in
            request.head.target == "/a" ? .respond(302, headers: ["Location: /b?token=5ecret"]) : .respond(200)
        }
        let followed = try await run(["get", server.url("/a").absoluteString])
        #expect(followed.isSuccess)
        #expect(followed.lines.contains("* Redirected to \(server.url("/b?token=***"))"))
        #expect(followed.lines.contains("> GET \(server.url("/b?token=***"))"))
        #expect(followed.lines.last?.hasSuffix("1 redirect") == true)
        let stopped = try await run(["get", server.url("/a").absoluteString, "--no-redirects"])
        #expect(stopped.isSuccess && stopped.lines.contains { $0.hasPrefix("< 302") })
        #expect(server.requests.map(\.head.path) == ["/a", "/b", "/a"])
        await server.shutDown()
    }

    @Test("moya-cli get --timing prints the phases of each exchange, with masked URLs")
    func timing() async throws {
        let server = try await ReactingServer { request in
            request.head.path == "/a" ? .respond(302, headers: ["Location: /b?token=5ecret"]) : .respond(200)
        }
        let (lines, _) = try await run(["get", server.url("/a").absoluteString, "--timing"])
        let table = try #require(lines.firstIndex { $0.hasPrefix("1. GET \(server.url("/a")): 302, after ") })
        let redirected = "2. GET \(server.url("/b?token=***")): 200, after "
        let second = try #require(lines.firstIndex { $0.hasPrefix(redirected) })
        let names = lines[(table + 2)..<second].map { $0.split(separator: " ").first ?? "" }
        #if !NIO || canImport(Darwin)
        // URLSession on Linux reports the connection with the head of the response.
        #expect(names.filter { $0 != "Wait" }.suffix(3) == ["Connection", "Send", "Receive"])
        #else
        #expect(names.suffix(4) == ["Connection", "Send", "Wait", "Receive"])
        #expect(names.prefix(2) == ["Queued", "Connect"])
        let connections = lines.filter { $0.contains("Connection ") }.map { line in
            ["new", "reused"].first { line.contains($0) } ?? ""
        }
        #expect(connections == ["new", "reused"])
        #endif
        #expect(!lines.joined().contains("5ecret"))
        await server.shutDown()
        let (failed, _) = try await run(["get", server.url("/a").absoluteString, "--timing"])
        #expect(failed.contains { $0.hasPrefix("   Failed") })
    }

    @Test("moya-cli retries transient failures up to --retries times")
    func retries() async throws {
        let server = try await ReactingServer {
            $0.number < 2 ? .respond(503, headers: ["Retry-After: 0"]) : .respond(200)
        }
        let retried = try await run(["get", server.url("/").absoluteString, "--retries", "2"])
        #expect(retried.isSuccess && server.requests.count == 3)
        #expect(retried.lines.count { $0.hasPrefix("* Status 503: retried after") } == 2)
        #expect(retried.lines.last?.hasSuffix("2 retries") == true)
        await server.shutDown()
        let other = try await ReactingServer { _ in .respond(503) }
        let once = try await run(["get", other.url("/").absoluteString])
        #expect(!once.isSuccess && other.requests.count == 1)
        await other.shutDown()
    }

    @Test("a moya-cli command uses the disk cache of an earlier command")
    func cache() async throws {
        let folder = try TemporaryFolder()
        let server = try await ReactingServer { _ in .respond(200, headers: ["Cache-Control: max-age=600"]) }
        let line = ["get", server.url("/").absoluteString, "--cache", folder.file("c").path]
        _ = try await run(line)
        let second = try await run(line)
        #expect(second.isSuccess && server.requests.count == 1)
        #expect(
            second.lines.contains("* From the cache.") && second.lines.contains("< 200") && second.lines.contains("ok")
        )
        let listed = try await CacheCommand.parse([folder.file("c").path]).lines(now: Date())
        #expect(listed.last == "1 response, 2 B")
        await server.shutDown()
    }

    @Test("moya-cli records and shows exchanges with secrets masked unless --secrets is given")
    func recording() async throws {
        let folder = try TemporaryFolder()
        let server = try await ReactingServer { _ in .respond(404, headers: ["Set-Cookie: a=5ecret"]) }
        let url = server.url("/?access_token=5ecret").absoluteString
        let file = folder.file("a.har")
        let line = ["get", url, "-H", "Authorization: Bearer 5ecret", "-H", "X-Session: 5ecret", "--har", file.path]
        let masked = try await run(line)
        #expect(!masked.isSuccess)
        #expect(!masked.lines.joined().contains("5ecret"))
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("5ecret"))
        #expect(try HAR(contentsOf: file).entries.map(\.response.status) == [404])
        let shown = try await run(line + ["--secrets"])
        #expect(shown.lines.contains("> Authorization: Bearer 5ecret"))
        #expect(try String(contentsOf: file, encoding: .utf8).contains("5ecret"))
        await server.shutDown()
    }

    @Test("moya-cli records a failed request with its error")
    func failure() async throws {
        let folder = try TemporaryFolder()
        let server = try await ReactingServer { _ in .cut }
        let result = try await run([
            "post", server.url("/?sig=5ecret").absoluteString, "--har", folder.file("a.har").path,
        ])
        #expect(!result.isSuccess && !result.lines.joined().contains("5ecret"))
        #expect(try HAR(contentsOf: folder.file("a.har")).entries.first?.response.error != nil)
        await server.shutDown()
    }

    @Test("a moya-cli request without a response fails at the timeout")
    func timeout() async throws {
        let server = try await ReactingServer { _ in .stall }
        let result = try await run(["get", server.url("/").absoluteString, "--timeout", "0.3"])
        #expect(!result.isSuccess)
        await server.shutDown()
    }

    @Test(
        "moya-cli writes a body unchanged to a file, and with indented JSON and without control characters to a terminal"
    )
    func output() async throws {
        let folder = try TemporaryFolder()
        let bodies: [String: (String, Data)] = [
            "/json": ("application/json; charset=utf-8", Data(#"{"b":1,"a":"\u001b"}"#.utf8)),
            "/text": ("text/plain", Data("a\tb\u{1B}[2J\r\nc\n".utf8)),
            "/bytes": ("image/png", Data([0, 1, 2])),
            "/empty": ("text/plain", Data()),
        ]
        let server = try await ReactingServer { request in
            let (type, data) = bodies[request.head.path] ?? ("", Data())
            return .respond(200, headers: ["Content-Type: \(type)"], body: data)
        }
        let file = folder.file("out")
        for (path, body) in bodies {
            let result = try await run(["get", server.url(path).absoluteString, "-o", file.path])
            #expect(try Data(contentsOf: file) == body.1)
            #expect(result.lines.contains { $0.hasPrefix("\(body.1.count) B in ") })
        }
        let json = try await run(["get", server.url("/json").absoluteString]).lines
        #expect(json.contains { $0.contains("\"b\": 1") })
        let text = try await run(["get", server.url("/text").absoluteString]).lines
        #expect(text.contains("a    b\u{FFFD}[2J") && text.contains("c"))
        let bytes = try await run(["get", server.url("/bytes").absoluteString]).lines
        #expect(bytes.contains { $0.hasPrefix("3 B of binary data") })
        await server.shutDown()
    }

    @Test(
        "an output file that cannot be written is an error before the request, and the error names the file",
        arguments: [
            ("no/file", "Its folder does not exist."), ("", "It is a folder."), ("f/x", "Its folder does not exist."),
        ]
    )
    func unwritable(_ path: String, _ reason: String) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("", to: "f")
        let file = path.isEmpty ? folder.url : folder.file(path)
        let server = try await ReactingServer()
        for option in ["--output", "--har"] {
            let error = await #expect(throws: OutputFileError.self) {
                try await run(["get", server.url("/").absoluteString, option, file.path])
            }
            let text = MoyaCLI.message(for: try #require(error))
            #expect(text == "The file \(file.relativePath) can't be written. \(reason)")
        }
        #expect(server.count == 0)
        await server.shutDown()
    }

    @Test("moya-cli writes a body to a device without replacing the device")
    func device() async throws {
        let server = try await ReactingServer()
        let result = try await run(["get", server.url("/").absoluteString, "-o", "/dev/null"])
        #expect(result.isSuccess && result.lines.contains("2 B in /dev/null"))
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
        await server.shutDown()
    }

    @Test("moya-cli counts the bytes of a truncated body")
    func cutShort() async throws {
        let server = try await ReactingServer { _ in .cutInBody }
        let result = try await run(["get", server.url("/").absoluteString])
        #expect(!result.isSuccess)
        #expect(result.lines.last?.contains(", 10 B received: ") == true, "\(result.lines)")
        await server.shutDown()
    }

    @Test("moya-cli --version prints the version of the library")
    func version() throws {
        let error = #expect(throws: (any Error).self) { try MoyaCLI.parseAsRoot(["--version"]) }
        let text = MoyaCLI.message(for: try #require(error))
        #expect(text == MoyaCLI.version && text.hasPrefix("Moya \(LibraryVersion.current), "))
        #expect(MoyaCLI.exitCode(for: try #require(error)) == .success)
    }
}
