import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Events and lines of a stream have size limits")
struct EventLimitTests {
    /// A stream, its events before an error, and the error.
    struct Row: Sendable, CustomTestStringConvertible {
        let stream: String
        let events: [String]
        let error: StreamLimitError?

        init(_ stream: String, _ events: [String], _ error: StreamLimitError?) {
            self.stream = stream
            self.events = events
            self.error = error
        }

        var testDescription: String { stream.debugDescription }
    }

    /// The limits are 12 bytes for a line, and 5 bytes for the data of an event.
    static let table: [Row] = [
        // Data may have the size of the limit; the line feeds between its lines count.
        Row("data:12345\n\n", ["12345"], nil),
        Row("data: 12345\n\n", ["12345"], nil),
        Row("data:12\ndata:34\n\n", ["12\n34"], nil),
        Row("data:\ndata\ndata\ndata\ndata\ndata\n\n", ["\n\n\n\n\n"], nil),
        Row("data:12345\n\ndata:12345\n\n", ["12345", "12345"], nil),
        Row("data:éé1\n\n", ["éé1"], nil),
        // Larger data is refused.
        Row("data:123456\n\n", [], .eventTooLarge(limit: 5)),
        Row("data:12345\ndata:\n\n", [], .eventTooLarge(limit: 5)),
        Row("data:12\ndata:345\n\n", [], .eventTooLarge(limit: 5)),
        Row("data:\ndata\ndata\ndata\ndata\ndata\ndata\n\n", [], .eventTooLarge(limit: 5)),
        Row("data:ééé\n\n", [], .eventTooLarge(limit: 5)),
        // The excess is detected before the event is complete, and ends the stream.
        Row("data:123456\n", [], .eventTooLarge(limit: 5)),
        Row("data:a\n\ndata:123456\n\ndata:b\n\n", ["a"], .eventTooLarge(limit: 5)),
        // Other fields are not data.
        Row("event:12345\nid:123456\nfoo:123456\n:12345678901\ndata:12345\n\n", ["12345"], nil),
        // The limit of lines applies to any content.
        Row(":12345678901\ndata:a\n\n", ["a"], nil),
        Row(":123456789012\ndata:a\n\n", [], .lineTooLong(limit: 12)),
        Row(":123456789012", [], .lineTooLong(limit: 12)),
        Row("data:a\n\nid:1234567890", ["a"], .lineTooLong(limit: 12)),
        Row("\u{FEFF}foo:12345678\ndata:a\n\n", ["a"], nil),
        Row("data:12345678", [], .lineTooLong(limit: 12)),
    ]

    @Test("the sizes of events are counted in bytes, for any chunks", arguments: table)
    func limits(_ row: Row) {
        for (name, chunks) in StreamSplits(bytes: Data(row.stream.utf8)) {
            let parsed = ParsedStream(chunks, lineLimit: 12, eventLimit: 5)
            #expect(parsed.outputs.compactMap(\.data) == row.events, "\(name)")
            #expect(parsed.error == row.error, "\(name)")
        }
    }

    @Test(
        "an event stream that has exceeded a limit stays failed until the next stream",
        arguments: ["data:12345678\n", "data:123456\n"]
    )
    func staysFailed(_ stream: String) throws {
        var parser = EventStreamParser(maximumLineLength: 12, maximumEventSize: 5)
        parser.push(Data("id:1\ndata:a\n\n".utf8))
        #expect(try parser.next() == .event("a", id: "1"))
        parser.push(Data(stream.utf8))
        for _ in 0..<2 {
            #expect(throws: StreamLimitError.self) { try parser.next() }
            parser.push(Data("data:b\n\n".utf8))
        }
        parser.reset()
        parser.push(Data("data:c\n\n".utf8))
        #expect(try parser.next() == .event("c", id: "1"))
    }

    @Test("an event without data fits any maximum size", arguments: [0, -1, .min])
    func nothing(_ limit: Int) {
        let parsed = ParsedStream([Data("data\n\ndata:a\n\n".utf8)], eventLimit: limit)
        #expect(parsed.outputs == [.event("")])
        #expect(parsed.error == .eventTooLarge(limit: 0))
    }

    @Test(
        "endless data lines of an event are refused, and memory stays bounded",
        arguments: ["data:1234\n", "data\n", "data:"]
    )
    func endless(_ piece: String) throws {
        var parser = EventStreamParser(maximumLineLength: 1_000, maximumEventSize: 1_000)
        #expect(throws: StreamLimitError.self) {
            for _ in 0..<10_000 {
                parser.push(Data(piece.utf8))
                while try parser.next() != nil {}
                #expect(try heldBytes(parser) <= 2_100)
            }
        }
        #expect(try heldBytes(parser) == 0)
    }
}

extension EventStreamParser.Output {
    fileprivate var data: String? {
        if case .event(let event) = self { event.data } else { nil }
    }
}
