/// The comparison of one figure with its threshold.
struct GuardFinding {
    var name: String
    var measured: Double
    /// The threshold; `nil` for new work.
    var expected: Double?
    /// The allowed increase in percent.
    var tolerance: Double

    /// The change in percent.
    var change: Double? { expected.map { (measured / $0 - 1) * 100 } }

    /// Whether the figure exceeds its tolerance; new work also exceeds it, because it has no threshold.
    var isExceeded: Bool { change.map { $0 > tolerance } ?? true }

    var row: [String] {
        [
            name, Text.figure(measured), expected.map(Text.figure) ?? "-", change.map { Text.figure($0) + " %" } ?? "-",
            isExceeded ? "**FAILS**" : (change ?? 0) < -tolerance ? "better: --update" : "",
        ]
    }
}
