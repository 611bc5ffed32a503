import ArgumentParser
import Foundation

/// Measures how costs grow with the number of concurrent requests, the size of bodies, and the number of servers.
struct GrowthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "How costs grow: 1 to 1,024 concurrent requests, bodies of 1 KiB to 1 GiB, 1 to 200 origins."
    )

    @Option(help: "How many figures are taken of each contestant.")
    var rounds = 5
    @Option(help: "How long a contestant runs for each figure, in milliseconds.")
    var slice = 100
    @Option(help: "The size of the largest body, in MiB.")
    var size: Int64 = 1_024
    @OptionGroup
    var peers: PeerOptions
    @OptionGroup
    var output: SectionOptions

    private static let origins = [1, 5, 20, 50, 100, 200]

    func run() async throws {
        var section = Section(title: "How costs grow", text: "")
        do {
            let server = try Nginx(addresses: Self.origins.last ?? 1)
            section.text = """
                Figures are medians of \(rounds) rounds against nginx. The figures in parentheses are microseconds of the client's \
                processor time per request or per MiB.
                """
            try await addConcurrency(server, to: &section)
            try await addBodies(server, to: &section)
            try await addOrigins(server, to: &section)
        } catch {
            section.text += "\n\nThis was not measured: \(error)"
        }
        try output.write(section)
    }

    private func addConcurrency(_ server: Nginx, to section: inout Section) async throws {
        let names = ["go", "reqwest", SwiftPeer.asyncHTTPClient.rawValue, SwiftPeer.bareNIO.rawValue]
        let chosen = try peers.all().filter { $0.name == SwiftPeer.provider.rawValue || names.contains($0.name) }
        var steps: [(Double, Race)] = []
        for count in [1, 4, 16, 64, 256, 1_024] {
            let race = try await PeersCommand.race(
                chosen,
                at: server,
                version: .http1,
                workload: "get",
                concurrency: count,
                rounds: rounds,
                slice: .milliseconds(slice)
            )
            steps.append((Double(count), race))
        }
        add(
            steps,
            named: "concurrency",
            title: "Concurrent requests (GET, HTTP/1.1)",
            xTitle: "requests at once",
            to: &section
        )
    }

    private func addBodies(_ server: Nginx, to section: inout Section) async throws {
        let clients = try TransferPeers(server, go: try peers.peer("go"))
        let sizes = [1, 32, 1_024, 32 * 1_024].map { Int64($0) * 1_024 } + [size * 1_048_576]
        for (kind, name) in [(TransferPeers.Kind.download, "download"), (.upload, "upload")] {
            var steps: [(Double, Race)] = []
            for size in sizes {
                let race = try await clients.race(
                    kind,
                    .http1,
                    size: size,
                    rounds: rounds,
                    slice: .milliseconds(slice)
                )
                steps.append((Double(size), race))
            }
            add(
                steps,
                named: name,
                title: kind.rawValue,
                xTitle: "bytes",
                isTransfer: true,
                to: &section
            )
        }
    }

    private func addOrigins(_ server: Nginx, to section: inout Section) async throws {
        let chosen = try peers.all().filter { [SwiftPeer.provider.rawValue, "go"].contains($0.name) }
        var steps: [(Double, Race)] = []
        for count in Self.origins {
            let race = try await PeersCommand.race(
                chosen,
                at: server,
                version: .http1,
                workload: "get",
                concurrency: 64,
                origins: count,
                rounds: rounds,
                slice: .milliseconds(slice)
            )
            steps.append((Double(count), race))
        }
        add(steps, named: "origins", title: "Origins (GET, 64 at once)", xTitle: "origins", to: &section)
    }

    /// Adds the plots and the table of some steps.
    private func add(
        _ steps: [(x: Double, race: Race)],
        named name: String,
        title: String,
        xTitle: String,
        isTransfer: Bool = false,
        to section: inout Section
    ) {
        let names = steps.first?.race.contestants.map(\.name) ?? []
        func plot(_ yTitle: String, _ figure: (Race, String) -> Double?) -> Plot {
            let series = names.map { name in
                Plot.Series(name: name, points: steps.compactMap { x, race in figure(race, name).map { (x, $0) } })
            }
            return Plot(
                title: title,
                xTitle: xTitle,
                yTitle: yTitle,
                series: series.filter { !$0.points.isEmpty },
                hasBytes: isTransfer
            )
        }
        let unit = isTransfer ? "MiB" : "request"
        section.plots["\(name).svg"] = plot(isTransfer ? "MiB/s" : "requests/s") { $0.rate(of: $1) }.svg
        section.plots["\(name)-processor.svg"] = plot("processor time per \(unit), µs") { $0.processorTime(of: $1) }.svg
        let rows = steps.map { x, race in
            [isTransfer ? Plot.bytes(x) : Text.whole(x)]
                + names.map { name in
                    guard let rate = race.rate(of: name), let time = race.processorTime(of: name) else { return "-" }
                    return "\(Text.figure(rate)) (\(Text.figure(time)))"
                }
        }
        section.text += """


            ### \(title)

            ![The rates](plots/\(name).svg)
            ![The processor time](plots/\(name)-processor.svg)

            \(Text.table(["\(xTitle): \(isTransfer ? "MiB/s" : "requests/s")"] + names, rows))
            """
    }
}
