import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Event streams are parsed as the standard specifies (WHATWG HTML, section 9.2)")
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

    @Test("the event stream examples of the standard are parsed", arguments: examples)
    func parsesExamples(_ row: Row) { check(row) }

    @Test("the lines of an event stream have the standard's ends, comments, and byte order mark", arguments: lines)
    func parsesLines(_ row: Row) { check(row) }

    @Test("the fields of an event have a name, a colon, an optional space, and a value", arguments: fields)
    func parsesFields(_ row: Row) { check(row) }

    @Test("the data lines of an event are joined", arguments: data)
    func parsesData(_ row: Row) { check(row) }

    @Test("the field event sets the type of an event", arguments: types)
    func parsesTypes(_ row: Row) { check(row) }

    @Test("the field id sets the last event ID", arguments: ids)
    func parsesIds(_ row: Row) { check(row) }

    @Test("the field retry sets the reconnection time", arguments: retries)
    func parsesRetries(_ row: Row) { check(row) }

    @Test("the text of an event stream is always UTF-8", arguments: texts)
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
