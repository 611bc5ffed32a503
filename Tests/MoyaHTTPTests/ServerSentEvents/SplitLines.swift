import Foundation

@testable import MoyaHTTP

/// The lines of some chunks, and the following error, if any.
struct SplitLines: Equatable {
    var lines: [String] = []
    var error: StreamLimitError?

    init(lines: [String], error: StreamLimitError? = nil) {
        self.lines = lines
        self.error = error
    }

    /// Pushes the chunks one after the other and pulls after each.
    init(_ chunks: [Data], ends: LineSplitter.LineEnds, limit: Int = 100) {
        var splitter = LineSplitter(ends: ends, maximumLength: limit)
        do {
            for chunk in chunks {
                splitter.push(chunk)
                while let line = try splitter.next() { lines.append(line) }
            }
            splitter.finish()
            while let line = try splitter.next() { lines.append(line) }
        } catch {
            self.error = error
        }
    }
}
