import ArgumentParser
import Foundation

/// Measures the time to the first response of a new process.
struct FirstCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "first",
        abstract: "The time from the start of a process to its first response over TLS, next to curl and Go."
    )

    @Option(help: "How many processes of each client are started.")
    var rounds = 21
    @Option(help: "The program with one request of the provider.")
    var program: String
    @OptionGroup
    var peers: PeerOptions
    @OptionGroup
    var output: SectionOptions

    func run() throws {
        let title = "The first response of a new process"
        let server: Nginx
        do {
            server = try Nginx()
        } catch {
            return try output.write(Section(title: title, text: "This was not measured: \(error)"))
        }
        let base = server.base(.http2)
        var commands = [
            ("provider", [program, base, server.certificate]),
            ("curl", ["curl", "-sSf", "--cacert", server.certificate, "\(base)/user"]),
        ]
        if let go = try peers.peer("go"), let command = go.command {
            commands.append((go.title, command + ["--ca", server.certificate, "--first", base]))
        }
        var runs: [[SpawnedProgram]] = commands.map { _ in [] }
        for round in 0..<rounds {
            for place in commands.indices {
                let index = (place + round) % commands.count
                runs[index].append(try SpawnedProgram.run(commands[index].1))
            }
        }
        let rows = zip(commands, runs).map { command, runs in
            let times = runs.map { $0.secondsToOutput * 1e3 }
            return [
                command.0, Text.figure(times.median), Text.range(times),
                Text.figure(runs.map { $0.processorTime * 1e3 }.median),
            ]
        }
        try output.write(
            Section(
                title: title,
                text: """
                    The time is from the start of a process until it prints something after its first GET over TLS (HTTP/2) to nginx. \
                    Figures are medians of \(rounds) processes of each client, which run in turns. The provider's program is \
                    `moya-first`.

                    \(Text.table(["", "ms", "lowest to highest", "processor time, ms"], rows))
                    """
            )
        )
    }
}
