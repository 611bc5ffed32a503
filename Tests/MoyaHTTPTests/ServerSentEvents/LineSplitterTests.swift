import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Bytes are split into lines")
struct LineSplitterTests {
    private static let mark = "\u{FEFF}"

    /// A stream and its lines.
    struct Row: Sendable, CustomTestStringConvertible {
        let stream: String
        let lines: [String]

        init(_ stream: String, _ lines: [String]) {
            self.stream = stream
            self.lines = lines
        }

        var testDescription: String { stream.debugDescription }
    }

    static let newlines: [Row] = [
        Row("", []),
        Row("a", ["a"]),
        Row("a\n", ["a"]),
        Row("a\r", ["a"]),
        Row("a\r\n", ["a"]),
        Row("\n", [""]),
        Row("\r", [""]),
        Row("\r\n", [""]),
        Row("\n\n", ["", ""]),
        Row("\r\r", ["", ""]),
        Row("\r\n\r\n", ["", ""]),
        Row("\n\r", ["", ""]),
        Row("\n\r\n", ["", ""]),
        Row("\r\r\n", ["", ""]),
        Row("\r\n\n", ["", ""]),
        Row("a\nb\rc\r\nd", ["a", "b", "c", "d"]),
        Row("a\n\nb\r\rc\r\n\r\nd\n", ["a", "", "b", "", "c", "", "d"]),
        // Other separators are content.
        Row("a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{2029}f\n", ["a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{2029}f"]),
        Row("é😀\n日本\n", ["é😀", "日本"]),
        // An LF ends a line even if a combining character follows.
        Row("a\n\u{301}b\n", ["a", "\u{301}b"]),
        Row("a\0b\n", ["a\0b"]),
    ]

    static let lineFeeds: [Row] = [
        Row("", []),
        Row("a", ["a"]),
        Row("a\n", ["a"]),
        Row("a\r\n", ["a"]),
        Row("a\r", ["a\r"]),
        Row("\r", ["\r"]),
        Row("\r\n", [""]),
        Row("\r\r\n", ["\r"]),
        Row("\n\r", ["", "\r"]),
        Row("a\rb\nc\r\nd", ["a\rb", "c", "d"]),
        Row("{\"a\":\r1}\n{}\r\n", ["{\"a\":\r1}", "{}"]),
    ]

    static let marks: [Row] = [
        Row(mark, []),
        Row(mark + "\n", [""]),
        Row(mark + "\r\na", ["", "a"]),
        Row(mark + "a\n", ["a"]),
        Row(mark + mark + "a\n", [mark + "a"]),
        Row("a" + mark + "\n", ["a" + mark]),
        Row("\n" + mark + "a\n", ["", mark + "a"]),
    ]

    @Test("a text is split into lines at LF, CR LF and CR", arguments: newlines + marks)
    func splitsAtNewlines(_ row: Row) {
        for (name, chunks) in StreamSplits(bytes: Data(row.stream.utf8)) {
            #expect(SplitLines(chunks, ends: .newlines).lines == row.lines, "\(name)")
        }
    }

    @Test("JSON lines are split at LF and CR LF, and a single CR is content", arguments: lineFeeds + marks)
    func splitsAtLineFeeds(_ row: Row) {
        for (name, chunks) in StreamSplits(bytes: Data(row.stream.utf8)) {
            #expect(SplitLines(chunks, ends: .lineFeeds).lines == row.lines, "\(name)")
        }
    }

    /// `?` stands for U+FFFD: one for each maximal part of an ill-formed sequence (WHATWG Encoding, section 8.1.1).
    static let illFormed: [(bytes: [UInt8], text: String)] = [
        ([0x80], "?"),
        ([0xFF], "?"),
        ([0xC0, 0x80], "??"),
        ([0xC3], "?"),
        ([0xC3, 0x41], "?A"),
        ([0xE0, 0x80], "??"),
        ([0xE2, 0x82], "?"),
        ([0xE2, 0x82, 0x41], "?A"),
        ([0xED, 0xA0, 0x80], "???"),
        ([0xF0, 0x9F, 0x98], "?"),
        ([0xF0, 0x9F, 0x98, 0x41], "?A"),
        ([0xF0, 0x9F, 0xC3, 0xA9], "?é"),
        ([0xF4, 0x90, 0x80, 0x80], "????"),
        ([0xF8, 0x88, 0x80, 0x80, 0x80], "?????"),
        // The beginning of a byte order mark is content.
        ([0xEF], "?"),
        ([0xEF, 0xBB], "?"),
        ([0xEF, 0xBB, 0x41], "?A"),
    ]

    @Test("ill-formed UTF-8 in a line becomes U+FFFD", arguments: illFormed)
    func repairs(_ bytes: [UInt8], text: String) {
        let text = text.replacing("?", with: "\u{FFFD}")
        for (name, chunks) in StreamSplits(bytes: Data(bytes + [0x0A, 0x41, 0x0D] + bytes)) {
            #expect(SplitLines(chunks, ends: .newlines).lines == [text, "A", text], "\(name)")
        }
    }

    @Test("the bytes of a line are returned unchanged")
    func bytes() throws {
        var splitter = LineSplitter(ends: .newlines, maximumLength: 10)
        splitter.push(Data([0xFF, 0x00, 0x0A, 0x0A, 0xC3]))
        splitter.finish()
        var lines: [[UInt8]] = []
        while let line = try splitter.nextBytes() { lines.append(Array(line)) }
        #expect(lines == [[0xFF, 0x00], [], [0xC3]])
    }

    @Test("a line is available as soon as the first byte of its end has arrived")
    func atOnce() throws {
        var splitter = LineSplitter(ends: .newlines, maximumLength: 10)
        splitter.push(Data("a".utf8))
        #expect(try splitter.next() == nil)
        splitter.push(Data("b\r".utf8))
        #expect(try splitter.next() == "ab")
        #expect(try splitter.next() == nil)
        splitter.push(Data("\n".utf8))
        #expect(try splitter.next() == nil)
        splitter.push(Data("\n".utf8))
        #expect(try splitter.next() == "")
        splitter.push(Data("\r".utf8))
        #expect(try splitter.next() == "")
        splitter.finish()
        #expect(try splitter.next() == nil)
        #expect(try splitter.next() == nil)
    }

    @Test("an incomplete byte order mark is dropped at the start of the lines")
    func splitMark() throws {
        var splitter = LineSplitter(ends: .newlines, maximumLength: 1)
        for byte in Array("\u{FEFF}a".utf8) {
            splitter.push(Data([byte]))
            #expect(try splitter.next() == nil)
        }
        splitter.push(Data("\n".utf8))
        #expect(try splitter.next() == "a")
    }

    @Test("chunks can be pushed before their lines are read")
    func pushedAhead() throws {
        var splitter = LineSplitter(ends: .newlines, maximumLength: 10)
        for chunk in ["a\r", "\nb", "c\n\r", "\n"] { splitter.push(Data(chunk.utf8)) }
        #expect(try splitter.next() == "a")
        splitter.push(Data("d".utf8))
        splitter.finish()
        var lines: [String] = []
        while let line = try splitter.next() { lines.append(line) }
        #expect(lines == ["bc", "", "d"])
    }
}
