import ArgumentParser
import CAllocationCounter
import Foundation
import Moya
import Workloads

/// Measures the cache: the cost of a hit, hits per second, and the memory of a large body.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Fresh responses from memory and disk, and a large body through the disk store."
    )

    @Option(help: "The size of the large body in MiB.")
    var size = 1_024
    @Option(help: "The number of rounds.")
    var rounds = 10
    @Option(help: "How many hits there are in a round.")
    var hits = 20_000
    @OptionGroup
    var output: SectionOptions

    func run() async throws {
        // The memory is measured first, because freed memory of other work would hide growth.
        let memory = try await largeBody()
        let ratio = try await ratioToStub()
        let disk = try await rates { try HTTPCache.disk(at: $0) }
        let inMemory = try await rates { _ in .memory() }
        try output.write(
            Section(
                title: "The cache",
                text: """
                    The hits are requests of a provider for fresh responses of 2 KiB, 64 at once, in \(rounds) rounds of \
                    \(Text.whole(Double(hits))). The body has \(Text.whole(Double(size))) MiB and is downloaded into a file: first \
                    from a server in the same process, then from the disk store.

                    \(Text.table(
                        ["Hits", "per second, median", "lowest to highest"],
                        [("on disk", disk), ("in memory", inMemory)].map { [$0, Text.whole($1.median), Text.range($1)] }
                    ))

                    \(Text.table(
                        ["Through the disk store", "MiB/s", "MiB above idle"],
                        memory.map { [$0.name, Text.whole(Double(size) / $0.seconds), Text.figure($0.memory.mebibytes)] }
                    ))
                    """,
                verdicts: [
                    .atMost(3, "Fresh response from memory by immediate stub, processor time", measured: ratio.median),
                    .atLeast(20_000, "Hits on disk per second", measured: disk.median),
                ]
                    + memory.map {
                        .atMost(32, "\($0.name), peak memory above idle", measured: $0.memory.mebibytes, unit: " MiB")
                    }
            )
        )
    }

    /// Returns the ratio of the processor times of a hit in memory and of an immediate stub, for each round.
    private func ratioToStub() async throws -> [Double] {
        guard let hit = Workload.cached.first, let stub = Workload.stubs.first else { return [] }
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let time = try await Timing.rounds(1, of: hit, each: .milliseconds(100))[0]
            ratios.append(time / (try await Timing.rounds(1, of: stub, each: .milliseconds(100))[0]))
        }
        return ratios
    }

    private func rates(_ cache: (URL) throws -> HTTPCache) async throws -> [Double] {
        try await withTemporaryFolder { folder in
            let session = Session(transport: CacheableServer(size: 2_048), cache: try cache(folder))
            let provider = MoyaProvider<BenchTarget>(session: session)
            let bases = try (0..<100).map { index in
                guard let url = URL(string: "http://127.0.0.1:8080/\(index)") else { throw BenchFailure("No URL.") }
                return url
            }
            for base in bases { use(try await provider.request(BenchTarget(.user, at: base))) }
            var rates: [Double] = []
            for _ in 0..<rounds {
                let time = try await ContinuousClock().measure {
                    try await withThrowingTaskGroup { group in
                        for task in 0..<64 {
                            group.addTask {
                                for index in 0..<hits / 64 {
                                    let target = BenchTarget(.user, at: bases[(task + index) % bases.count])
                                    let response = try await provider.request(target)
                                    guard response.source == .cache, response.data.count == 2_048 else {
                                        throw BenchFailure("The response is not from the cache.")
                                    }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                rates.append(Double(hits / 64 * 64) / (time / .seconds(1)))
            }
            return rates
        }
    }

    private struct Transfer {
        let name: String
        let seconds: Double
        let memory: Int
    }

    private func largeBody() async throws -> [Transfer] {
        try await withTemporaryFolder { folder in
            let bytes = size << 20
            let cache = try HTTPCache.disk(at: folder.appendingPathComponent("cache"), maximumSize: Int64(bytes) * 3)
            let session = Session(transport: CacheableServer(size: bytes), cache: cache)
            let provider = MoyaProvider<BenchTarget>(session: session)
            let file = folder.appendingPathComponent("body.bin")
            var transfers: [Transfer] = []
            for (name, source) in [("written", ResponseSource.network), ("read", .cache), ("read again", .cache)] {
                allocator_trim()
                let idle = ProcessFigures.resident
                try ProcessFigures.resetPeak()
                let time = try await ContinuousClock().measure {
                    let target = BenchTarget(.download(Int64(bytes), to: file), at: BenchTarget.anywhere)
                    let response = try await provider.request(target)
                    let count = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize
                    guard response.source == source, count == bytes else { throw BenchFailure("The file is wrong.") }
                }
                try FileManager.default.removeItem(at: file)
                transfers.append(
                    Transfer(name: name, seconds: time / .seconds(1), memory: ProcessFigures.peak - idle)
                )
            }
            return transfers
        }
    }
}
