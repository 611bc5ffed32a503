import Foundation

/// Large transfers in turns, with the memory that each takes.
struct TransferRace {
    struct Contestant {
        let name: String
        let carry: () async throws -> Void
        var seconds: [Double] = []
        /// The most memory that the process had in any of its turns, in bytes.
        var peak = 0

        init(_ name: String, carry: @escaping () async throws -> Void) {
            self.name = name
            self.carry = carry
        }
    }

    let title: String
    /// In bytes.
    let size: Int64
    /// What the process had before it did anything, in bytes.
    let idle: Int
    private(set) var contestants: [Contestant]

    init(_ title: String, size: Int64, idle: Int, _ contestants: [Contestant]) {
        self.title = title
        self.size = size
        self.idle = idle
        self.contestants = contestants
    }

    /// Runs so many rounds. Who begins is another in each.
    mutating func run(rounds: Int) async throws {
        let clock = ContinuousClock()
        for round in 0..<rounds {
            for turn in contestants.indices {
                let index = (turn + round) % contestants.count
                try ProcessFigures.resetPeak()
                do {
                    let taken = try await clock.measure { try await contestants[index].carry() }
                    contestants[index].seconds.append(taken / .seconds(1))
                } catch {
                    throw BenchFailure("\(title), \(contestants[index].name): \(error)")
                }
                contestants[index].peak = max(contestants[index].peak, ProcessFigures.peak)
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
    var memory: Double { ((contestants.first?.peak ?? 0) - idle).mebibytes }

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
                    index == 0 ? "" : "\(Text.figure(ratios.min() ?? .nan)) to \(Text.figure(ratios.max() ?? .nan))",
                    Text.figure((contestant.peak - idle).mebibytes),
                ]
            }
        )
    }
}
