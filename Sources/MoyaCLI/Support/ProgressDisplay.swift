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

    /// Removes the bar.
    func end() {
        guard let terminal else {
            let last = state.withLock { state in state.bar.flatMap { state.log.shouldWriteLast($0) ? $0 : nil } }
            if let last { write(last.summary) }
            return
        }
        terminal.clear()
    }
}

/// Selects the moments of a transfer that are written: its quarters, or 1 MiB and each factor of 16 if the total is unknown.
struct ProgressLog: Equatable, Sendable {
    private var last: ProgressBar?
    private var quarter = -1
    private var next: Int64? = 1 << 20

    /// Returns whether a moment is written.
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

    /// Returns whether the last moment is written, because it was not written before.
    mutating func shouldWriteLast(_ bar: ProgressBar) -> Bool {
        defer { last = bar }
        return bar != last
    }
}
