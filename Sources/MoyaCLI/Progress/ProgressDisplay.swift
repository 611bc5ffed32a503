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
