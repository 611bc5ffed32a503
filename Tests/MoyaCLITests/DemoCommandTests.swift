import ArgumentParser
import Testing

@testable import moya_cli

@Suite("moya-cli demo runs with an embedded server or with another server", .timeLimit(.minutes(5)))
struct DemoCommandTests {
    /// The port of tcpmux, on which no server and no other test listens.
    private static let nobody = "http://127.0.0.1:1"

    #if NIO
    @Test("moya-cli demo succeeds with its embedded server")
    func embedded() async throws {
        let text = try await transcript(of: [])
        #expect(text.contains("an embedded server, http://127.0.0.1:"))
    }

    @Test("moya-cli demo uses the server of --base-url")
    func live() async throws {
        try await DemoServer.run { server in
            let text = try await transcript(of: ["--base-url", server.baseURL.absoluteString])
            #expect(text.contains("a live server, \(server.baseURL.absoluteString)"))
            #expect(text.contains("→ GET /slow"))
            #expect(text.contains("✓ 18 of 18 steps as expected"))
        }
    }

    @Test("moya-cli demo --trace shows the exchanges of each request with their times")
    func trace() async throws {
        let text = try await transcript(of: ["--trace"])
        let lines = text.split(separator: "\n")
        let request = try #require(lines.firstIndex { $0.hasPrefix("    GET /users/{name} ") && $0.contains(" 200 ") })
        #expect(lines[request + 1].hasPrefix("    └ GET /users/ashfurrow "))
        #expect(lines[request + 1].contains("-"))
        let cached = try #require(lines.first { $0.contains(" 200 cache") })
        #expect(cached.hasSuffix("|"))
    }

    /// Runs the demo, which must succeed, and returns its transcript.
    private func transcript(of arguments: [String]) async throws -> String {
        let recording = Recording()
        // The timeout is long, because many other tests run at the same time.
        let command = try DemoCommand.parse(arguments + ["--timeout", "240"])
        var failure: (any Error)?
        do { try await command.run(writingTo: recording.transcript) } catch { failure = error }
        let text = await recording.text()
        if let failure { Issue.record("\(failure): \(text)") }
        return text
    }

    @Test("moya-cli demo exits with status 1 after a wrong response")
    func wrongAnswer() async throws {
        try await DemoServer.run(faults: [.brokenUsers]) { server in
            let command = try DemoCommand.parse(["--base-url", server.baseURL.absoluteString])
            await #expect(throws: ExitCode.failure) { try await command.run(writingTo: Recording().transcript) }
        }
    }
    #endif

    @Test("moya-cli demo exits with status 1 if no server responds, and all steps except the stub fail")
    func nobodyListens() async throws {
        let recording = Recording()
        let command = try DemoCommand.parse(["--base-url", Self.nobody])
        await #expect(throws: ExitCode.failure) { try await command.run(writingTo: recording.transcript) }
        #expect(ExitCode.failure.rawValue == 1)
        let text = await recording.text()
        #expect(
            text.contains(
                "✗ 1 of 18 steps as expected, failed: 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18"
            ),
            "\(text)"
        )
        #expect(text.contains("= Could not connect to the server. (URLError -1004)"))
    }

    @Test("the help of moya-cli names the subcommand demo, and the help of demo names its option")
    func help() {
        #expect(MoyaCLI.helpMessage().contains("demo"))
        let help = MoyaCLI.helpMessage(for: DemoCommand.self)
        #expect(help.contains("--base-url <url>"))
        #expect(help.contains("NO_COLOR"))
        #expect(help.contains("exit status"))
    }

    @Test(
        "moya-cli demo accepts an absolute http or https URL for --base-url",
        arguments: ["http://127.0.0.1:8080", "HTTPS://example.org/v3/"]
    )
    func goodBaseURL(_ argument: String) throws {
        let command = try #require(try MoyaCLI.parseAsRoot(["demo", "--base-url", argument]) as? DemoCommand)
        #expect(command.baseURL?.url.absoluteString == argument)
    }

    @Test(
        "moya-cli demo rejects any other --base-url with an argument error",
        arguments: [
            "", "nonsense", "127.0.0.1:8080", "/zen", "ftp://example.org", "http://", "http:///zen", "http://a b",
            "http://user:secret@example.org", "http://example.org?token=secret", "http://example.org#part",
        ]
    )
    func badBaseURL(_ argument: String) {
        let error = #expect(throws: (any Error).self) {
            _ = try MoyaCLI.parseAsRoot(["demo", "--base-url", argument])
        }
        guard let error else { return }
        #expect(MoyaCLI.exitCode(for: error) == .validationFailure)
        #expect(MoyaCLI.fullMessage(for: error).contains("--base-url"))
    }

    #if !NIO
    @Test("moya-cli demo requires --base-url without an embedded server")
    func noServer() {
        let error = #expect(throws: (any Error).self) { _ = try DemoCommand.parse([]) }
        guard let error else { return }
        #expect(DemoCommand.fullMessage(for: error).contains("no embedded server"))
    }
    #endif
}
