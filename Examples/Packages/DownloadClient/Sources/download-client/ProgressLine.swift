import Moya

/// A line of a terminal that shows the progress of a download.
struct ProgressLine {
    private let start = ContinuousClock.now
    private let isShown: Bool

    /// Creates a line on standard error, which is not shown if standard error is a file or a pipe.
    init() {
        isShown = isatty(STDERR_FILENO) == 1
    }

    func show(_ progress: ProgressResponse) {
        guard isShown, let bytes = progress.progressObject else { return }
        let text = Self.text(
            received: bytes.completedUnitCount,
            total: bytes.totalUnitCount,
            seconds: (ContinuousClock.now - start) / .seconds(1)
        )
        // Returns to the beginning of the line, and clears it.
        write("\r\u{1B}[K" + text)
    }

    /// Ends the line, so that the next text begins a new one.
    func end() {
        if isShown { write("\n") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Returns the text of a line, such as " 42 %  12.6 MB of 30.0 MB  3.1 MB/s".
    ///
    /// The `total` is zero or less if the server did not send it.
    static func text(received: Int64, total: Int64, seconds: Double) -> String {
        let rate = seconds > 0 ? "  \(megabytes(Double(received) / seconds))/s" : ""
        guard total > 0 else { return "\(megabytes(Double(received)))\(rate)" }
        let percent = String(format: "%3d %%", received * 100 / total)
        return "\(percent)  \(megabytes(Double(received))) of \(megabytes(Double(total)))\(rate)"
    }

    private static func megabytes(_ bytes: Double) -> String { String(format: "%.1f MB", bytes / 1_000_000) }
}
