import ArgumentParser
import Foundation
import Workloads

/// Measures the layer's work without a network.
struct PipelineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipeline",
        abstract: "Time, instructions and allocations of each step, without a network."
    )

    @Option(help: "What `swift package benchmark --format jmh` wrote. Without it the time is measured here.")
    var jmh: String?
    @Flag(help: "Leaves the instructions out.")
    var withoutInstructions = false
    @OptionGroup
    var output: SectionOptions

    func run() async throws {
        let report = try jmh.map { try JMHReport(contentsOf: URL(fileURLWithPath: $0)) }
        let counter = withoutInstructions ? nil : InstructionCounter.find()
        var rows: [[String]] = []
        var verdicts: [Section.Verdict] = []
        for workload in Workload.pipeline {
            let time: Double =
                if let known = report?.nanoseconds(of: workload.name) {
                    known
                } else {
                    try await Timing.rounds(11, of: workload, each: .milliseconds(100)).median
                }
            let instructions = try counter?.instructions(of: workload.name)
            let allocations = try await Allocations.each(of: workload)
            rows.append([
                workload.title,
                Text.whole(time),
                instructions.map(Text.whole) ?? "-",
                allocations.map { Text.figure($0.count) } ?? "-",
                allocations.map { Text.whole($0.bytes) } ?? "-",
            ])
            if let budget = Self.budgets[workload.name] {
                verdicts.append(.atMost(budget, workload.title, measured: time, unit: " ns"))
            }
        }
        try output.write(
            Section(
                title: "The layer's own work",
                text: Self.explanation(isFromTool: report != nil, hasInstructions: counter != nil) + "\n\n"
                    + Text.table(["Each time", "time, ns", "instructions", "allocations", "bytes"], rows),
                verdicts: verdicts
            )
        )
    }

    /// The budgets in nanoseconds.
    private static let budgets: [String: Double] = [
        "stub-async": 1_500, "stub-callback": 1_500, "stub-async-5": 4_000, "stub-callback-5": 4_000,
    ]

    private static func explanation(isFromTool: Bool, hasInstructions: Bool) -> String {
        let time =
            isFromTool
            ? "The time is the median that ordo-one/benchmark measures, in samples of 1,000 repetitions. (It can count "
                + "instructions only with perf's counters, which many virtual machines lack.)"
            : "The time is the median processor time of 11 rounds of 100 ms."
        let instructions =
            hasInstructions
            ? "valgrind's callgrind counts the instructions: the figure is the difference of two runs with different "
                + "numbers of repetitions, so that one-time work does not count."
            : "Instructions were not counted, because valgrind is not installed."
        return """
            \(time) \(instructions) Allocations are calls of `malloc` and related functions and the requested bytes; replacements of \
            these functions count them, because the tool does not count allocations without its interposer. The five plugins \
            implement all four hooks with almost no work.
            """
    }
}
