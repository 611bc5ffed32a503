import Foundation
import Moya

/// A terminal with permanent lines and a redrawn line below them.
final class Terminal: Sendable {
    private let line = Locked(LiveLine())
    /// A serial queue that keeps the output of several threads in order.
    private let order = DispatchQueue(label: "moya-cli.Terminal")
    private let columns: @Sendable () -> Int
    private let send: @Sendable (String) -> Void

    /// Creates a terminal.
    ///
    /// - Parameters:
    ///   - columns: Returns the current width, which may change.
    ///   - send: Receives the output, including line ends and control characters.
    init(columns: @escaping @Sendable () -> Int, send: @escaping @Sendable (String) -> Void) {
        self.columns = columns
        self.send = send
    }

    func write(_ text: String) { perform { $0.write(text) } }

    func draw(_ bar: ProgressBar) {
        // The last column is not used, because some terminals wrap after it.
        let text = bar.text(width: columns() - Self.indent.count - 1)
        perform { $0.draw(Self.indent + text) }
    }

    func clear() { perform { $0.clear() } }

    private func perform(_ event: (inout LiveLine) -> String?) {
        order.sync {
            if let text = line.withLock({ event(&$0) }) { send(text) }
        }
    }

    private static let indent = "    "
}

extension Terminal {
    /// Returns whether standard output is a terminal that can redraw a line.
    static func canRedraw(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && environment["TERM"] != "dumb"
    }

    /// The width of standard output; 80 if unknown.
    static var standardOutputColumns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
