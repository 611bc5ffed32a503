import Foundation
import Moya

/// Displays the progress of a transfer: as a bar on a terminal, otherwise as a few lines.
final class ProgressDisplay: Sendable {
    private struct State: Sendable {
        var bar: ProgressBar?
        var log = ProgressLog()
    }

    private let terminal: Terminal?
    private let write: @Sendable (String) -> Void
    private let state = Locked(State())

    /// Creates a display.
    ///
    /// - Parameters:
    ///   - terminal: The terminal, if any.
    ///   - write: Receives lines if there is no terminal.
    init(terminal: Terminal?, write: @escaping @Sendable (String) -> Void) {
        self.terminal = terminal
        self.write = write
    }

    /// The last reported progress from 0 to 1.
    var fraction: Double { state.withLock { $0.bar?.fraction } ?? 0 }

    func show(_ progress: ProgressResponse) {
        guard let counted = progress.progressObject else { return }
        let total = counted.totalUnitCount
        show(
            ProgressBar(
                completed: ByteCount(counted.completedUnitCount),
                total: total < 0 ? nil : ByteCount(total)
            )
        )
    }

    func show(_ bar: ProgressBar) {
        let isDue = state.withLock { state in
            state.bar = bar
            return terminal == nil && state.log.isWorthALine(bar)
        }
        terminal?.draw(bar)
        if isDue { write(bar.summary) }
    }

    /// Removes the bar.
    func end() {
        guard let terminal else {
            let last = state.withLock { state in state.bar.flatMap { state.log.isMissing($0) ? $0 : nil } }
            if let last { write(last.summary) }
            return
        }
        terminal.clear()
    }
}

/// The progress of a transfer as a line of text.
struct ProgressBar: Equatable, Sendable {
    var completed: ByteCount
    /// The total; `nil` if unknown.
    var total: ByteCount?

    /// The progress from 0 to 1; `nil` if the total is unknown.
    var fraction: Double? {
        guard let total else { return nil }
        return total.bytes > 0 ? min(1, Double(completed.bytes) / Double(total.bytes)) : 1
    }

    /// The text without the bar.
    var summary: String {
        guard let total, let percent else { return "\(completed)" }
        return "\(percent)  \(completed.description(of: total))"
    }

    /// Returns the text with at most the given width.
    ///
    /// It includes the bar if there is space and the total is known. Without enough space it is shortened, finally to
    /// nothing.
    func text(width: Int) -> String {
        let summary = summary
        if let fraction {
            let columns = min(Self.longestBar, width - summary.count - 3)
            if columns >= Self.shortestBar {
                let done = Int(fraction * Double(columns))
                let bar = String(repeating: "#", count: done) + String(repeating: "-", count: columns - done)
                return "[\(bar)] \(summary)"
            }
        }
        return [summary, percent ?? ""].first { $0.count <= width } ?? ""
    }

    /// The percentage, truncated so that 100 % is reached only at the end.
    private var percent: String? {
        fraction.map { fraction in
            let number = String(Int(fraction * 100))
            return String(repeating: " ", count: 3 - number.count) + number + " %"
        }
    }

    private static let longestBar = 40
    private static let shortestBar = 10
}

/// Selects the moments of a transfer that are logged: its quarters or, if the total is unknown, 1 MiB and each factor
/// of 16.
struct ProgressLog: Equatable, Sendable {
    private var last: ProgressBar?
    private var quarter = -1
    private var next: Int64? = 1 << 20

    /// Returns whether a moment is logged.
    mutating func isWorthALine(_ bar: ProgressBar) -> Bool {
        if let fraction = bar.fraction {
            let reached = Int(fraction * 4)
            guard reached > quarter else { return false }
            quarter = reached
        } else {
            guard let next, bar.completed.bytes >= next else { return false }
            let (product, overflow) = bar.completed.bytes.multipliedReportingOverflow(by: 16)
            self.next = overflow ? nil : product
        }
        last = bar
        return true
    }

    /// Returns whether the last moment, which is passed, has not been logged.
    mutating func isMissing(_ bar: ProgressBar) -> Bool {
        defer { last = bar }
        return bar != last
    }
}

/// The control characters that redraw one line below lines that stay.
struct LiveLine: Equatable, Sendable {
    private var drawn = ""

    /// Draws the line; `nil` if it is unchanged.
    mutating func draw(_ text: String) -> String? {
        guard text != drawn else { return nil }
        drawn = text
        return "\r\(text)\(Self.clearRest)"
    }

    /// Removes the line; `nil` if there is none.
    mutating func clear() -> String? {
        guard !drawn.isEmpty else { return nil }
        drawn = ""
        return "\r\(Self.clearRest)"
    }

    /// Writes a permanent line in place of the redrawn one.
    mutating func write(_ line: String) -> String { "\(clear() ?? "")\(line)\n" }

    /// The control sequence "erase in line" (ECMA-48).
    private static let clearRest = "\u{1B}[K"
}
