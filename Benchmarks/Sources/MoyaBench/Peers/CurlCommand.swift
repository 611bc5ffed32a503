import ArgumentParser
import Foundation

/// Compares large transfers through the provider and through curl.
struct CurlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curl",
        abstract: "Large bodies from and to nginx through the provider, curl and Go."
    )

    @Option(help: "How much goes each way, in MiB.")
    var size: Int64 = 1_024
    @Option(help: "How often each has its turn.")
    var rounds = 5
    @OptionGroup
    var peers: PeerOptions
    @OptionGroup
    var output: SectionOptions

    func run() async throws {
        let title = "Large bodies next to curl"
        let server: Nginx
        do {
            server = try Nginx()
        } catch {
            return try output.write(Section(title: title, text: "This was not measured: \(error)"))
        }
        let clients = try TransferPeers(server, go: try peers.peer("go"))
        let all: [(TransferPeers.Kind, Nginx.Version)] = [
            (.download, .http1), (.stream, .http1), (.upload, .http1), (.download, .https1), (.upload, .https1),
        ]
        var races: [Race] = []
        for (kind, version) in all {
            races.append(
                try await clients.race(kind, version, size: size * 1_048_576, rounds: rounds, slice: .milliseconds(2))
            )
        }
        try output.write(
            Section(
                title: title,
                text: """
                    Each client makes one transfer in each of \(rounds) rounds. curl is a new process each time: its time is that of \
                    the transfer, and its processor time is that of the whole process. The files are in memory (`/dev/shm`) where the \
                    system has it. nginx sends from a file and receives into a file.

                    \(races.map(\.table).joined(separator: "\n\n"))
                    """,
                verdicts: races.compactMap { race in
                    let ratios = race.ratios(to: TransferPeers.curl)
                    guard !ratios.isEmpty else { return nil }
                    return .atLeast(1, "\(race.title), \(size) MiB: rate, provider ÷ curl", measured: ratios.median)
                }
            )
        )
    }
}
