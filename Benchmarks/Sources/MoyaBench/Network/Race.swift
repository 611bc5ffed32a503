/// Measures contestants alternately, so that other load of the machine affects all of them.
struct Race {
    /// The name of the requests: "GET".
    let title: String
    let contestants: [Contestant]
    let concurrency: Int
    /// The size of one request's body in MiB, if rates are in bytes.
    var mebibytes: Double?

    private(set) var slices: [[Slice]]
    /// The reasons why contestants are no longer measured, by their names.
    private(set) var failures: [String: String]

    /// Creates a race.
    ///
    /// - Parameters:
    ///   - title: The name of the requests.
    ///   - contestants: The contestants; ratios compare the first one with the others.
    ///   - concurrency: The number of concurrent loops of requests.
    ///   - failures: The reasons why contestants are not measured at all, by their names.
    init(_ title: String, _ contestants: [Contestant], concurrency: Int, failures: [String: String] = [:]) {
        self.title = title
        self.failures = failures
        self.contestants = contestants
        self.concurrency = concurrency
        slices = contestants.map { _ in [] }
    }

    /// Runs a number of rounds, in which each contestant gets a slice of time in several turns.
    ///
    /// The contestants take turns in being first. A contestant that fails has no further turns.
    mutating func run(rounds: Int, slice: Duration, turns: Int) async {
        for index in contestants.indices { _ = await measure(index, for: slice / 2) }
        for round in 0..<rounds {
            for index in slices.indices { slices[index].append(Slice()) }
            for turn in 0..<turns {
                for place in contestants.indices {
                    let index = (place + turn + round * turns) % contestants.count
                    guard let more = await measure(index, for: slice / turns) else { continue }
                    slices[index][round] += more
                }
            }
        }
    }

    private mutating func measure(_ index: Int, for time: Duration) async -> Slice? {
        let contestant = contestants[index]
        guard failures[contestant.name] == nil else { return nil }
        do {
            return try await contestant.measure(concurrency, time)
        } catch {
            failures[contestant.name] = "\(error)"
            return nil
        }
    }

    /// Returns the ratios of the rates of the first contestant and another one, for each round.
    func ratios(to name: String) -> [Double] { pairs(with: name).map { $0.rate / $1.rate } }

    /// Returns the ratios of the processor times of another contestant and the first one, for each round; a higher ratio is better.
    func processorRatios(to name: String) -> [Double] {
        pairs(with: name).map { $1.processorTimeEach / $0.processorTimeEach }
    }

    /// Returns the median of the ratios of a figure of one contestant and another one; nil if one of them failed.
    func ratio(of name: String, to other: String, by figure: (Slice) -> Double) -> Double? {
        guard let slices = measured(name), let others = measured(other) else { return nil }
        return zip(slices, others).map { figure($0) / figure($1) }.median
    }

    private func pairs(with name: String) -> [(first: Slice, other: Slice)] {
        guard let first = measured(contestants[0].name), let others = measured(name) else { return [] }
        return zip(first, others).map { ($0, $1) }
    }

    private func measured(_ name: String) -> [Slice]? {
        guard failures[name] == nil, let index = contestants.firstIndex(where: { $0.name == name }) else { return nil }
        return slices[index]
    }

    /// A table of all contestants, with the ratios of the first one to each of them.
    var table: String {
        let hasServerTime = slices.joined().contains { $0.serverTime > 0 }
        let what = mebibytes.map { "\(title), \(Text.whole($0)) MiB" } ?? "\(title), \(concurrency) at once"
        let head = [
            what, mebibytes == nil ? "requests/s" : "MiB/s", "provider ÷ this", "lowest to highest",
            mebibytes == nil ? "processor time, µs" : "processor time, µs/MiB", "this ÷ provider",
        ]
        let rows = contestants.indices.map { index in
            row(index) + (hasServerTime ? [figure(index) { $0.serverTimeEach / (mebibytes ?? 1) }] : [])
        }
        return Text.table(head + (hasServerTime ? [mebibytes == nil ? "server, µs" : "server, µs/MiB"] : []), rows)
    }

    private func row(_ index: Int) -> [String] {
        let name = contestants[index].name
        if let failure = failures[name] { return ["\(name): \(failure)", "-", "", "", "-", ""] }
        let ratios = ratios(to: name)
        return [
            name,
            figure(index) { $0.rate * (mebibytes ?? 1) },
            index == 0 ? "" : Text.figure(ratios.median),
            index == 0 ? "" : Text.range(ratios),
            figure(index) { $0.processorTimeEach / (mebibytes ?? 1) },
            index == 0 ? "" : Text.figure(processorRatios(to: name).median),
        ]
    }

    private func figure(_ index: Int, _ figure: (Slice) -> Double) -> String {
        median(contestants[index].name, figure).map(Text.figure) ?? "-"
    }

    /// Returns the median rate of a contestant, in requests or MiB per second; nil if it failed.
    func rate(of name: String) -> Double? { median(name) { $0.rate * (mebibytes ?? 1) } }

    /// Returns the median processor time of a contestant in microseconds per request or MiB; nil if it failed.
    func processorTime(of name: String) -> Double? { median(name) { $0.processorTimeEach / (mebibytes ?? 1) } }

    private func median(_ name: String, _ figure: (Slice) -> Double) -> Double? {
        measured(name)?.map(figure).median
    }
}
