import Foundation
import Moya

/// The output of a run for a person, written while it happens.
struct Transcript: Sendable {
    private let style: TextStyle
    private let write: @Sendable (String) -> Void
    private let terminal: Terminal?

    /// Creates a transcript; `write` receives each line without its end.
    init(style: TextStyle = .plain, write: @escaping @Sendable (String) -> Void) {
        self.style = style
        self.write = write
        terminal = nil
    }

    /// Creates a transcript on a terminal, which also displays progress.
    init(style: TextStyle, terminal: Terminal) {
        self.style = style
        self.terminal = terminal
        write = { terminal.write($0) }
    }

    static var standardOutput: Transcript {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let environment = ProcessInfo.processInfo.environment
        let style = TextStyle(isTerminal: isTerminal, environment: environment)
        let send: @Sendable (String) -> Void = { text in
            // The error of a closed pipe is ignored.
            try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        }
        guard Terminal.canRedraw(isTerminal: isTerminal, environment: environment) else {
            return Transcript(style: style) { send("\($0)\n") }
        }
        return Transcript(
            style: style,
            terminal: Terminal(columns: { Terminal.standardOutputColumns }, send: send)
        )
    }

    func begin(stepCount: Int, server: ServerInUse) {
        let name = server.isEmbedded ? "an embedded server" : "a live server"
        write("\(style.bold("Moya demo")): \(stepCount) steps with \(name), \(server.baseURL.absoluteString)")
    }

    func begin(_ step: DemoStep, number: Int) {
        write("")
        write("\(number < 10 ? " " : "")\(number)  \(style.bold(step.title))")
        writeWrapped(step.code, after: "    ", continuation: 8, style: style.dim)
    }

    func writeRequest(_ request: URLRequest) {
        let text = RequestText(request)
        write("    \(style.blue("→")) \(text.line)")
        for detail in text.details { writeWrapped(detail, after: "      ", style: style.dim) }
    }

    func writeResult(_ result: Result<Response, MoyaError>, after time: Duration?, note: String?) {
        let text = ResultText(result)
        let extras = [time.map { $0.inMilliseconds }, text.source, note].compactMap { $0 }
        write("    \(style.blue("←")) \(([text.line] + extras).joined(separator: "  "))")
        for detail in text.details { writeWrapped(detail, after: "      ", style: style.dim) }
    }

    /// Returns a display for the current transfer; other lines can be written meanwhile.
    func progress() -> ProgressDisplay {
        ProgressDisplay(terminal: terminal) { [write, style] in write("    \(style.blue("…")) \($0)") }
    }

    func end(_ step: DemoStep, _ finding: Finding) {
        writeWrapped(finding.text, after: "    = ")
        let verdict = finding.isAsExpected ? "✓ expected:" : "✗ expected:"
        let lines = WrappedText("\(verdict) \(step.expectation)", start: 4, indentation: 6).lines
        let styled = finding.isAsExpected ? style.green(verdict) : style.red(verdict)
        for (index, line) in lines.enumerated() {
            write(index == 0 ? "    \(styled)\(line.dropFirst(verdict.count))" : line)
        }
    }

    /// Writes the lines of a tree of spans.
    func write(_ tree: [String]) {
        for line in tree { write("    \(style.dim(line))") }
    }

    /// Writes a text after a prefix, wrapped into lines.
    private func writeWrapped(
        _ text: String,
        after prefix: String,
        continuation: Int = 6,
        style: (String) -> String = { $0 }
    ) {
        let lines = WrappedText(text, start: prefix.count, indentation: continuation).lines
        for (index, line) in lines.enumerated() { write((index == 0 ? prefix : "") + style(line)) }
    }

    func end(_ report: DemoReport, after time: Duration) {
        let failures = report.steps.filter { !$0.isAsExpected }
        let count = "\(report.steps.count - failures.count) of \(report.steps.count) steps as expected"
        write("")
        if failures.isEmpty {
            write("\(style.green("✓ \(count)"))  \(time.inMilliseconds)")
        } else {
            let numbers = failures.map { String($0.number) }.joined(separator: ", ")
            write("\(style.red("✗ \(count), failed: \(numbers)"))  \(time.inMilliseconds)")
        }
    }
}

extension Duration {
    fileprivate var inMilliseconds: String {
        String(format: self < .milliseconds(1) ? "%.2f ms" : "%.1f ms", self / .milliseconds(1))
    }
}
