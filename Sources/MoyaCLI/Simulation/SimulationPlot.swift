#if os(Linux)
import Foundation

/// A drawing of a scenario's results: for each variant, the offered, sent and served requests per second.
struct SimulationPlot: Sendable {
    let report: SimulationReport

    private let width = 640.0
    private let rowHeight = 110.0
    private let left = 44.0
    private let top = 54.0
    /// The number of seconds that a point is the mean of.
    private let step = 5

    /// The drawing in SVG.
    var svg: String {
        let scenario = report.scenario
        let height = top + rowHeight * Double(report.results.count) + 24
        let highest = report.results.flatMap { means($0.result.sent) + means($0.result.offered) }.max() ?? 1
        let rows = report.results.enumerated().map { index, row in
            self.row(row.variant, row.result, top + rowHeight * Double(index), highest)
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" font-family="sans-serif" font-size="11">
            <rect width="100%" height="100%" fill="white"/>
            <text x="\(number(left))" y="18" font-size="14" font-weight="bold">\(scenario.name)</text>
            <text x="\(number(left))" y="36" fill="#444">\(scenario.text)</text>
            \(legend(["offered": "#999999", "sent": "#d95f02", "served": "#1b7837"]))
            \(rows.joined(separator: "\n"))
            <text x="\(number(left))" y="\(number(height - 8))" fill="#444">0 min</text>
            <text x="\(number(width - 10))" y="\(number(height - 8))" fill="#444" text-anchor="end">10 min</text>
            </svg>

            """
    }

    private func row(_ name: String, _ result: Simulation.Result, _ y: Double, _ highest: Double) -> String {
        let bottom = y + rowHeight - 20
        let fault = report.scenario.fault
        let shade =
            fault.count < Scenario.seconds
            ? """
            <rect x="\(number(x(fault.lowerBound)))" y="\(number(y + 14))" \
            width="\(number(x(fault.upperBound) - x(fault.lowerBound)))" height="\(number(rowHeight - 34))" fill="#eeeeee"/>
            """ : ""
        return """
            <text x="\(number(left))" y="\(number(y + 10))">\(name)</text>
            \(shade)
            <line x1="\(number(left))" y1="\(number(bottom))" x2="\(number(width - 10))" y2="\(number(bottom))" stroke="#bbbbbb"/>
            <text x="\(number(left - 6))" y="\(number(bottom))" text-anchor="end" fill="#444">0</text>
            <text x="\(number(left - 6))" y="\(number(y + 22))" text-anchor="end" fill="#444">\(Int(highest.rounded()))</text>
            \(line(result.offered, "#999999", y + 14, bottom, highest))
            \(line(result.sent, "#d95f02", y + 14, bottom, highest))
            \(line(result.served, "#1b7837", y + 14, bottom, highest))
            """
    }

    private func line(_ counts: [Int], _ color: String, _ top: Double, _ bottom: Double, _ highest: Double) -> String {
        let points = means(counts).enumerated().map { index, mean in
            "\(number(x(index * step + step / 2))),\(number(bottom - (bottom - top) * mean / max(highest, 1)))"
        }
        return "<polyline fill=\"none\" stroke=\"\(color)\" points=\"\(points.joined(separator: " "))\"/>"
    }

    private func legend(_ colors: KeyValuePairs<String, String>) -> String {
        colors.enumerated().map { index, entry in
            let x = width - 190 + Double(index) * 62
            return "<text x=\"\(number(x))\" y=\"18\" fill=\"\(entry.value)\">\(entry.key)</text>"
        }.joined()
    }

    private func means(_ counts: [Int]) -> [Double] {
        stride(from: 0, to: counts.count, by: step).map { start in
            Double(counts[start..<min(start + step, counts.count)].reduce(0, +)) / Double(step)
        }
    }

    private func x(_ second: Int) -> Double {
        left + (width - left - 10) * Double(second) / Double(Scenario.seconds)
    }

    private func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
#endif
