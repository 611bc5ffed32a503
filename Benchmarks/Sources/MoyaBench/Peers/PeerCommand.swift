import ArgumentParser
import Foundation

/// Runs one contestant in a process of its own: the protocol is described in Peers/README.md.
struct PeerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peer",
        abstract: "Runs one client that is told what to do on the standard input; `peers` starts it itself."
    )

    @Argument(help: "The client.")
    var name: SwiftPeer
    @Option(help: "The maximum number of connections to a host.")
    var connections = 1
    @Option(help: "The certificate that is trusted.")
    var ca: String?

    func run() async throws {
        var clients: [String: PeerClient] = [:]
        while let line = readLine() {
            do {
                let command = try Run(line)
                let client = try clients[command.base] ?? name.client(command.base, connections, certificate: ca)
                clients[command.base] = client
                let slice = try await Slice.measure(
                    concurrency: command.concurrency,
                    for: command.time,
                    request: command.isPost ? client.post : client.get
                )
                print("ok \(slice.requests) \(slice.seconds) \(slice.processorTime)")
            } catch {
                print("error \(error)")
            }
            fflush(nil)
        }
    }

    /// The command `run get https://localhost:8443 64 100`.
    private struct Run {
        let isPost: Bool
        let base: String
        let concurrency: Int
        let time: Duration

        init(_ line: String) throws {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 5, words[0] == "run", let concurrency = Int(words[3]), let time = Int(words[4])
            else { throw BenchFailure("unknown command") }
            isPost = words[1] == "post"
            base = words[2]
            self.concurrency = concurrency
            self.time = .milliseconds(time)
        }
    }
}
