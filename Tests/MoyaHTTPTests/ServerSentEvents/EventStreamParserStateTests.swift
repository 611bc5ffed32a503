import Foundation
import Testing

@testable import MoyaHTTP

@Suite("An event stream's parser keeps its state between chunks and streams")
struct EventStreamParserStateTests {
    private typealias Output = EventStreamParser.Output

    private static func parser(lastEventID: String = "", limit: Int = 1_000) -> EventStreamParser {
        EventStreamParser(lastEventID: lastEventID, maximumLineLength: limit, maximumEventSize: limit)
    }

    @Test("an event is available as soon as the first byte of its blank line has arrived")
    func atOnce() throws {
        var parser = Self.parser()
        parser.push(Data("data:a\r".utf8))
        #expect(try parser.next() == nil)
        parser.push(Data("\n".utf8))
        #expect(try parser.next() == nil)
        parser.push(Data("\r".utf8))
        #expect(try parser.next() == .event("a"))
        parser.push(Data("\ndata:b\n\r".utf8))
        #expect(try parser.next() == .event("b"))
        #expect(try parser.next() == nil)
    }

    @Test("the last event ID belongs to the event that was returned last")
    func lastEventIDInStep() throws {
        var parser = Self.parser(lastEventID: "0")
        parser.push(Data("data:a\n\nid:1\ndata:b\n\nid:2\n\nid:3\n".utf8))
        #expect(parser.lastEventID == "0")
        #expect(try parser.next() == .event("a", id: "0"))
        #expect(try parser.next() == .event("b", id: "1"))
        #expect(parser.lastEventID == "1")
        #expect(try parser.next() == .lastEventID("2"))
        #expect(parser.lastEventID == "2")
        #expect(try parser.next() == nil)
        #expect(parser.lastEventID == "2")
    }

    @Test("a new event stream keeps only the last event ID of its parser")
    func reset() throws {
        var parser = Self.parser()
        parser.push(Data("id:1\ndata:a\n\nid:2\nevent:e\ndata:b\ndat".utf8))
        #expect(try parser.next() == .event("a", id: "1"))
        #expect(try parser.next() == nil)
        parser.reset()
        #expect(parser.lastEventID == "1")
        parser.push(Data("\u{FEFF}data:c\n\n".utf8))
        #expect(try parser.next() == .event("c", id: "1"))
    }

    @Test("an LF at the beginning of a new event stream does not belong to the previous CR")
    func resetAfterCarriageReturn() throws {
        var parser = Self.parser()
        parser.push(Data("data:a\r".utf8))
        #expect(try parser.next() == nil)
        parser.reset()
        parser.push(Data("data:b\r".utf8))
        #expect(try parser.next() == nil)
        parser.push(Data("\n\n".utf8))
        #expect(try parser.next() == .event("b"))
    }

    @Test("pushed bytes that were not read as events are dropped with their stream")
    func resetDropsRest() throws {
        var parser = Self.parser()
        parser.push(Data("id:1\ndata:a\n\nid:2\ndata:b\n\n".utf8))
        #expect(try parser.next() == .event("a", id: "1"))
        parser.reset()
        #expect(try parser.next() == nil)
        #expect(parser.lastEventID == "1")
    }
}
