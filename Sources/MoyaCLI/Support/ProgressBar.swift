import Foundation
import Moya

/// The progress of a transfer as a line of text.
struct ProgressBar: Equatable, Sendable {
    var completed: ByteCount
    /// The total; `nil` if unknown.
    var total: ByteCount?

    /// The progress from 0 to 1; `nil` if the total is unknown.
    var fraction: Double? {
        guard let total else { return nil }
        return total.bytes > 0 ? min(1, Double(completed.bytes) / Double(total.bytes)) : 1
    }

    /// The text without the bar.
    var summary: String {
        guard let total, let percent else { return "\(completed)" }
        return "\(percent)  \(completed.text(of: total))"
    }

    /// Returns the text with at most the given width.
    ///
    /// The text includes the bar if the total is known and the width suffices. A smaller width leaves only the summary, then only the
    /// percentage, then nothing.
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

    /// The percentage, truncated so that 100 % is reached only at the end.
    private var percent: String? {
        fraction.map { fraction in
            let number = String(Int(fraction * 100))
            return String(repeating: " ", count: 3 - number.count) + number + " %"
        }
    }

    private static let longestBar = 40
    private static let shortestBar = 10
}
