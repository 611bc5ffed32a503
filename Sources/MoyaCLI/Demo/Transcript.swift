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
            // A closed pipe is ignored.
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
        write("    ", step.code, continuation: 8, style: style.dim)
    }

    func sent(_ request: URLRequest) {
        let text = RequestText(request)
        write("    \(style.blue("→")) \(text.line)")
        for detail in text.details { write("      ", detail, style: style.dim) }
    }

    func received(_ result: Result<Response, MoyaError>, after time: Duration?, note: String?) {
        let text = ResultText(result)
        let extras = [time.map { $0.inMilliseconds }, text.source, note].compactMap { $0 }
        write("    \(style.blue("←")) \(([text.line] + extras).joined(separator: "  "))")
        for detail in text.details { write("      ", detail, style: style.dim) }
    }

    /// Returns a display for the current transfer; other lines can be written meanwhile.
    func progress() -> ProgressDisplay {
        ProgressDisplay(terminal: terminal) { [write, style] in write("    \(style.blue("…")) \($0)") }
    }

    func end(_ step: DemoStep, _ finding: Finding) {
        write("    = ", finding.text)
        let verdict = finding.isAsExpected ? "✓ expected:" : "✗ expected:"
        let lines = WrappedText("\(verdict) \(step.expectation)", start: 4, indentation: 6).lines
        let styled = finding.isAsExpected ? style.green(verdict) : style.red(verdict)
        for (index, line) in lines.enumerated() {
            write(index == 0 ? "    \(styled)\(line.dropFirst(verdict.count))" : line)
        }
    }

    /// Writes a text after a prefix, in as many lines as it needs.
    private func write(
        _ prefix: String,
        _ text: String,
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

/// Writes the requests and results of a provider to a transcript; requests must be sequential.
final class TranscriptPlugin: PluginType {
    private let transcript: Transcript
    private let note: String?
    private let start = Locked<ContinuousClock.Instant?>(nil)

    /// Creates a plugin; `note` is added to each response.
    init(_ transcript: Transcript, note: String? = nil) {
        self.transcript = transcript
        self.note = note
    }

    func willSend(_ request: any RequestType, target: any TargetType) {
        if let request = request.request { transcript.sent(request) }
        start.withLock { $0 = .now }
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        let time = start.withLock { start in
            defer { start = nil }
            return start.map { .now - $0 }
        }
        transcript.received(result, after: time, note: note)
    }
}

/// The style of text: colors where supported, otherwise none.
struct TextStyle: Equatable, Sendable {
    static let plain = TextStyle(isColored: false)

    let isColored: Bool

    init(isColored: Bool) { self.isColored = isColored }

    /// Creates the style for an output, according to the environment (no-color.org).
    init(isTerminal: Bool, environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColored = isTerminal && !isRefused && environment["TERM"] != "dumb"
    }

    func bold(_ text: String) -> String { set(text, "1") }
    func dim(_ text: String) -> String { set(text, "2") }
    func red(_ text: String) -> String { set(text, "31") }
    func green(_ text: String) -> String { set(text, "32") }
    func blue(_ text: String) -> String { set(text, "34") }

    private func set(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
