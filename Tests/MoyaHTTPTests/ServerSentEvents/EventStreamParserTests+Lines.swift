import Foundation

@testable import MoyaHTTP

extension EventStreamParserTests {
    static let examples: [Row] = [
        Row(
            "three messages, one of them with two lines",
            """
            data: This is the first message.

            data: This is the second message, it
            data: has two lines.

            data: This is the third message.


            """,
            [
                .event("This is the first message."),
                .event("This is the second message, it\nhas two lines."),
                .event("This is the third message."),
            ]
        ),
        Row(
            "types of events",
            """
            event: add
            data: 73857293

            event: remove
            data: 2153

            event: add
            data: 113411


            """,
            [.event("73857293", "add"), .event("2153", "remove"), .event("113411", "add")]
        ),
        Row("the stock ticker", "data: YHOO\ndata: +2\ndata: 10\n\n", [.event("YHOO\n+2\n10")]),
        Row(
            "four blocks: a comment, an ID, an ID that is cleared, and one that the end cuts off",
            """
            : test stream

            data: first event
            id: 1

            data:second event
            id

            data:  third event

            """,
            [.event("first event", id: "1"), .event("second event")]
        ),
        Row(
            "the fourth block with a blank line after it keeps its second space",
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [.event("first event", id: "1"), .event("second event"), .event(" third event")]
        ),
        Row(
            "data without a colon: nothing, a line feed, and a block that the end cuts off",
            "data\n\ndata\ndata\n\ndata:",
            [.event(""), .event("\n")]
        ),
        Row("the space after the colon is none", "data:test\n\ndata: test\n\n", [.event("test"), .event("test")]),
    ]

    static let lines: [Row] = [
        Row("nothing", "", []),
        Row("blank lines only", "\n\r\r\n\n\n", []),
        Row("LF", "data:a\ndata:b\n\n", [.event("a\nb")]),
        Row("CR", "data:a\rdata:b\r\r", [.event("a\nb")]),
        Row("CR LF", "data:a\r\ndata:b\r\n\r\n", [.event("a\nb")]),
        Row("all three", "data:a\rdata:b\r\ndata:c\ndata:d\n\r", [.event("a\nb\nc\nd")]),
        Row("LF CR is two ends", "data:a\n\rdata:b\n\r", [.event("a"), .event("b")]),
        Row("CR LF is one end: the event is not over", "data:a\r\ndata:b\r\n", []),
        Row("CR CR LF is two ends", "data:a\r\r\ndata:b\r\r\n", [.event("a"), .event("b")]),
        Row("CR LF CR is two ends", "data:a\r\n\rdata:b\r\n\r", [.event("a"), .event("b")]),
        Row("more blank lines do nothing", "\n\ndata:a\n\n\n\r\n\r\n\n", [.event("a")]),
        Row(
            "other separators are content",
            "data:a\u{2028}\u{85}\u{0B}\u{0C}b\n\n",
            [.event("a\u{2028}\u{85}\u{0B}\u{0C}b")]
        ),
        Row("the end without a line end", "data:a\n\ndata:b", [.event("a")]),
        Row("the end after one line end", "data:a\n\ndata:b\n", [.event("a")]),
        Row("a comment", ":a\n\n", []),
        Row("a comment of nothing", ":\n\n", []),
        Row("comments within an event", ":a\ndata:1\n: b\n:data:2\n:\ndata:3\n\n", [.event("1\n3")]),
        Row("a long comment", ":" + String(repeating: "x", count: 900) + "\ndata:a\n\n", [.event("a")]),
        Row("a comment with NUL", ":\0\ndata:a\n\n", [.event("a")]),
        Row("a byte order mark", "\u{FEFF}data:a\n\n", [.event("a")]),
        Row("a byte order mark before a comment", "\u{FEFF}:c\ndata:a\n\n", [.event("a")]),
        Row("a byte order mark before a blank line", "\u{FEFF}\n\ndata:a\n\n", [.event("a")]),
        Row("two byte order marks spoil the first line", "\u{FEFF}\u{FEFF}data:a\n\ndata:b\n\n", [.event("b")]),
        Row("a byte order mark later on", "data:a\n\n\u{FEFF}data:b\n\ndata:c\n\n", [.event("a"), .event("c")]),
        Row("a byte order mark after a line end", "\n\u{FEFF}data:b\n\n", []),
        Row("half a byte order mark", Data([0xEF, 0xBB]) + Data("data:a\n\ndata:b\n\n".utf8), [.event("b")]),
        Row("UTF-16 makes no sense", Data([0xFE, 0xFF]) + Data("data:a\n\ndata:b\n\n".utf8), [.event("b")]),
    ]
}
