import ArgumentParser
import Foundation

/// Compares small requests over loopback through the layer and without it.
struct NetworkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Small requests over loopback, through the layer and without it, in turns in one process."
    )

    @Option(help: "How many figures are taken of each contestant.")
    var rounds = 10
    @Option(help: "How long a contestant runs for each figure, in milliseconds.")
    var slice = 300
    @Option(help: "In how many turns it does so.")
    var turns = 3
    @OptionGroup
    var output: SectionOptions

    private static let raw = "AsyncHTTPClient"
    private static let foundation = "URLSession"

    func run() async throws {
        let server = try ServerProcess.start()
        defer { server.stop() }
        let (gets, posts) = contestants(at: server.plain)
        let (secureGets, securePosts) = secureContestants(at: server.secure)
        var races =
            [1, 16, 64].flatMap { [Race("GET", gets, concurrency: $0), Race("POST", posts, concurrency: $0)] }
            + [Race("GET, HTTP/2", secureGets, concurrency: 64), Race("POST, HTTP/2", securePosts, concurrency: 64)]
        for index in races.indices {
            await races[index].run(rounds: rounds, slice: .milliseconds(slice), turns: turns)
            if let (name, reason) = races[index].failures.first {
                throw BenchFailure("\(races[index].title), \(name): \(reason)")
            }
            FileHandle.standardError.write(
                Data("\(races[index].title), \(races[index].concurrency) at once: done\n".utf8)
            )
        }
        try output.write(section(races))
    }

    private func contestants(at base: URL) -> (gets: [Contestant], posts: [Contestant]) {
        let layer = LayerClient(at: base)
        let session = SessionClient(base: base)
        let raw = RawClient.configuredLikeTheLayer(at: base)
        let unconfigured = RawClient.withDefaultConfiguration(at: base)
        let foundation = FoundationClient(base: base)
        return (
            [
                Contestant("provider") { try await layer.get() },
                Contestant("provider, callback") { try await layer.getByCallback() },
                Contestant("Session") { try await session.get() },
                Contestant(Self.raw) { try await raw.get() },
                Contestant("AsyncHTTPClient, futures") { try await raw.getByFuture() },
                Contestant("AsyncHTTPClient as it comes") { try await unconfigured.get() },
                Contestant(Self.foundation) { try await foundation.get() },
            ],
            [
                Contestant("provider") { try await layer.post() },
                Contestant("provider, callback") { try await layer.postByCallback() },
                Contestant("Session") { try await session.post() },
                Contestant(Self.raw) { try await raw.post() },
                Contestant("AsyncHTTPClient, futures") { try await raw.postByFuture() },
                Contestant("AsyncHTTPClient as it comes") { try await unconfigured.post() },
                Contestant(Self.foundation) { try await foundation.post() },
            ]
        )
    }

    private func secureContestants(at base: URL) -> (gets: [Contestant], posts: [Contestant]) {
        let layer = LayerClient(trusting: base)
        let raw = RawClient.trusting(base)
        return (
            [Contestant("provider") { try await layer.get() }, Contestant(Self.raw) { try await raw.get() }],
            [Contestant("provider") { try await layer.post() }, Contestant(Self.raw) { try await raw.post() }]
        )
    }

    private func section(_ races: [Race]) -> Section {
        var verdicts: [Section.Verdict] = []
        for race in races {
            let what = "\(race.title), \(race.concurrency) at once, provider by"
            verdicts.append(.atLeast(0.95, "\(what) \(Self.raw)", measured: race.ratios(to: Self.raw).median))
            guard race.title == "GET", race.concurrency > 1 else { continue }
            verdicts.append(
                .atLeast(5, "\(what) \(Self.foundation)", measured: race.ratios(to: Self.foundation).median)
            )
        }
        return Section(
            title: "Small requests over loopback",
            text: explanation + "\n\n"
                + races.map(\.table).joined(separator: "\n\n"),
            verdicts: verdicts
        )
    }

    private var explanation: String {
        """
        The contestants run in one process, in \(rounds) rounds. In each round every contestant has \(turns) turns of \
        \(slice / max(1, turns)) ms, and the rounds begin with different contestants. (The benchmark tool can't do this, because it \
        runs each benchmark in a separate process at a separate time.) Figures are medians of the rounds; a ratio is computed in each \
        round, and the table has its median. The server is a separate process with one thread, and supports only these requests. The \
        processor time is the client's, per request: it measures the cost of a request even if the other core or the server limits \
        the rate.

        The budgets compare the provider with `\(Self.raw)`: its async interface (`execute`, then `body.collect`) on a client that is \
        configured like the provider's transport (one event loop, six connections to a host), with the same headers, limit of the \
        body's size, encoder and decoder. Two more rows show its older interface of futures, and the async interface on a client with \
        the default configuration (all event loops, eight connections). HTTP/2 is over TLS, with all requests on one connection.
        """
    }
}
