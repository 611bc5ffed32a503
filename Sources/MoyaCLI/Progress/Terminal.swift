import Foundation
import Moya

/// A terminal that a person looks at: lines that stay, and one below them that moves.
final class Terminal: Sendable {
    private let line = Locked(LiveLine())
    /// Keeps in order what comes from several threads.
    private let order = DispatchQueue(label: "moya-cli.Terminal")
    private let columns: @Sendable () -> Int
    private let send: @Sendable (String) -> Void

    /// - Parameters:
    ///   - columns: How wide it is now; people change that.
    ///   - send: Gets what it is to show, line ends and control characters included.
    init(columns: @escaping @Sendable () -> Int, send: @escaping @Sendable (String) -> Void) {
        self.columns = columns
        self.send = send
    }

    func write(_ text: String) { perform { $0.write(text) } }

    func draw(_ bar: ProgressBar) {
        // The last column stays free: in it, some terminals begin a new line.
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
    /// Whether standard output is a terminal that can draw a line anew.
    static func canRedraw(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && environment["TERM"] != "dumb"
    }

    /// How wide standard output is; 80 if it does not say.
    static var standardOutputColumns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
