import ArgumentParser
import Foundation

/// Compares small requests through the provider and through clients of other languages.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Small requests to nginx through the provider and through the best clients of other languages."
    )

    @Option(help: "How many figures are taken of each contestant.")
    var rounds = 10
    @Option(help: "How long a contestant runs for each figure, in milliseconds.")
    var slice = 100
    @Option(help: "The names of the peers that take part, with commas between them. The provider always does.")
    var only: String?
    @Option(help: "The workloads, with commas between them.")
    var workloads = "get,post"
    @Option(help: "The versions: http1, https1, http2, with commas between them.")
    var versions = "http1,https1,http2"
    @Option(help: "The numbers of concurrent requests, with commas between them.")
    var concurrency = "1,2,4,8,16,64,256"
    @OptionGroup
    var peers: PeerOptions
    @OptionGroup
    var output: SectionOptions

    func run() async throws {
        let chosen = try chosenPeers()
        let server: Nginx
        do {
            server = try Nginx()
        } catch {
            return try output.write(Section(title: Self.title, text: "This was not measured: \(error)"))
        }
        var races: [(Nginx.Version, Race)] = []
        for version in try chosenVersions() {
            for workload in workloads.split(separator: ",").map(String.init) {
                for count in concurrency.split(separator: ",").compactMap({ Int($0) }) {
                    let race = try await Self.race(
                        chosen,
                        at: server,
                        version: version,
                        workload: workload,
                        concurrency: count,
                        rounds: rounds,
                        slice: .milliseconds(slice)
                    )
                    FileHandle.standardError.write(Data("\(race.table)\n\n".utf8))
                    races.append((version, race))
                }
            }
        }
        try output.write(section(races))
    }

    private static let title = "Next to clients of other languages"

    private func chosenPeers() throws -> [Peer] {
        let all = try peers.all()
        guard let only else { return all }
        let names = only.split(separator: ",").map(String.init)
        if let unknown = names.first(where: { name in !all.contains { $0.name == name } }) {
            throw ValidationError("There is no peer \(unknown): \(all.map(\.name).joined(separator: ", ")).")
        }
        return all.filter { $0.name == SwiftPeer.provider.rawValue || names.contains($0.name) }
    }

    private func chosenVersions() throws -> [Nginx.Version] {
        try versions.split(separator: ",").map { name in
            guard let version = Nginx.Version.allCases.first(where: { "\($0)" == name }) else {
                throw ValidationError("There is no version \(name).")
            }
            return version
        }
    }

    /// Compares small requests through several clients, each of which is a new process.
    static func race(
        _ peers: [Peer],
        at server: Nginx,
        version: Nginx.Version,
        workload: String,
        concurrency: Int,
        origins: Int = 1,
        rounds: Int,
        slice: Duration
    ) async throws -> Race {
        let connections = version == .http2 ? 1 : concurrency
        let base = origins > 1 ? server.base(origins: origins) : server.base(version)
        let obstacles = peers.compactMap { peer in peer.obstacle(version).map { (peer.title, $0) } }
        let children = try peers.map { try $0.start(connections: connections, trusting: server.certificate) }
        defer { for child in children { child?.stop() } }
        var race = Race(
            "\(workload.uppercased()), \(version.rawValue)",
            zip(peers, children).map { $0.contestant($1, workload: workload, base: base, server: server) },
            concurrency: concurrency,
            failures: Dictionary(uniqueKeysWithValues: obstacles)
        )
        await race.run(rounds: rounds, slice: slice, turns: 1)
        return race
    }

    private func section(_ races: [(version: Nginx.Version, race: Race)]) -> Section {
        Section(
            title: Self.title,
            text: """
                \(explanation)

                The table has the ratios of the provider to the other contestants: of the rates (more is better), and in parentheses \
                of the processor times per request (less is better).

                \(summary(races.map(\.race)))

                <details><summary>All figures</summary>

                \(races.map(\.race.table).joined(separator: "\n\n"))

                </details>
                """,
            verdicts: races.flatMap { PeerBudgets.verdicts($0.version, $0.race) }
        )
    }

    private func summary(_ races: [Race]) -> String {
        let names = races.first.map { $0.contestants.dropFirst().map(\.name) } ?? []
        let rows = races.map { race in
            ["\(race.title), \(race.concurrency) at once"]
                + names.map { name in
                    let ratios = race.ratios(to: name)
                    guard !ratios.isEmpty else { return "-" }
                    return "\(Text.figure(ratios.median)) (\(Text.figure(1 / race.processorRatios(to: name).median)))"
                }
        }
        return Text.table(["Provider ÷"] + names, rows)
    }

    private var explanation: String {
        """
        Each contestant is a separate process for each table. In each of \(rounds) rounds every contestant sends requests for \
        \(slice) ms, and the rounds begin with different contestants. Figures are medians of the rounds; a ratio is computed in each \
        round, and the table has its median. The server is nginx, one process with one thread; the last column has its processor time \
        per request. Where the rate times this time makes a whole core, the server limits the rate. \
        \(Nginx.readsBodies ? "" : "Without its echo module, it responds to a POST before it has read the body. ")All contestants do \
        the same work: they read the whole body of the response, decode its JSON into a structure, and compare it; a POST sends the \
        encoded structure. All have as many connections as concurrent requests, or one connection for HTTP/2, and all verify the \
        server's certificate. The programs are in `Benchmarks/Peers`. AsyncHTTPClient has its fastest configuration: its async \
        interface on all event loops. `provider on event loops` runs its tasks there, too (`Session.taskExecutors`). `Go, \
        GOMAXPROCS=1` uses one thread. `SwiftNIO, bare` shows the limit of any client over SwiftNIO: it parses and checks nothing, but \
        writes constant bytes and looks for the end of the response, on all event loops.
        """
    }
}

/// The budgets of the provider in comparison with other clients.
enum PeerBudgets {
    static func verdicts(_ version: Nginx.Version, _ race: Race) -> [Section.Verdict] {
        let count = race.concurrency
        let go = "Go, net/http"
        // From 2 to 8 requests at once, a request wakes an idle core twice, unless its task runs on the event loop.
        var verdicts = rate(2...8 ~= count ? 0.8 : 1, "provider", go, race)
        verdicts += rate(1, SwiftPeer.providerOnLoops.title, go, race)
        if count >= 64 { verdicts += processorTime(1, "provider", go, race) }
        if count == 16 { verdicts += processorTime(1.1, "provider", go, race) }
        verdicts += processorTime(1, SwiftPeer.providerOnLoops.title, go, race)
        verdicts += rate(1.8, "provider", SwiftPeer.asyncHTTPClient.title, race)
        return verdicts
    }

    private static func rate(_ limit: Double, _ client: String, _ other: String, _ race: Race) -> [Section.Verdict] {
        guard let ratio = race.ratio(of: client, to: other, by: \.rate) else { return [] }
        return [.atLeast(limit, "\(what(race)) rate, \(client) ÷ \(other)", measured: ratio)]
    }

    private static func processorTime(
        _ limit: Double,
        _ client: String,
        _ other: String,
        _ race: Race
    ) -> [Section.Verdict] {
        guard let ratio = race.ratio(of: client, to: other, by: \.processorTimeEach) else { return [] }
        return [.atMost(limit, "\(what(race)) processor time, \(client) ÷ \(other)", measured: ratio)]
    }

    private static func what(_ race: Race) -> String { "\(race.title), \(race.concurrency) at once:" }
}
