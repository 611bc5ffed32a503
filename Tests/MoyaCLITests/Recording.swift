@testable import moya_cli

/// A transcript that is recorded instead of printed.
struct Recording: Sendable {
    let transcript: Transcript
    private let lines: AsyncStream<String>
    private let newLines: AsyncStream<String>.Continuation

    init(style: TextStyle = .plain) {
        let (lines, newLines) = AsyncStream<String>.makeStream()
        self.lines = lines
        self.newLines = newLines
        transcript = Transcript(style: style) { newLines.yield($0) }
    }

    /// Ends the recording, and returns its text.
    func text() async -> String {
        newLines.finish()
        var text = ""
        for await line in lines { text += "\(line)\n" }
        return text
    }
}
