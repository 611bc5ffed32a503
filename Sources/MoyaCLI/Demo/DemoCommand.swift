import ArgumentParser
import Foundation
import Moya
import MoyaHAR

/// The command `moya-cli demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Drive a small GitHub-like API through an enum of targets.",
        discussion: """
            The demo starts its own server on a free port of 127.0.0.1, sends requests in every way that Moya \
            supports, and shows what each step sent and received, and whether the response was as expected. Nothing \
            leaves this machine. Tokens are masked.

            With --base-url the same steps use another server, which must offer the same API with the same \
            contents, including the token (see Sources/MoyaCLI/Server/DemoData.swift):

              GET  /zen                           one line of text
              GET  /users/{name}                  a user
              GET  /users/{name}/repos            repositories; ?sort=pushed: latest first
              GET  /repos/{name}/branches         branches; ?protected=true: only those
              POST /repos/{owner}/{repo}/issues   creates an issue from JSON: 201, or 422
              GET  /user                          the owner of the bearer token, or 401
              GET  /broken                        500
              GET  /slow                          no response for a long time
              GET  /readme                        text, in gzip if accepted
              GET  /log                           lines of text, piece by piece
              GET  /activity                      server-sent events after Last-Event-ID
              GET  /bytes/{count}                 so many bytes of a known pattern
              POST /bytes                         how many bytes came, and how many fit it

            Two steps write a file of 8 MiB into the folder for temporary files, and remove it.

            With --trace, each step is followed by its requests with their exchanges. The bars show the wait for a \
            connection (·), the wait for the response (-) and the body (=).

            On a terminal, output is colored unless NO_COLOR is set, and progress is a bar unless TERM is dumb; \
            elsewhere, progress is a few lines. The exit status is 0 if every response was as \
            expected, otherwise 1.
            """
    )

    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp("Use this server instead of an embedded one.", valueName: "url"),
        transform: BaseURL.init(argument:)
    )
    var baseURL: BaseURL?

    @Option(help: ArgumentHelp("Record the traffic into this HAR file.", valueName: "file"), completion: .file())
    var record: String?

    @Flag(help: "Show the requests and exchanges of each step as a tree, with a bar for the time of each.")
    var trace = false

    @Option(help: ArgumentHelp("The time for which a server may send no bytes.", valueName: "seconds"))
    var timeout: Double = 10

    func validate() throws {
        guard timeout > 0 else { throw ValidationError("The value of --timeout must be more than 0 seconds.") }
        #if !NIO
        if baseURL == nil {
            throw ValidationError(
                """
                This build has no embedded server, as the package trait NIO is off. \
                Build with the trait, or give a server with --base-url.
                """
            )
        }
        #endif
    }

    func run() async throws { try await run(writingTo: .standardOutput) }

    func run(writingTo transcript: Transcript) async throws {
        let configuration: URLSessionConfiguration = baseURL == nil ? .withoutProxies : .withDefaultHeaders
        let recorder = record.map { _ in HARRecorder(over: Session(configuration: configuration).transport) }
        let report = try await demo(writingTo: transcript, over: recorder)
        if let record { try recorder?.har.write(to: URL(fileURLWithPath: record)) }
        guard report.isAsExpected else { throw ExitCode.failure }
    }

    private func demo(
        writingTo transcript: Transcript,
        over transport: (any HTTPTransport)?
    ) async throws -> DemoReport {
        @Sendable func run(on server: ServerInUse) async -> DemoReport {
            await Demo(
                server: server,
                transcript: transcript,
                timeout: timeout,
                transport: transport,
                spans: trace ? SpanRecorder() : nil
            ).run()
        }
        if let baseURL {
            return await run(on: ServerInUse(live: baseURL.url))
        }
        #if NIO
        return try await DemoServer.run { server in await run(on: ServerInUse(embedded: server)) }
        #else
        // validate() has already thrown.
        throw ExitCode.validationFailure
        #endif
    }
}
