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
            return terminal == nil && state.log.shouldWrite(bar)
        }
        terminal?.draw(bar)
        if isDue { write(bar.summary) }
    }

    /// Ends the display: removes the bar from a terminal, or writes the final progress as a line.
    func end() {
        guard let terminal else {
            let last = state.withLock { state in state.bar.flatMap { state.log.shouldWriteLast($0) ? $0 : nil } }
            if let last { write(last.summary) }
            return
        }
        terminal.clear()
    }
}

/// Selects the progress values that are written as lines: each quarter of a transfer; or, if the total is unknown, the first value of
/// at least 1 MiB and each value 16 times larger.
struct ProgressLog: Equatable, Sendable {
    private var last: ProgressBar?
    private var quarter = -1
    private var next: Int64? = 1 << 20

    /// Returns whether the progress is written as a line.
    mutating func shouldWrite(_ bar: ProgressBar) -> Bool {
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

    /// Returns whether the final progress is written: only if it differs from the last line.
    mutating func shouldWriteLast(_ bar: ProgressBar) -> Bool {
        defer { last = bar }
        return bar != last
    }
}
