import ArgumentParser
import Foundation
import Moya
import MoyaHAR

/// `moya-cli demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Drive a small GitHub-like API through an enum of targets.",
        discussion: """
            The demo starts a server of its own on a free port of 127.0.0.1, asks it for things in every way that Moya \
            has, and shows what each step sent, what came back, and whether that was the expected answer. Nothing \
            leaves this machine. Tokens are masked.

            With --base-url the same steps go to a server of yours, which must offer the same API with the same \
            contents, the token included (they stand in Sources/MoyaCLI/GitHub/DemoData.swift):

              GET  /zen                           one line of text
              GET  /users/{name}                  a user
              GET  /users/{name}/repos            repositories; ?sort=pushed: latest first
              GET  /repos/{name}/branches         branches; ?protected=true: only those
              POST /repos/{owner}/{repo}/issues   makes an issue from JSON: 201, or 422
              GET  /user                          whose bearer token it is, or 401
              GET  /broken                        500
              GET  /slow                          no answer for a long time
              GET  /readme                        text, in gzip for those who take it
              GET  /log                           lines of text, piece by piece
              GET  /activity                      server-sent events, from Last-Event-ID on; 204 after the last
              GET  /bytes/{count}                 so many bytes (Sources/MoyaCLI/Bytes/BytePattern.swift)
              POST /bytes                         how many bytes there were, and how many of those

            Two steps write a file of 8 MiB into the folder for temporary files, and remove it.

            On a terminal, output is coloured unless NO_COLOR is set, and progress is a bar unless TERM is dumb; \
            elsewhere, progress is a few lines. The exit status is 0 if every answer was the \
            expected one, otherwise 1.
            """
    )

    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp("Ask this server instead of an embedded one.", valueName: "url"),
        transform: BaseURL.init(argument:)
    )
    var baseURL: BaseURL?

    @Option(help: ArgumentHelp("Record the traffic into this HAR file.", valueName: "file"), completion: .file())
    var record: String?

    @Option(help: ArgumentHelp("How long a server may say nothing.", valueName: "seconds"))
    var timeout: Double = 10

    func validate() throws {
        guard timeout > 0 else { throw ValidationError("The value of --timeout must be more than 0 seconds.") }
        #if !AsyncHTTPClient
            if baseURL == nil {
                throw ValidationError(
                    """
                    This build has no embedded server, as the package trait AsyncHTTPClient is off. \
                    Build with the trait, or name a server with --base-url.
                    """
                )
            }
        #endif
    }

    func run() async throws { try await run(writingTo: .standardOutput) }

    func run(writingTo transcript: Transcript) async throws {
        let recorder = record.map { _ in HARRecorder(over: Session().transport) }
        let report = try await demo(writingTo: transcript, over: recorder)
        if let record { try recorder?.har.write(to: URL(fileURLWithPath: record)) }
        guard report.isAsExpected else { throw ExitCode.failure }
    }

    private func demo(
        writingTo transcript: Transcript,
        over transport: (any HTTPTransport)?
    ) async throws -> DemoReport {
        @Sendable func run(on server: ServerInUse) async -> DemoReport {
            await Demo(server: server, transcript: transcript, timeout: timeout, transport: transport).run()
        }
        if let baseURL {
            return await run(on: ServerInUse(live: baseURL.url))
        }
        #if AsyncHTTPClient
            return try await DemoServer.run { server in await run(on: ServerInUse(embedded: server)) }
        #else
            // validate() has refused this already.
            throw ExitCode.validationFailure
        #endif
    }
}
