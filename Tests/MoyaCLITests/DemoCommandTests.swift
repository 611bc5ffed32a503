import ArgumentParser
import Testing

@testable import moya_cli

@Suite("moya-cli demo", .timeLimit(.minutes(5)))
struct DemoCommandTests {
    /// The port of tcpmux, on which no server and no other test listens.
    private static let nobody = "http://127.0.0.1:1"

    #if NIO
        @Test("with its own server it succeeds")
        func embedded() async throws {
            let text = try await transcript(of: [])
            #expect(text.contains("an embedded server, http://127.0.0.1:"))
        }

        @Test("--base-url asks the server that it names")
        func live() async throws {
            try await DemoServer.run { server in
                let text = try await transcript(of: ["--base-url", server.baseURL.absoluteString])
                #expect(text.contains("a live server, \(server.baseURL.absoluteString)"))
                #expect(text.contains("→ GET /slow"))
                #expect(text.contains("✓ 18 of 18 steps as expected"))
            }
        }

        /// Runs the demo, which must succeed, and returns its transcript.
        private func transcript(of arguments: [String]) async throws -> String {
            let recording = Recording()
            // Many other tests run at the same time.
            let command = try DemoCommand.parse(arguments + ["--timeout", "240"])
            var failure: (any Error)?
            do { try await command.run(writingTo: recording.transcript) } catch { failure = error }
            let text = await recording.text()
            if let failure { Issue.record("\(failure): \(text)") }
            return text
        }

        @Test("a wrong answer gives exit status 1")
        func wrongAnswer() async throws {
            try await DemoServer.run(faults: [.brokenUsers]) { server in
                let command = try DemoCommand.parse(["--base-url", server.baseURL.absoluteString])
                await #expect(throws: ExitCode.failure) { try await command.run(writingTo: Recording().transcript) }
            }
        }
    #endif

    @Test("where nobody listens each step but the stub fails, and the exit status is 1")
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

    @Test("help names the subcommand, and the subcommand's help its option")
    func help() {
        #expect(MoyaCLI.helpMessage().contains("demo"))
        let help = MoyaCLI.helpMessage(for: DemoCommand.self)
        #expect(help.contains("--base-url <url>"))
        #expect(help.contains("NO_COLOR"))
        #expect(help.contains("exit status"))
    }

    @Test(
        "--base-url takes an absolute http or https URL",
        arguments: ["http://127.0.0.1:8080", "HTTPS://example.org/v3/"]
    )
    func goodBaseURL(_ argument: String) throws {
        let command = try #require(try MoyaCLI.parseAsRoot(["demo", "--base-url", argument]) as? DemoCommand)
        #expect(command.baseURL?.url.absoluteString == argument)
    }

    @Test(
        "--base-url refuses anything else, as a mistake in the arguments",
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
        @Test("without an embedded server --base-url is asked for")
        func noServer() {
            let error = #expect(throws: (any Error).self) { _ = try DemoCommand.parse([]) }
            guard let error else { return }
            #expect(DemoCommand.fullMessage(for: error).contains("no embedded server"))
        }
    #endif
}
