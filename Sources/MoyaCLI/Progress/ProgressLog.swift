/// Picks the few moments of a transfer that are worth a line in a log: its quarters, or, while the total is not known, 1 MiB
/// and each time it has become sixteen times as much.
struct ProgressLog: Equatable, Sendable {
    private var last: ProgressBar?
    private var quarter = -1
    private var next: Int64? = 1 << 20

    /// Whether this moment gets a line.
    mutating func isWorthALine(_ bar: ProgressBar) -> Bool {
        if let fraction = bar.fraction {
            let reached = Int(fraction * 4)
            guard reached > quarter else { return false }
            quarter = reached
        } else {
            guard let next, bar.completed.bytes >= next else { return false }
            let (product, overflow) = bar.completed.bytes.multipliedReportingOverflow(by: 16)
            self.next = overflow ? nil : product
        }
        last = bar
        return true
    }

    /// Whether the last moment, which this is, still needs a line.
    mutating func isMissing(_ bar: ProgressBar) -> Bool {
        defer { last = bar }
        return bar != last
    }
}
