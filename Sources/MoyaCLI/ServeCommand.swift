#if NIO
import ArgumentParser
import Foundation
import Moya

/// The command `moya-cli serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run only the demo's server, until it is interrupted.",
        discussion: """
            The command prints the server's URL, on a free port of 127.0.0.1, as its only line. Pass it to \
            `moya-cli demo --base-url`.
            """
    )

    @Flag(help: "End when standard input ends, for programs that start the server.")
    var whileInputIsOpen = false

    func run() async throws {
        try await DemoServer.run { server in
            // print() would buffer the line if standard output is a pipe.
            FileHandle.standardOutput.write(Data("\(server.baseURL)\n".utf8))
            if whileInputIsOpen {
                await StandardInput.waitForEnd()
            } else {
                try await Task.sleep(for: .seconds(365 * 24 * 3600))
            }
        }
    }
}
#endif
