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

    /// Creates a table; `width` is in columns, and values below 50 are ignored.
    init(_ report: HARReport, width: Int) {
        self.report = report
        self.width = min(max(50, width), 400)
        isNarrow = self.width < 66
        barWidth = isNarrow ? 10 : min(60, self.width / 4)
        numberWidth = max(2, "\(report.rows.count)".count)
    }

    var lines: [String] {
        let server = report.commonOrigin.map { [trimmed(TerminalText($0).fitted(to: width))] } ?? []
        return server + [heading] + report.rows.map(line) + [""] + totals
    }

    private var heading: String {
        columns("#", "Method", "Status", "Size", "Time", "URL") + "Waterfall"
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
        var fixed = [(number, numberWidth, true), (method, 7, false), (status, 6, false)]
        if !isNarrow { fixed.append((size, 9, true)) }
        fixed.append((time, 8, true))
        let left = fixed.map { TerminalText($0).fitted(to: $1, alignsRight: $2) }.joined(separator: " ")
        let rest = max(4, width - left.count - 2 - barWidth)
        return "\(left) \(TerminalText(url).fitted(to: rest)) "
    }

    private func bar(_ row: HARReport.Row) -> String {
        guard report.span > 0 else { return "" }
        let scale = Double(barWidth) / report.span
        // At least one column, also for exchanges that take no time.
        let start = min(barWidth - 1, Int(row.start * scale))
        let end = min(barWidth, max(start + 1, Int(((row.start + row.duration) * scale).rounded())))
        var bar = String(repeating: " ", count: start)
        for column in start..<end {
            // The phase at the center of the column.
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
        var totals = [
            "\(count) \(count == 1 ? "exchange" : "exchanges"), \(report.failureCount) of them failed"
                + (statuses.isEmpty ? "" : ":"),
            statuses.joined(separator: ", "),
            "\(ByteCount(report.sentBytes)) sent, \(ByteCount(report.receivedBytes)) received, "
                + "in \(HARReport.Row.text(ofMilliseconds: report.span))",
        ]
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

/// Text from a file with control and invisible characters replaced, so that it is safe to print on a terminal.
struct TerminalText: Equatable, Sendable {
    let text: String

    init(_ text: some StringProtocol) {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { safe.append(Self.isSafe(scalar) ? scalar : "\u{FFFD}") }
        self.text = String(safe)
    }

    /// The width in terminal columns.
    var width: Int { text.unicodeScalars.reduce(0) { $0 + Self.width(of: $1) } }

    /// Returns the text with exactly the given width, truncated with `…` or padded with spaces.
    func fitted(to columns: Int, alignsRight: Bool = false) -> String {
        guard width > columns else {
            let spaces = String(repeating: " ", count: columns - width)
            return alignsRight ? spaces + text : text + spaces
        }
        var fitted = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            guard used + Self.width(of: scalar) < columns else { break }
            used += Self.width(of: scalar)
            fitted.append(scalar)
        }
        guard columns > 0 else { return "" }
        return String(fitted) + "…" + String(repeating: " ", count: max(0, columns - used - 1))
    }

    static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        // ASCII first, as looking up a category is slow.
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        switch scalar.properties.generalCategory {
        // Escape sequences, directional marks, joiners, line ends and unassigned characters.
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        // East Asian and pictographic characters (Unicode Standard Annex 11), approximately.
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            return 1
        }
    }
}
