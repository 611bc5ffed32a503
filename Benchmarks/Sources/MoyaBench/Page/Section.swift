import ArgumentParser
import Foundation

/// One section of the page, as a command measured it.
struct Section: Codable {
    /// Whether a budget was met.
    struct Verdict: Codable {
        /// What the budget is for.
        var what: String
        /// What it may be: "at least 0.95".
        var budget: String
        /// What it is.
        var measured: String
        var isMet: Bool

        /// A figure that must not be below a limit.
        static func atLeast(_ limit: Double, _ what: String, _ measured: Double, _ unit: String = "") -> Verdict {
            Verdict(
                what: what,
                budget: "at least \(Text.figure(limit))\(unit)",
                measured: "\(Text.figure(measured))\(unit)",
                isMet: measured >= limit
            )
        }

        /// A figure that must not be above a limit.
        static func atMost(_ limit: Double, _ what: String, _ measured: Double, _ unit: String = "") -> Verdict {
            Verdict(
                what: what,
                budget: "at most \(Text.figure(limit))\(unit)",
                measured: "\(Text.figure(measured))\(unit)",
                isMet: measured <= limit
            )
        }
    }

    var title: String
    /// Markdown.
    var text: String
    var verdicts: [Verdict] = []
}

/// Where a command leaves its section.
struct SectionOptions: ParsableArguments {
    @Option(help: "Also writes the section into this file, for the page.")
    var section: String?

    /// Shows a section, and keeps it if that was asked for.
    func write(_ section: Section) throws {
        print("## \(section.title)\n\n\(section.text)\n\n\(Text.table(of: section.verdicts))")
        guard let path = self.section else { return }
        try JSONEncoder().encode(section).write(to: URL(fileURLWithPath: path))
    }
}
