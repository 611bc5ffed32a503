/// A state of a limiter or a circuit breaker that can be forgotten.
protocol ForgettableState: Sendable {
    /// Whether no request waits, and none is running.
    var isIdle: Bool { get }

    /// Whether a new state would make the same decisions.
    func isUnused(at now: Duration) -> Bool
}

/// The states of a limiter or a circuit breaker by their keys, whose number is bounded.
///
/// A state without running requests can be forgotten: preferably an unused one, and of several, the one that was used least recently.
/// So a limit is exact unless more keys than the maximum are in use at the same time.
struct KeyedStates<State: ForgettableState>: Sendable {
    private struct Entry: Sendable {
        var state: State
        var lastUse: UInt64
    }

    private let maximum: Int
    private var entries: [LimitKey.Value: Entry] = [:]
    private var uses: UInt64 = 0

    /// Creates a table without states.
    init(maximum: Int = 1_000) { self.maximum = max(1, maximum) }

    /// The states, in any order.
    var states: [State] { entries.values.map(\.state) }

    /// The states by their keys.
    var statesByKey: [LimitKey.Value: State] { entries.mapValues(\.state) }

    /// Calls a function with the state of a key, which is created if it is missing.
    mutating func withState<Result>(
        of key: LimitKey.Value,
        at now: Duration,
        creating create: () -> State,
        _ body: (inout State) -> Result
    ) -> Result {
        uses += 1
        if let index = entries.index(forKey: key) {
            entries.values[index].lastUse = uses
            return body(&entries.values[index].state)
        }
        if entries.count >= maximum { forgetOne(at: now) }
        var entry = Entry(state: create(), lastUse: uses)
        let result = body(&entry.state)
        entries[key] = entry
        return result
    }

    /// Calls a function with the state of a key, if it exists.
    mutating func withExistingState<Result>(of key: LimitKey.Value, _ body: (inout State) -> Result) -> Result? {
        guard let index = entries.index(forKey: key) else { return nil }
        return body(&entries.values[index].state)
    }

    private mutating func forgetOne(at now: Duration) {
        let idle = entries.filter(\.value.state.isIdle)
        let unused = idle.filter { $0.value.state.isUnused(at: now) }
        let oldest = (unused.isEmpty ? idle : unused).min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { entries[oldest.key] = nil }
    }
}
