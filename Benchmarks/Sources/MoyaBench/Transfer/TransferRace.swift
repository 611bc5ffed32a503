import CAllocationCounter
import Foundation

/// Large transfers in turns, with the memory that each takes.
struct TransferRace {
    struct Contestant {
        let name: String
        let carry: () async throws -> Void
        var seconds: [Double] = []
        /// The most memory that the process took in any of its turns, above what it had before, in bytes.
        var memory = 0

        init(_ name: String, carry: @escaping () async throws -> Void) {
            self.name = name
            self.carry = carry
        }
    }

    let title: String
    /// In bytes.
    let size: Int64
    private(set) var contestants: [Contestant]

    init(_ title: String, size: Int64, _ contestants: [Contestant]) {
        self.title = title
        self.size = size
        self.contestants = contestants
    }

    /// Runs so many rounds. Who begins is another in each.
    mutating func run(rounds: Int) async throws {
        let clock = ContinuousClock()
        for round in 0..<rounds {
            for turn in contestants.indices {
                let index = (turn + round) % contestants.count
                // What a turn leaves must not be there for the next one to use.
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

    /// The first contestant's rate by that of another, round by round.
    func ratios(to name: String) -> [Double] {
        guard let other = contestants.first(where: { $0.name == name }), let first = contestants.first else {
            return []
        }
        return zip(first.seconds, other.seconds).map { $1 / $0 }
    }

    /// How much more than idle the first contestant took, in MiB.
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
