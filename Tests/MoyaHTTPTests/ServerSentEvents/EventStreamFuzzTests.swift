import Foundation
import TestSupport
import TestTraits
import Testing

@testable import MoyaHTTP

@Suite("The parsers of event streams follow the rules for any bytes", .ownThread)
struct EventStreamFuzzTests {
    /// The parts of fields, and bytes that break them.
    private static let pieces = [
        "data", "event", "id", "retry", ":", ": ", " ", "\n", "\r", "\r\n", "\n\n", "\0", "1", "23", "x", "é",
        "\u{301}",
        "😀", "\u{FEFF}", "foo", "data:a\n\n", "id:7\n", "retry:5\n", "event:e\n",
    ]

    private static func stream(seed: UInt64) -> Data {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...60, using: &random)
        switch seed % 3 {
        case 0: return random.bytes(count, pieces: pieces)
        case 1:
            return random.bytes(count * 3, from: Array("daeti:r \n\r1\0".utf8) + [0xEF, 0xBB, 0xBF, 0xC3, 0xA9, 0xFF])
        default: return random.bytes(count, from: Array(0...255)) + random.bytes(count, pieces: pieces)
        }
    }

    @Test(
        "the parsed events are the events of a reference that parses the whole text",
        arguments: (0..<10).map { UInt64($0) }
    )
    func reference(_ batch: UInt64) {
        for seed in batch * 100..<(batch + 1) * 100 {
            let stream = Self.stream(seed: seed)
            let expected = ReferenceEventStream.parse(stream)
            for (name, chunks) in StreamSplits(bytes: stream, seeds: seed..<seed + 3) {
                #expect(ParsedStream(chunks) == expected, "stream \(seed), \(name)")
            }
        }
    }

    @Test(
        "the limits of an event stream apply at the same position for any chunks",
        arguments: (0..<10).map { UInt64($0) }
    )
    func limits(_ batch: UInt64) throws {
        for seed in batch * 100..<(batch + 1) * 100 {
            let stream = Self.stream(seed: seed)
            let expected = ParsedStream([stream], lineLimit: 8, eventLimit: 4)
            for (name, chunks) in StreamSplits(bytes: stream, seeds: seed..<seed + 3) {
                #expect(ParsedStream(chunks, lineLimit: 8, eventLimit: 4) == expected, "stream \(seed), \(name)")
            }
        }
    }

    @Test(
        "the buffers of an event stream contain at most the limits and one chunk",
        arguments: (0..<5).map { UInt64($0) }
    )
    func memory(_ batch: UInt64) throws {
        for seed in batch * 100..<(batch + 1) * 100 {
            for (name, chunks) in StreamSplits(bytes: Self.stream(seed: seed), seeds: seed..<seed + 1) {
                var parser = EventStreamParser(maximumLineLength: 8, maximumEventSize: 4)
                for chunk in chunks {
                    parser.push(chunk)
                    while let output = try? parser.next() { _ = output }
                    // A chunk is kept until the next one arrives; the data ends with a line feed.
                    let held = try heldBytes(parser)
                    #expect(held <= 2 * (8 + chunk.count) + 3 + 5, "stream \(seed), \(name)")
                }
            }
        }
    }

    @Test(
        "the parsed lines are the lines of a reference, with and without a final terminator",
        arguments: [LineSplitter.LineEnds.newlines, .lineFeeds]
    )
    func lines(_ ends: LineSplitter.LineEnds) {
        for seed in 0..<UInt64(500) {
            let stream = Self.stream(seed: seed)
            let expected = SplitLines(lines: Self.lines(of: stream, ends: ends))
            for (name, chunks) in StreamSplits(bytes: stream, seeds: seed..<seed + 3) {
                #expect(SplitLines(chunks, ends: ends, limit: 1_000) == expected, "stream \(seed), \(name)")
            }
        }
    }

    /// Splits after replacing every line end by LF.
    private static func lines(of stream: Data, ends: LineSplitter.LineEnds) -> [String] {
        var text = String(decoding: stream, as: UTF8.self).replacingOccurrences(
            of: "\r\n",
            with: "\n",
            options: .literal
        )
        if ends == .newlines { text = text.replacingOccurrences(of: "\r", with: "\n", options: .literal) }
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var lines = scalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
