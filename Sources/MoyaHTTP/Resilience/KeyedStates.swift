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
        let key: LimitKey.Value
        var state: State
        var lastUse: UInt64
    }

    private let maximum: Int
    private var entries: [Entry] = []
    private var indexes: [LimitKey.Value: Int] = [:]
    /// The index of the entry that was used last: most requests have the same key as the one before, and comparing two keys takes less
    /// work than hashing one.
    private var lastIndex = 0
    private var uses: UInt64 = 0

    /// Creates a table without states.
    init(maximum: Int = 1_000) { self.maximum = max(1, maximum) }

    /// The states, in any order.
    var states: [State] { entries.map(\.state) }

    /// The states by their keys.
    var statesByKey: [LimitKey.Value: State] { indexes.mapValues { entries[$0].state } }

    /// Calls a function with the state of a key, which is created if it is missing.
    mutating func withState<Result>(
        of key: LimitKey.Value,
        at now: Duration,
        creating create: () -> State,
        _ body: (inout State) -> Result
    ) -> Result {
        uses += 1
        let index = index(of: key) ?? addEntry(with: create(), of: key, at: now)
        entries[index].lastUse = uses
        return body(&entries[index].state)
    }

    /// Calls a function with the state of a key, if it exists.
    mutating func withExistingState<Result>(of key: LimitKey.Value, _ body: (inout State) -> Result) -> Result? {
        guard let index = index(of: key) else { return nil }
        return body(&entries[index].state)
    }

    private mutating func index(of key: LimitKey.Value) -> Int? {
        if lastIndex < entries.count, entries[lastIndex].key == key { return lastIndex }
        guard let index = indexes[key] else { return nil }
        lastIndex = index
        return index
    }

    /// Adds an entry, in place of one that can be forgotten if there are many, and returns its index.
    private mutating func addEntry(with state: State, of key: LimitKey.Value, at now: Duration) -> Int {
        let entry = Entry(key: key, state: state, lastUse: uses)
        if entries.count >= maximum, let forgotten = indexToForget(at: now) {
            indexes[entries[forgotten].key] = nil
            entries[forgotten] = entry
            lastIndex = forgotten
        } else {
            entries.append(entry)
            lastIndex = entries.count - 1
        }
        indexes[key] = lastIndex
        return lastIndex
    }

    private func indexToForget(at now: Duration) -> Int? {
        let idle = entries.indices.filter { entries[$0].state.isIdle }
        let unused = idle.filter { entries[$0].state.isUnused(at: now) }
        return (unused.isEmpty ? idle : unused).min { entries[$0].lastUse < entries[$1].lastUse }
    }
}
