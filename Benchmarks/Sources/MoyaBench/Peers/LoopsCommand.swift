import ArgumentParser
import Foundation
import Moya
import NIOCore
import NIOPosix
import Synchronization

/// Measures how the rate grows with the number of event loops, on any number of cores.
///
/// Each request holds up the thread of its event loop for half a millisecond, as work on a separate core would. The thread
/// sleeps, so that the number of cores does not matter.
struct LoopsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loops",
        abstract: "The rate with 1 to 8 event loops, whose threads are held up by each request."
    )

    @Option(help: "How many figures are taken with each number of event loops.")
    var rounds = 5
    @Option(help: "How long each figure takes, in milliseconds.")
    var slice = 300
    @Option(help: "Only prints the rate with so many event loops, for requests to the URL.")
    var count: Int?
    @Option(help: "The URL of a server that runs already.")
    var url: String?
    @OptionGroup
    var output: SectionOptions

    private static let concurrency = 64
    private static let work = Duration.microseconds(500)

    func run() async throws {
        guard let count, let url else { return try measureAll() }
        guard let url = URL(string: url) else { throw ValidationError("The URL is invalid.") }
        NIOSingletons.groupLoopCountSuggestion = count
        print(try await Self.rate(url, for: .milliseconds(slice)))
    }

    private static func rate(_ url: URL, for time: Duration) async throws -> Double {
        let transport = NIOTransport(maximumConnectionsPerHost: concurrency)
        var request = TransportRequest(method: .get, url: url)
        // Each request calls the function on its event loop.
        request.onConnect = { usleep(UInt32(work / .microseconds(1))) }
        let clock = ContinuousClock()
        let start = clock.now
        let requests = try await withThrowingTaskGroup(of: Int.self) { [request] group in
            for _ in 0..<concurrency {
                group.addTask {
                    var requests = 0
                    while clock.now < start + time {
                        _ = try await transport.send(request)
                        requests += 1
                    }
                    return requests
                }
            }
            return try await group.reduce(0, +)
        }
        let seconds = (clock.now - start) / .seconds(1)
        await transport.shutdown()
        return Double(requests) / seconds
    }

    private func measureAll() throws {
        let server = try Nginx()
        let counts = [1, 2, 4, 8]
        var rates: [Int: [Double]] = [:]
        for _ in 0..<rounds {
            for count in counts {
                let command = [
                    CommandLine.arguments[0], "loops", "--count", "\(count)", "--url", "\(server.base(.http1))/user",
                    "--slice", "\(slice)",
                ]
                let printed = try SpawnedProgram.run(command).output.trimmingCharacters(in: .whitespacesAndNewlines)
                guard let rate = Double(printed) else { throw BenchFailure("The program printed \(printed).") }
                rates[count, default: []].append(rate)
            }
        }
        let first = rates[1]?.median ?? 1
        let rows = counts.map { count in
            let median = rates[count]?.median ?? 0
            return ["\(count)", Text.figure(median), Text.figure(median / first)]
        }
        try output.write(
            Section(
                title: "Event loops",
                text: """
                    The work of more cores is simulated: each request blocks the thread of its event loop for \
                    \(Int(Self.work / .microseconds(1))) µs by sleeping, so that one event loop completes at most \
                    \(Text.whole(1 / (Self.work / .seconds(1)))) requests per second. nginx gets \(Self.concurrency) \
                    requests at once; figures are medians of \(rounds) rounds.

                    \(Text.table(["event loops", "requests/s", "÷ one event loop"], rows))
                    """
            )
        )
    }
}
