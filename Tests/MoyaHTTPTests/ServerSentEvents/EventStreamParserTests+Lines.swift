import Foundation

@testable import MoyaHTTP

extension EventStreamParserTests {
    static let examples: [Row] = [
        Row(
            "three messages are parsed, one of them with two lines",
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
            "events have types",
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
        Row(
            "the stock ticker is one event with three lines",
            "data: YHOO\ndata: +2\ndata: 10\n\n",
            [.event("YHOO\n+2\n10")]
        ),
        Row(
            "a comment, an ID, a cleared ID and an incomplete block are parsed",
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
            "the fourth block, with a blank line after it, keeps its second space",
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [.event("first event", id: "1"), .event("second event"), .event(" third event")]
        ),
        Row(
            "data without a colon is empty, two lines are a line feed, and the last block is incomplete",
            "data\n\ndata\ndata\n\ndata:",
            [.event(""), .event("\n")]
        ),
        Row(
            "the space after the colon is not content",
            "data:test\n\ndata: test\n\n",
            [.event("test"), .event("test")]
        ),
    ]

    static let lines: [Row] = [
        Row("an empty stream has no events", "", []),
        Row("blank lines have no events", "\n\r\r\n\n\n", []),
        Row("LF ends a line", "data:a\ndata:b\n\n", [.event("a\nb")]),
        Row("CR ends a line", "data:a\rdata:b\r\r", [.event("a\nb")]),
        Row("CR LF ends a line", "data:a\r\ndata:b\r\n\r\n", [.event("a\nb")]),
        Row("a stream may mix the three line ends", "data:a\rdata:b\r\ndata:c\ndata:d\n\r", [.event("a\nb\nc\nd")]),
        Row("LF CR ends two lines", "data:a\n\rdata:b\n\r", [.event("a"), .event("b")]),
        Row("CR LF ends one line and no event", "data:a\r\ndata:b\r\n", []),
        Row("CR CR LF ends two lines", "data:a\r\r\ndata:b\r\r\n", [.event("a"), .event("b")]),
        Row("CR LF CR ends two lines", "data:a\r\n\rdata:b\r\n\r", [.event("a"), .event("b")]),
        Row("further blank lines have no effect", "\n\ndata:a\n\n\n\r\n\r\n\n", [.event("a")]),
        Row(
            "other separators are content",
            "data:a\u{2028}\u{85}\u{0B}\u{0C}b\n\n",
            [.event("a\u{2028}\u{85}\u{0B}\u{0C}b")]
        ),
        Row("an incomplete line is dropped with its event", "data:a\n\ndata:b", [.event("a")]),
        Row("an event without a blank line is dropped", "data:a\n\ndata:b\n", [.event("a")]),
        Row("a comment dispatches no event", ":a\n\n", []),
        Row("an empty comment dispatches no event", ":\n\n", []),
        Row("comments within an event are ignored", ":a\ndata:1\n: b\n:data:2\n:\ndata:3\n\n", [.event("1\n3")]),
        Row("a long comment is ignored", ":" + String(repeating: "x", count: 900) + "\ndata:a\n\n", [.event("a")]),
        Row("a comment with NUL is ignored", ":\0\ndata:a\n\n", [.event("a")]),
        Row("a byte order mark at the start is dropped", "\u{FEFF}data:a\n\n", [.event("a")]),
        Row("a byte order mark before a comment is dropped", "\u{FEFF}:c\ndata:a\n\n", [.event("a")]),
        Row("a byte order mark before a blank line is dropped", "\u{FEFF}\n\ndata:a\n\n", [.event("a")]),
        Row(
            "a second byte order mark makes the first field unknown",
            "\u{FEFF}\u{FEFF}data:a\n\ndata:b\n\n",
            [.event("b")]
        ),
        Row(
            "a later byte order mark makes its field unknown",
            "data:a\n\n\u{FEFF}data:b\n\ndata:c\n\n",
            [.event("a"), .event("c")]
        ),
        Row("a byte order mark after a line end makes its field unknown", "\n\u{FEFF}data:b\n\n", []),
        Row(
            "an incomplete byte order mark makes its field unknown",
            Data([0xEF, 0xBB]) + Data("data:a\n\ndata:b\n\n".utf8),
            [.event("b")]
        ),
        Row(
            "a byte order mark of UTF-16 makes its field unknown",
            Data([0xFE, 0xFF]) + Data("data:a\n\ndata:b\n\n".utf8),
            [.event("b")]
        ),
    ]
}
