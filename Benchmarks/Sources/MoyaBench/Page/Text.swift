import Foundation

/// Functions that format text for the page.
enum Text {
    /// Returns a table in Markdown.
    static func table(_ head: [String], _ rows: [[String]]) -> String {
        // The first column is text, and the others are numbers.
        let rule = head.indices.map { $0 == 0 ? "---" : "---:" }
        return ([head, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    /// Returns a table of verdicts.
    static func table(of verdicts: [Section.Verdict]) -> String {
        guard !verdicts.isEmpty else { return "" }
        return table(
            ["What", "Budget", "Measured", "Met"],
            verdicts.map { [$0.what, $0.budget, $0.measured, $0.isMet ? "yes" : "**no**"] }
        )
    }

    /// Returns a number with about three digits.
    static func figure(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        if value != 0, abs(value) < 10 {
            let text = String(format: "%.2f", value)
            return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
        }
        return abs(value) < 100 && value != value.rounded() ? String(format: "%.1f", value) : whole(value)
    }

    /// Returns the minimum and the maximum of several numbers.
    static func range(_ values: [Double]) -> String {
        "\(figure(values.min() ?? .nan)) to \(figure(values.max() ?? .nan))"
    }

    /// Returns a rounded number with separators between thousands.
    static func whole(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        var digits = String(format: "%.0f", abs(value))
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (value < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }
}
