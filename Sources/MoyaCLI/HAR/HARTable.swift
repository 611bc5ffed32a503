import Foundation
import MoyaHAR

/// Recorded traffic as a table for a terminal.
struct HARTable {
    private let report: HARReport
    private let width: Int
    /// Whether columns are omitted to leave space for URLs.
    private let isNarrow: Bool
    private let barWidth: Int
    private let numberWidth: Int
    private let statusWidth: Int
    private let showsVersions: Bool

    /// Creates a table; `width` is the number of columns, limited to 50 to 400.
    init(_ report: HARReport, width: Int) {
        self.report = report
        self.width = min(max(50, width), 400)
        isNarrow = self.width < 66
        barWidth = isNarrow ? 10 : min(60, self.width / 4)
        numberWidth = max(2, "\(report.total)".count)
        statusWidth = max(6, report.rows.map(\.status.count).max() ?? 0)
        showsVersions = !isNarrow && report.rows.contains { !$0.httpVersion.isEmpty }
    }

    var lines: [String] {
        let server = report.commonOrigin.map { [trimmed(TerminalText($0).fitted(to: width))] } ?? []
        return server + [heading] + report.rows.map(line) + [""] + totals
    }

    private var heading: String {
        columns(
            number: "#",
            method: "Method",
            status: "Status",
            version: "HTTP",
            size: "Size",
            time: "Time",
            url: "URL"
        ) + "Waterfall"
    }

    private func line(_ row: HARReport.Row) -> String {
        let url = report.commonOrigin == nil ? row.entry.request.url : row.path
        let cells = columns(
            number: "\(row.number)",
            method: row.entry.request.method,
            status: row.status,
            version: row.httpVersion,
            size: row.sizeText,
            time: row.durationText,
            url: url
        )
        return trimmed(cells + bar(row))
    }

    private func columns(
        number: String,
        method: String,
        status: String,
        version: String,
        size: String,
        time: String,
        url: String
    ) -> String {
        var fixed = [(number, numberWidth, true), (method, 7, false), (status, statusWidth, false)]
        if showsVersions { fixed.append((version, 4, false)) }
        if !isNarrow { fixed.append((size, 9, true)) }
        fixed.append((time, 8, true))
        let left = fixed.map { TerminalText($0).fitted(to: $1, alignsRight: $2) }.joined(separator: " ")
        let rest = max(4, width - left.count - 2 - barWidth)
        return "\(left) \(TerminalText(url).fitted(to: rest)) "
    }

    private func bar(_ row: HARReport.Row) -> String {
        guard report.span > 0 else { return "" }
        let width = Double(barWidth)
        let first = report.scale.position(of: row.start) * width
        let last = report.scale.position(of: row.start + row.duration) * width
        // The bar has at least one column, even if the exchange takes no time.
        let start = min(barWidth - 1, Int(first))
        let end = min(barWidth, max(start + 1, Int(last.rounded())))
        var bar = String(repeating: " ", count: start)
        for column in start..<end {
            // The column shows the phase at its center.
            let time = report.scale.rate > 0 ? (Double(column) + 0.5 - first) / (report.scale.rate * width) : 0
            bar.append(row.sign(at: time))
        }
        return bar
    }

    private var totals: [String] {
        let statuses = Dictionary(grouping: report.rows, by: \.status).mapValues(\.count)
            .sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        let slowest = report.rows.max { $0.duration < $1.duration }
        var totals = [
            "\(report.countText), \(report.failureCount) of them failed"
                + (report.cancelledCount > 0 ? ", \(report.cancelledCount) cancelled" : "")
                + (statuses.isEmpty ? "" : ":"),
            statuses.joined(separator: ", "),
            "\(ByteCount(report.sentBytes)) sent, \(ByteCount(report.receivedBytes)) received, "
                + "in \(HARReport.Row.text(ofMilliseconds: report.span))",
        ]
        if report.scale.shortensGaps { totals.append("Idle gaps are shortened in the waterfall.") }
        if let slowest {
            totals.append("The slowest is \(slowest.number), \(slowest.durationText): \(slowest.entry.request.url)")
        }
        return totals.filter { !$0.isEmpty }.map { trimmed(TerminalText($0).fitted(to: width)) }
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension HARReport.Row {
    /// Returns the character for the phase at a time, in milliseconds since the start of the exchange.
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
