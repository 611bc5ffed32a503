import Foundation
import MoyaHAR

/// Recorded traffic as lines of text, for a terminal.
struct HARTable {
    private let report: HARReport
    private let width: Int
    private let barWidth: Int
    private let numberWidth: Int

    /// - Parameter width: In columns; below 50 lines are longer than that.
    init(_ report: HARReport, width: Int) {
        self.report = report
        self.width = min(max(50, width), 400)
        barWidth = min(60, self.width / 4)
        numberWidth = max(2, "\(report.rows.count)".count)
    }

    var lines: [String] { [heading] + report.rows.map(line) + [""] + totals }

    private var heading: String {
        let origin = report.commonOrigin.map { "  \(TerminalText($0).text)" } ?? ""
        return TerminalText(
            columns("#", "Method", "Status", "Size", "Time", "URL\(origin)") + "Waterfall"
        ).text
    }

    private func line(_ row: HARReport.Row) -> String {
        let url = report.commonOrigin == nil ? row.entry.request.url : row.path
        let cells = columns(
            "\(row.number)",
            row.entry.request.method,
            row.status,
            row.sizeText,
            row.durationText,
            url
        )
        return trimmed(cells + bar(row))
    }

    private func columns(
        _ number: String,
        _ method: String,
        _ status: String,
        _ size: String,
        _ time: String,
        _ url: String
    ) -> String {
        let fixed: [(String, Int, Bool)] = [
            (number, numberWidth, true), (method, 7, false), (status, 6, false), (size, 9, true), (time, 8, true),
        ]
        let left = fixed.map { TerminalText($0).fitted(to: $1, alignsRight: $2) }.joined(separator: " ")
        let rest = width - left.count - 2 - barWidth
        guard rest >= 4 else { return left + " " }
        return "\(left) \(TerminalText(url).fitted(to: rest)) "
    }

    private func bar(_ row: HARReport.Row) -> String {
        guard report.span > 0 else { return "" }
        let scale = Double(barWidth) / report.span
        // What takes no time is seen, too: it has a column.
        let start = min(barWidth - 1, Int(row.start * scale))
        let end = min(barWidth, max(start + 1, Int(((row.start + row.duration) * scale).rounded())))
        var bar = String(repeating: " ", count: start)
        for column in start..<end {
            // What happens in the middle of the column.
            let time = (Double(column) + 0.5) / scale - row.start
            bar.append(row.sign(at: time))
        }
        return bar
    }

    private var totals: [String] {
        let statuses = Dictionary(grouping: report.rows, by: \.status).mapValues(\.count)
            .sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        let count = report.rows.count
        let slowest = report.rows.max { $0.duration < $1.duration }
        return [
            "\(count) \(count == 1 ? "exchange" : "exchanges"), \(report.failureCount) of them failed"
                + (statuses.isEmpty ? "" : ": \(statuses.joined(separator: ", "))"),
            "\(ByteCount(report.sentBytes)) sent, \(ByteCount(report.receivedBytes)) received, "
                + "in \(HARReport.Row.text(ofMilliseconds: report.span))",
        ]
            + (slowest.map { ["The slowest is \($0.number), \($0.durationText): \($0.entry.request.url)"] } ?? [])
            .map { TerminalText($0).fitted(to: width) }.map(trimmed)
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension HARReport.Row {
    /// For what the time went to, in milliseconds from the exchange's beginning.
    fileprivate func sign(at time: Double) -> Character {
        var end = 0.0
        for phase in phases {
            end += phase.duration
            if time < end { return phase.kind.sign }
        }
        return phases.last?.kind.sign ?? "-"
    }
}

extension HARReport.Phase.Kind {
    fileprivate var sign: Character {
        switch self {
        case .blocked, .dns, .connect, .ssl: "·"
        case .send, .wait: "-"
        case .receive: "#"
        }
    }
}
