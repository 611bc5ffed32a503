/// Selects the moments of a transfer that are logged: its quarters or, if the total is unknown, 1 MiB and each factor
/// of 16.
struct ProgressLog: Equatable, Sendable {
    private var last: ProgressBar?
    private var quarter = -1
    private var next: Int64? = 1 << 20

    /// Returns whether a moment is logged.
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

    /// Returns whether the last moment, which is passed, has not been logged.
    mutating func isMissing(_ bar: ProgressBar) -> Bool {
        defer { last = bar }
        return bar != last
    }
}
