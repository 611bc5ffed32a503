#if AsyncHTTPClient
    import ArgumentParser
    import Foundation
    import Moya

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

        @Flag(help: "End when standard input ends, for programs that start the server.")
        var whileInputIsOpen = false

        func run() async throws {
            try await DemoServer.run { server in
                // Not print: whoever reads from a pipe waits for this line.
                FileHandle.standardOutput.write(Data("\(server.baseURL)\n".utf8))
                if whileInputIsOpen {
                    await Self.inputEnd()
                } else {
                    try await Task.sleep(for: .seconds(365 * 24 * 3600))
                }
            }
        }

        private static func inputEnd() async {
            let end = OneShot<Void>()
            // Reading waits, which a thread of Swift's pool must not.
            DispatchQueue.global().async {
                while let piece = try? FileHandle.standardInput.read(upToCount: 4_096), !piece.isEmpty {}
                end.fulfil(())
            }
            await end.wait()
        }
    }
#endif
