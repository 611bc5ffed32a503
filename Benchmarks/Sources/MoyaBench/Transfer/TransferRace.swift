import CAllocationCounter
import Foundation

/// Measures the time and memory of large transfers alternately.
struct TransferRace {
    struct Contestant {
        let name: String
        let carry: () async throws -> Void
        var seconds: [Double] = []
        /// The maximum memory above idle in all turns, in bytes.
        var memory = 0

        init(_ name: String, carry: @escaping () async throws -> Void) {
            self.name = name
            self.carry = carry
        }
    }

    let title: String
    /// The size of the body in bytes.
    let size: Int64
    private(set) var contestants: [Contestant]

    init(_ title: String, size: Int64, _ contestants: [Contestant]) {
        self.title = title
        self.size = size
        self.contestants = contestants
    }

    /// Runs a number of rounds; the first contestant alternates.
    mutating func run(rounds: Int) async throws {
        let clock = ContinuousClock()
        for round in 0..<rounds {
            for turn in contestants.indices {
                let index = (turn + round) % contestants.count
                // Memory that one turn freed would hide the growth of the next turn, so it is returned to the system.
                allocator_trim()
                let idle = ProcessFigures.resident
                try ProcessFigures.resetPeak()
                do {
                    let taken = try await clock.measure { try await contestants[index].carry() }
                    contestants[index].seconds.append(taken / .seconds(1))
                } catch {
                    throw BenchFailure("\(title), \(contestants[index].name): \(error)")
                }
                contestants[index].memory = max(contestants[index].memory, ProcessFigures.peak - idle)
            }
        }
    }

    /// Returns the ratios of the rates of the first contestant and another one, for each round.
    func ratios(to name: String) -> [Double] {
        guard let other = contestants.first(where: { $0.name == name }), let first = contestants.first else {
            return []
        }
        return zip(first.seconds, other.seconds).map { $1 / $0 }
    }

    /// The memory of the first contestant above idle in MiB.
    var memory: Double { (contestants.first?.memory ?? 0).mebibytes }

    var table: String {
        Text.table(
            [
                "\(title), \(Text.whole(Int(size).mebibytes)) MiB", "MiB/s", "provider ÷ this", "lowest to highest",
                "MiB above idle",
            ],
            contestants.enumerated().map { index, contestant in
                let ratios = ratios(to: contestant.name)
                return [
                    contestant.name,
                    Text.whole(contestant.seconds.map { Int(size).mebibytes / $0 }.median),
                    index == 0 ? "" : Text.figure(ratios.median),
                    index == 0 ? "" : Text.range(ratios),
                    Text.figure(contestant.memory.mebibytes),
                ]
            }
        )
    }
}
