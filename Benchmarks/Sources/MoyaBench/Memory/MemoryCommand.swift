import ArgumentParser
import Foundation
import Workloads

/// Checks that memory does not grow.
struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Memory after many requests through one provider, live and stubbed."
    )

    @Option(help: "How many requests.")
    var requests = 1_000_000
    @Option(help: "After how many of them memory is looked at first.")
    var first = 50_000
    @OptionGroup
    var output: SectionOptions

    func run() async throws {
        let server = try ServerProcess.start()
        defer { server.stop() }
        let layer = LayerClient(at: server.plain)
        let live = try await growth { count in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask { for _ in 0..<count / 64 { try await layer.get() } }
                }
                try await group.waitForAll()
            }
        }
        let provider = Workload.stubbedProvider()
        let stubbed = try await growth { count in
            for _ in 0..<count { use(try await provider.request(.anyUser)) }
        }
        let rows = [("GET, 64 at once", live), ("Immediate stub", stubbed)]
        let plot = Plot(
            title: "Resident memory",
            xTitle: "requests, in thousands",
            yTitle: "MiB",
            series: rows.map { Plot.Series(name: $0, points: $1.points) },
            isLinear: true
        )
        try output.write(
            Section(
                title: "Memory after many requests",
                text: """
                    The resident memory is read twenty times, after equal numbers of requests. Memory is flat if a straight line \
                    through the second half of the figures (least squares) rises by at most 1 %. The first half does not count, \
                    because an allocator may grow once.

                    ![Memory](plots/memory.svg)

                    \(table(rows))
                    """,
                verdicts: rows.flatMap { name, growth -> [Section.Verdict] in
                    [
                        .atMost(5, "\(name), growth of memory", measured: growth.percent, unit: " %"),
                        .atMost(1, "\(name), rise of memory in the second half", measured: growth.rise, unit: " %"),
                    ]
                },
                plots: ["memory.svg": plot.svg]
            )
        )
    }

    private func table(_ rows: [(String, MemoryGrowth)]) -> String {
        Text.table(
            [
                "", "requests", "MiB after \(Text.whole(Double(first)))", "MiB at the end", "growth, %",
                "rise in the second half, %",
            ],
            rows.map { name, growth in
                [
                    name, Text.whole(Double(requests)), Text.figure(growth.first.mebibytes),
                    Text.figure(growth.last.mebibytes), Text.figure(growth.percent), Text.figure(growth.rise),
                ]
            }
        )
    }

    private func growth(_ send: (Int) async throws -> Void) async throws -> MemoryGrowth {
        try await send(first)
        var growth = MemoryGrowth(first: ProcessFigures.resident)
        let steps = 20
        for step in 1...steps {
            try await send(max(1, (requests - first) / steps))
            growth.samples.append((first + (requests - first) / steps * step, ProcessFigures.resident))
        }
        return growth
    }
}

/// The resident memory of a process after some requests, in bytes.
struct MemoryGrowth {
    /// The memory after the first requests.
    var first: Int
    /// The memory after further numbers of requests.
    var samples: [(requests: Int, bytes: Int)] = []

    var last: Int { samples.last?.bytes ?? first }

    /// The growth since the first figure in percent.
    var percent: Double { (Double(last) / Double(first) - 1) * 100 }

    /// The rise of a straight line through the second half of the samples, in percent of their mean.
    var rise: Double {
        let half = samples.suffix(samples.count - samples.count / 2)
        guard half.count > 1 else { return 0 }
        let count = Double(half.count)
        let (x, y) = (half.map { Double($0.requests) }, half.map { Double($0.bytes) })
        let (meanX, meanY) = (x.reduce(0, +) / count, y.reduce(0, +) / count)
        let slope =
            zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
            / x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        return slope * ((x.last ?? 0) - (x.first ?? 0)) / meanY * 100
    }

    /// The points of a plot: thousands of requests, and MiB.
    var points: [(x: Double, y: Double)] { samples.map { (Double($0.requests) / 1_000, $0.bytes.mebibytes) } }
}
