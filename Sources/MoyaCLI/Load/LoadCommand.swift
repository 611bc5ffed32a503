#if NIO
import ArgumentParser
import Foundation
import Moya

/// The command `moya-cli load`.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Send many requests through one provider, and measure their cost.",
        discussion: """
            The command starts the demo's server on a free port of 127.0.0.1 and requests /zen as often and with \
            as many requests at once as given. It prints how many succeeded, the rate, and the peak memory of the \
            process, including the server, after a tenth of the requests and after all.

            The exit status is 0 if every request succeeded and the peak at the end is at most 10 % above the \
            peak after the first tenth, otherwise 1.
            """
    )

    @Option(help: "The number of requests.")
    var requests = 20_000

    @Option(help: "The number of requests at once.")
    var concurrency = 64

    func validate() throws {
        guard requests >= 10, concurrency >= 1 else {
            throw ValidationError("Use at least 10 requests, and at least one at once.")
        }
    }

    func run() async throws {
        let report = try await DemoServer.run { server in
            try await Load(server: server, requests: requests, concurrency: concurrency).run()
        }
        print(report.text)
        guard report.isAsExpected else { throw ExitCode.failure }
    }
}
#endif
