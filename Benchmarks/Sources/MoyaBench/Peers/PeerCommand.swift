import ArgumentParser
import Foundation

/// Runs one contestant in a separate process; Peers/README.md describes the protocol.
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
                let words = line.split(separator: " ").map(String.init)
                guard words.count >= 4, let milliseconds = Int(words[words.count - 1]) else {
                    throw BenchFailure("unknown command")
                }
                let isTransfer = words.count == 4
                let base = isTransfer ? Self.origin(words[1]) : words[2]
                let client: PeerClient
                if let known = clients[base] {
                    client = known
                } else {
                    client = try await name.client(base, connections: connections, certificate: ca)
                    clients[base] = client
                }
                let slice =
                    isTransfer
                    ? try await transfer(words, client, for: .milliseconds(milliseconds))
                    : try await client.measure(words[1] == "post", Int(words[3]) ?? 1, .milliseconds(milliseconds))
                print("ok \(slice.requests) \(slice.seconds) \(slice.processorTime)")
            } catch {
                print("error \(error)")
            }
            fflush(nil)
        }
    }

    private func transfer(_ words: [String], _ client: PeerClient, for time: Duration) async throws -> Slice {
        guard let transfers = client.transfers, ["download", "upload"].contains(words[0]) else {
            throw BenchFailure("unknown command")
        }
        let size = words[1].split(separator: "/").last.flatMap { Int64($0) } ?? 0
        let clock = ContinuousClock()
        let before = ProcessFigures.processorTime
        let start = clock.now
        var slice = Slice()
        repeat {
            if words[0] == "upload" {
                try await transfers.upload(URL(fileURLWithPath: words[2]))
            } else {
                try await transfers.download(size, words[2] == "-" ? nil : URL(fileURLWithPath: words[2]))
            }
            slice.requests += 1
        } while clock.now < start + time
        slice.seconds = (clock.now - start) / .seconds(1)
        slice.processorTime = ProcessFigures.processorTime - before
        return slice
    }

    private static func origin(_ url: String) -> String { url.split(separator: "/").prefix(2).joined(separator: "//") }
}
