#if os(Linux)
import Foundation

/// The results of a scenario with all its variants, as text.
struct SimulationReport: Sendable {
    let scenario: Scenario
    let results: [(variant: String, result: Simulation.Result)]

    /// The number of seconds that a character of a row stands for.
    private static let step = 10

    var text: String {
        var lines = ["# \(scenario.name): \(scenario.text)", ""]
        let width = results.map(\.variant.count).max() ?? 0
        let highest = results.flatMap { sums($0.result.sent) + sums($0.result.offered) }.max() ?? 1
        lines.append(row("", ["load", "served", "p50", "p99", "recovery"], width))
        for (variant, result) in results { lines.append(row(variant, figures(result), width)) }
        for (variant, result) in results {
            lines += [
                "", variant,
                "  offered \(bars(result.offered, highest))",
                "  sent    \(bars(result.sent, highest))",
                "  served  \(bars(result.served, highest))",
                "  failed  \(bars(result.failed, highest))",
            ]
        }
        return lines.joined(separator: "\n")
    }

    private func figures(_ result: Simulation.Result) -> [String] {
        let fault = scenario.fault
        let isPassing = fault.upperBound < Scenario.seconds
        return [
            String(format: "%.2f", result.load(during: fault)),
            String(format: "%.1f %%", result.success(in: 0..<Scenario.seconds) * 100),
            milliseconds(result.time(atQuantile: 0.5)),
            milliseconds(result.time(atQuantile: 0.99)),
            isPassing ? result.recovery(after: fault).map { "\($0) s" } ?? "never" : "",
        ]
    }

    private func milliseconds(_ time: Duration) -> String { "\(Int((time / .milliseconds(1)).rounded())) ms" }

    private func row(_ name: String, _ cells: [String], _ width: Int) -> String {
        name.padding(toLength: width, withPad: " ", startingAt: 0)
            + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
    }

    private func sums(_ counts: [Int]) -> [Int] {
        stride(from: 0, to: counts.count, by: Self.step).map { start in
            counts[start..<min(start + Self.step, counts.count)].reduce(0, +)
        }
    }

    private func bars(_ counts: [Int], _ highest: Int) -> String {
        let marks = Array(" ▁▂▃▄▅▆▇█")
        let characters = sums(counts).map { count in
            count == 0 ? marks[0] : marks[max(1, min(8, Int((Double(count) / Double(highest) * 8).rounded())))]
        }
        return String(characters)
    }
}
#endif
