/// How far a transfer has come, as a line of text.
struct ProgressBar: Equatable, Sendable {
    var completed: ByteCount
    /// `nil` while it is not known.
    var total: ByteCount?

    /// From 0 to 1; `nil` while the total is not known.
    var fraction: Double? {
        guard let total else { return nil }
        return total.bytes > 0 ? min(1, Double(completed.bytes) / Double(total.bytes)) : 1
    }

    /// Without the bar.
    var summary: String {
        guard let total, let percent else { return "\(completed)" }
        return "\(percent)  \(completed.description(of: total))"
    }

    /// In at most so many columns: with a bar if there is room for one and the total is known, otherwise without; as little
    /// as it takes, and at last nothing.
    func text(width: Int) -> String {
        let summary = summary
        if let fraction {
            let columns = min(Self.longestBar, width - summary.count - 3)
            if columns >= Self.shortestBar {
                let done = Int(fraction * Double(columns))
                let bar = String(repeating: "#", count: done) + String(repeating: "-", count: columns - done)
                return "[\(bar)] \(summary)"
            }
        }
        return [summary, percent ?? ""].first { $0.count <= width } ?? ""
    }

    /// Cut off, not rounded: 100 % is all of it.
    private var percent: String? {
        fraction.map { fraction in
            let number = String(Int(fraction * 100))
            return String(repeating: " ", count: 3 - number.count) + number + " %"
        }
    }

    private static let longestBar = 40
    private static let shortestBar = 10
}
