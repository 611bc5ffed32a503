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
        let rows = [("GET over loopback, 64 at once", live), ("Immediate stub", stubbed)]
        try output.write(
            Section(
                title: "Memory after many requests",
                text: Text.table(
                    ["", "requests", "MiB after \(Text.whole(Double(first)))", "MiB at the end", "growth, %"],
                    rows.map { name, growth in
                        [
                            name, Text.whole(Double(requests)), Text.figure(growth.first.mebibytes),
                            Text.figure(growth.last.mebibytes), Text.figure(growth.percent),
                        ]
                    }
                ),
                verdicts: rows.map { .atMost(5, "\($0), growth of memory", $1.percent, " %") }
            )
        )
    }

    private struct Growth {
        var first: Int
        var last: Int

        var percent: Double { (Double(last) / Double(first) - 1) * 100 }
    }

    private func growth(_ send: (Int) async throws -> Void) async throws -> Growth {
        try await send(first)
        let early = ProcessFigures.resident
        try await send(requests - first)
        return Growth(first: early, last: ProcessFigures.resident)
    }
}
