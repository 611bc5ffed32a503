/// Contestants that are measured alternately, so that other load of the machine affects all of them.
struct Race {
    /// The name of the requests: "GET".
    let title: String
    let contestants: [Contestant]
    let concurrency: Int

    private(set) var slices: [[Slice]]

    init(_ title: String, _ contestants: [Contestant], concurrency: Int) {
        self.title = title
        self.contestants = contestants
        self.concurrency = concurrency
        slices = contestants.map { _ in [] }
    }

    /// Runs a number of rounds, in which each contestant gets a slice of time, in several turns; the first one
    /// alternates.
    mutating func run(rounds: Int, slice: Duration, turns: Int) async throws {
        for contestant in contestants { try await measure(contestant, for: slice / 2) }
        for round in 0..<rounds {
            for index in slices.indices { slices[index].append(Slice()) }
            for turn in 0..<turns {
                for place in contestants.indices {
                    let index = (place + turn + round * turns) % contestants.count
                    slices[index][round] += try await measure(contestants[index], for: slice / turns)
                }
            }
        }
    }

    @discardableResult
    private func measure(_ contestant: Contestant, for time: Duration) async throws -> Slice {
        do {
            return try await Slice.measure(contestant, concurrency: concurrency, for: time)
        } catch {
            throw BenchFailure("\(title), \(contestant.name): \(error)")
        }
    }

    /// Returns the ratios of the first contestant's rate to that of another, for each round.
    func ratios(to name: String) -> [Double] { pairs(with: name).map { $0.rate / $1.rate } }

    /// Returns the ratios of another contestant's processor time to that of the first, for each round; more is
    /// better.
    private func processorRatios(to name: String) -> [Double] {
        pairs(with: name).map { $1.processorTimeEach / $0.processorTimeEach }
    }

    private func pairs(with name: String) -> [(first: Slice, other: Slice)] {
        guard let other = contestants.firstIndex(where: { $0.name == name }), let first = slices.first else {
            return []
        }
        return zip(first, slices[other]).map { ($0, $1) }
    }

    /// A table of all contestants, with the ratios of the first one to each of them.
    var table: String {
        Text.table(
            [
                "\(title), \(concurrency) at once", "requests/s", "provider ÷ this", "lowest to highest",
                "processor time, µs", "this ÷ provider",
            ],
            contestants.indices.map { index in
                let ratios = ratios(to: contestants[index].name)
                return [
                    contestants[index].name,
                    Text.whole(slices[index].map(\.rate).median),
                    index == 0 ? "" : Text.figure(ratios.median),
                    index == 0 ? "" : Text.range(ratios),
                    Text.figure(slices[index].map(\.processorTimeEach).median),
                    index == 0 ? "" : Text.figure(processorRatios(to: contestants[index].name).median),
                ]
            }
        )
    }
}
