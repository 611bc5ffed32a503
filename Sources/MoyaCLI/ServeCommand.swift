#if AsyncHTTPClient
    import ArgumentParser
    import Foundation

    /// `moya-cli serve`.
    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Run the demo's server by itself, until it is interrupted.",
            discussion: """
                The command prints the server's URL, on a free port of 127.0.0.1, as its only line: what \
                `moya-cli demo --base-url` takes.
                """
        )

        func run() async throws {
            try await DemoServer.run { server in
                // Not print: whoever reads from a pipe waits for this line.
                FileHandle.standardOutput.write(Data("\(server.baseURL)\n".utf8))
                try await Task.sleep(for: .seconds(365 * 24 * 3600))
            }
        }
    }
#endif
