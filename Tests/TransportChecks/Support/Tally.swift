import MoyaLocks

/// Counts of outcomes by name, to which several tasks add.
package final class Tally: Sendable {
    private let counts = Locked<[String: Int]>([:])

    package init() {}

    package func add(_ outcome: String, _ count: Int = 1) { counts.withLock { $0[outcome, default: 0] += count } }

    package subscript(_ outcome: String) -> Int { counts.withLock { $0[outcome] ?? 0 } }

    package var total: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// The outcomes and their counts, the most frequent first.
    package var text: String {
        counts.withLock { $0 }
            .sorted { ($0.value, $1.key) > ($1.value, $0.key) }
            .map { "\($0.value) × \($0.key)" }
            .joined(separator: ", ")
    }
}

/// Runs a function for each number below `total`, at most `concurrency` at a time.
package func forEach(
    below total: Int,
    concurrency: Int,
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    let next = Locked(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<min(total, concurrency) {
            group.addTask {
                while true {
                    let number = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard number < total else { return }
                    try await body(number)
                }
            }
        }
        try await group.waitForAll()
    }
}
