import Foundation
import Testing

@testable import MoyaHTTP

@Suite("The length of a line is limited")
struct LineLimitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let stream: String
        let ends: LineSplitter.LineEnds
        /// The lines at the beginning.
        let lines: [String]
        let isTooLong: Bool

        init(_ stream: String, ends: LineSplitter.LineEnds = .newlines, _ lines: [String], tooLong: Bool = false) {
            self.stream = stream
            self.ends = ends
            self.lines = lines
            isTooLong = tooLong
        }

        var testDescription: String { "\(stream.debugDescription), \(ends)" }
    }

    private static let mark = "\u{FEFF}"

    /// The limit is five bytes.
    static let table: [Row] = [
        // A line may have the length of the limit; its end does not count.
        Row("12345\n", ["12345"]),
        Row("12345\r", ["12345"]),
        Row("12345\r\n", ["12345"]),
        Row("12345", ["12345"]),
        Row("12345\r\n12345\r\n", ["12345", "12345"]),
        Row("12345\r\n", ends: .lineFeeds, ["12345"]),
        Row("1234\r", ends: .lineFeeds, ["1234\r"]),
        Row(mark + "12345\n", ["12345"]),
        // Longer lines are refused.
        Row("123456\n", [], tooLong: true),
        Row("123456\r", [], tooLong: true),
        Row("123456\r\n", [], tooLong: true),
        Row("123456", [], tooLong: true),
        Row("123456\r\n", ends: .lineFeeds, [], tooLong: true),
        Row(mark + "123456\n", [], tooLong: true),
        // A CR that belongs to the content counts.
        Row("12345\r", ends: .lineFeeds, [], tooLong: true),
        Row("12345\r\r\n", ends: .lineFeeds, [], tooLong: true),
        Row("12345\ra\n", ends: .lineFeeds, [], tooLong: true),
        // Bytes are counted, not characters.
        Row("éé1\n", ["éé1"]),
        Row("ééé\n", [], tooLong: true),
        // Earlier lines are returned, later ones are not.
        Row("1\n2\n123456\n3\n", ["1", "2"], tooLong: true),
        Row("1\n\n123456", ["1", ""], tooLong: true),
    ]

    @Test("the bytes of a line are counted without the line end, for any chunks", arguments: table)
    func limit(_ row: Row) {
        for (name, chunks) in StreamSplits(bytes: Data(row.stream.utf8)) {
            let split = SplitLines(chunks, ends: row.ends, limit: 5)
            #expect(split.lines == row.lines, "\(name)")
            #expect(split.error == (row.isTooLong ? .lineTooLong(limit: 5) : nil), "\(name)")
        }
    }

    @Test("a missing line end is detected one byte beyond the length limit")
    func noLineEnd() throws {
        var splitter = LineSplitter(ends: .newlines, maximumLength: 1_000)
        for _ in 0..<1_000 {
            splitter.push(Data("x".utf8))
            #expect(try splitter.next() == nil)
        }
        splitter.push(Data("x".utf8))
        // The error stays.
        for end in ["", "\n", "a\n"] {
            splitter.push(Data(end.utf8))
            #expect(throws: StreamLimitError.lineTooLong(limit: 1_000)) { try splitter.next() }
        }
    }

    @Test("a maximum line length of zero or less allows blank lines only", arguments: [0, -1, .min])
    func nothing(_ limit: Int) {
        #expect(SplitLines([Data("\n\r\n".utf8)], ends: .newlines, limit: limit) == .init(lines: ["", ""]))
        let split = SplitLines([Data("\na".utf8)], ends: .newlines, limit: limit)
        #expect(split == .init(lines: [""], error: .lineTooLong(limit: 0)))
    }

    @Test("the largest maximum line length is no limit")
    func greatest() {
        let line = String(repeating: "x", count: 10_000)
        #expect(SplitLines([Data(line.utf8)], ends: .lineFeeds, limit: .max) == .init(lines: [line]))
    }
}
