import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Event streams are interpreted as the standard says (WHATWG HTML, section 9.2)")
struct EventStreamParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stream: Data
        let outputs: [EventStreamParser.Output]
        let lastEventID: String

        init(_ rule: String, _ stream: String, _ outputs: [EventStreamParser.Output], lastEventID: String = "") {
            self.init(rule, Data(stream.utf8), outputs, lastEventID: lastEventID)
        }

        init(_ rule: String, _ stream: Data, _ outputs: [EventStreamParser.Output], lastEventID: String = "") {
            testDescription = rule
            self.stream = stream
            self.outputs = outputs
            self.lastEventID = lastEventID
        }
    }

    @Test("the standard's own examples", arguments: examples)
    func parsesExamples(_ row: Row) { check(row) }

    @Test("lines: their ends, comments, the byte order mark", arguments: lines)
    func parsesLines(_ row: Row) { check(row) }

    @Test("fields: name, colon, one space, value", arguments: fields)
    func parsesFields(_ row: Row) { check(row) }

    @Test("data", arguments: data)
    func parsesData(_ row: Row) { check(row) }

    @Test("event", arguments: types)
    func parsesTypes(_ row: Row) { check(row) }

    @Test("id", arguments: ids)
    func parsesIds(_ row: Row) { check(row) }

    @Test("retry", arguments: retries)
    func parsesRetries(_ row: Row) { check(row) }

    @Test("text is UTF-8, whatever it says", arguments: texts)
    func parsesTexts(_ row: Row) { check(row) }

    private func check(_ row: Row) {
        var expected = ParsedStream()
        expected.outputs = row.outputs
        expected.lastEventID = row.lastEventID
        for (name, chunks) in StreamSplits(bytes: row.stream) {
            #expect(ParsedStream(chunks) == expected, "\(name)")
        }
        #expect(ReferenceEventStream.parse(row.stream) == expected, "the reference")
    }
}

extension EventStreamParser.Output {
    static func event(_ data: String, _ event: String = "message", id: String = "") -> Self {
        .event(ServerSentEvent(id: id, event: event, data: data))
    }
}
