import ArgumentParser
import Foundation

/// Assembles the page from sections.
struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Writes the page of results from sections, and keeps the rest of it."
    )

    @Option(help: "The page. Only the text between its two marks is replaced; plots are in the folder beside it.")
    var page: String
    @Option(
        help: "The system's load average when measuring began: above 0.5, times and rates say less than they could."
    )
    var load: String
    @Option(help: "The compiler's version.")
    var swift: String
    @Option(help: "The file that has the versions of all packages.")
    var resolved: String
    @Option(help: "A further row for the table of the machine: Go=1.27")
    var version: [String] = []
    @Argument(help: "The files that have the sections.")
    var sections: [String]

    private static let begin = "<!-- What follows is written by scripts/bench/run. -->"
    private static let end = "<!-- What was before is written by scripts/bench/run. -->"

    func run() throws {
        let sections = try sections.map {
            try JSONDecoder().decode(Section.self, from: Data(contentsOf: URL(fileURLWithPath: $0)))
        }
        let verdicts = sections.flatMap(\.verdicts)
        let machine =
            Machine.rows(load: load, swift: swift, resolved: URL(fileURLWithPath: resolved))
            + version.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let parts =
            ["## Budgets\n\n\(Text.table(of: verdicts))", "## Machine\n\n\(Text.table(["", ""], machine))"]
            + sections.map { "## \($0.title)\n\n\($0.text)" }
        let generated = parts.joined(separator: "\n\n")
        print(generated)
        let file = URL(fileURLWithPath: page)
        let old = (try? String(contentsOf: file, encoding: .utf8)) ?? "# Results\n\n\(Self.begin)\n\(Self.end)\n"
        guard let start = old.range(of: Self.begin), let stop = old.range(of: Self.end),
            start.upperBound <= stop.lowerBound
        else { throw BenchFailure("\(page) has no marks around the section to replace.") }
        let new = old.replacingCharacters(in: start.upperBound..<stop.lowerBound, with: "\n\n\(generated)\n\n")
        try new.write(to: file, atomically: true, encoding: .utf8)
        let plots = file.deletingLastPathComponent().appendingPathComponent("plots")
        try FileManager.default.createDirectory(at: plots, withIntermediateDirectories: true)
        for (name, plot) in sections.flatMap(\.plots) {
            try plot.write(to: plots.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }
}
