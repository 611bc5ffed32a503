/// What the guard says of one figure.
struct GuardFinding {
    var name: String
    var measured: Double
    /// What the thresholds have; `nil` for work that is new.
    var expected: Double?
    /// In per cent.
    var tolerance: Double

    /// In per cent.
    var change: Double? { expected.map { (measured / $0 - 1) * 100 } }

    /// Whether it costs more than it may. New work fails, too: it has no limit yet.
    var fails: Bool { change.map { $0 > tolerance } ?? true }

    var row: [String] {
        [
            name, Text.figure(measured), expected.map(Text.figure) ?? "-", change.map { Text.figure($0) + " %" } ?? "-",
            fails ? "**FAILS**" : (change ?? 0) < -tolerance ? "better: --update" : "",
        ]
    }
}
