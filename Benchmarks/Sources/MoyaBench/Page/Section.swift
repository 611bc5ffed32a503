import ArgumentParser
import Foundation

/// One section of the page, written by one command.
struct Section: Codable {
    /// The comparison of a figure with its budget.
    struct Verdict: Codable {
        /// The name of the figure.
        var what: String
        /// The budget: "at least 0.95".
        var budget: String
        /// The measured value.
        var measured: String
        var isMet: Bool

        /// Returns the verdict for a figure with a lower limit.
        static func atLeast(_ limit: Double, _ what: String, measured: Double, unit: String = "") -> Verdict {
            Verdict(
                what: what,
                budget: "at least \(Text.figure(limit))\(unit)",
                measured: "\(Text.figure(measured))\(unit)",
                isMet: measured >= limit
            )
        }

        /// Returns the verdict for a figure with an upper limit.
        static func atMost(_ limit: Double, _ what: String, measured: Double, unit: String = "") -> Verdict {
            Verdict(
                what: what,
                budget: "at most \(Text.figure(limit))\(unit)",
                measured: "\(Text.figure(measured))\(unit)",
                isMet: measured <= limit
            )
        }
    }

    var title: String
    /// The content in Markdown.
    var text: String
    var verdicts: [Verdict] = []
    /// The plots as SVG by their file names; the text refers to them in the folder `plots`.
    var plots: [String: String] = [:]
}

/// The option for the file of a command's section.
struct SectionOptions: ParsableArguments {
    @Option(help: "Also writes the section into this file, for the page.")
    var section: String?

    /// Prints a section, and writes it to the file if one was given.
    func write(_ section: Section) throws {
        print("## \(section.title)\n\n\(section.text)\n\n\(Text.table(of: section.verdicts))")
        guard let path = self.section else { return }
        try JSONEncoder().encode(section).write(to: URL(fileURLWithPath: path))
    }
}
