import Foundation
import Moya

/// Shows how far one transfer has come: on a terminal as a bar, elsewhere as a few lines.
final class ProgressDisplay: Sendable {
    private struct State: Sendable {
        var bar: ProgressBar?
        var log = ProgressLog()
    }

    private let terminal: Terminal?
    private let write: @Sendable (String) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - terminal: Where there is one.
    ///   - write: Otherwise gets the lines.
    init(terminal: Terminal?, write: @escaping @Sendable (String) -> Void) {
        self.terminal = terminal
        self.write = write
    }

    /// How far it has come, as far as it has been told.
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

    /// Takes the bar away.
    func end() {
        guard let terminal else {
            let last = state.withLock { state in state.bar.flatMap { state.log.isMissing($0) ? $0 : nil } }
            if let last { write(last.summary) }
            return
        }
        terminal.clear()
    }
}
