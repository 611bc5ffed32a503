import Foundation

@testable import MoyaHTTP

extension EventStreamParserTests {
    static let fields: [Row] = [
        Row("one space after the colon is removed", "data: a\n\n", [.event("a")]),
        Row("a second space is content", "data:  a\n\n", [.event(" a")]),
        Row("a tab is content", "data:\ta\n\n", [.event("\ta")]),
        Row("a no-break space is content", "data:\u{A0}a\n\n", [.event("\u{A0}a")]),
        Row("spaces at the end are content", "data: a \n\n", [.event("a ")]),
        Row("only the first colon separates", "data:a:b\ndata::\ndata: :c\n\n", [.event("a:b\n:\n:c")]),
        Row("names in another case are unknown", "Data:a\nDATA:b\ndata:c\nEvent:x\nID:1\n\n", [.event("c")]),
        Row("a space before the name makes the field unknown", " data:a\ndata:b\n\n", [.event("b")]),
        Row("a space after the name makes the field unknown", "data :a\ndata:b\n\n", [.event("b")]),
        Row(
            "unknown fields are ignored",
            "dat:a\ndataa:b\nfoo\nfoo:bar\n\u{0}data:c\ndata\0:d\ndata:e\n\n",
            [.event("e")]
        ),
        Row("a line of NUL is an unknown field", "\0\n\ndata:a\n\n", [.event("a")]),
        Row("a line of a space does not end an event", "data:a\n \ndata:b\n\n", [.event("a\nb")]),
        Row(
            "the fields of an event may have any order",
            "id:1\nretry:5\ndata:a\nevent:e\ndata:b\n\n",
            [.retry(.milliseconds(5)), .event("a\nb", "e", id: "1")],
            lastEventID: "1"
        ),
    ]

    static let data: [Row] = [
        Row("an empty value is an event without text", "data:\n\n", [.event("")]),
        Row("a name without a colon has an empty value", "data\n\n", [.event("")]),
        Row("a value of one space is empty", "data: \n\n", [.event("")]),
        Row("a value of two spaces is one space", "data:  \n\n", [.event(" ")]),
        Row("two empty values are a line feed", "data\ndata:\n\n", [.event("\n")]),
        Row("three empty values are two line feeds", "data:\ndata\ndata: \n\n", [.event("\n\n")]),
        Row("only the last line feed is removed", "data:a\ndata:\n\n", [.event("a\n")]),
        Row("an empty value before another one is a line feed", "data:\ndata:a\n\n", [.event("\na")]),
        Row("other fields do not separate the data", "data:a\nfoo:b\n:c\ndata:d\n\n", [.event("a\nd")]),
        Row("the data is not kept for the next event", "data:a\n\ndata:b\n\n", [.event("a"), .event("b")]),
        Row("NUL is content", "data:a\0b\n\n", [.event("a\0b")]),
        Row("a value may look like a field", "data:data:a\ndata: id: 1\n\n", [.event("data:a\nid: 1")]),
    ]

    static let types: [Row] = [
        Row("the value is the type", "event:e\ndata:a\n\n", [.event("a", "e")]),
        Row("the type applies to one event", "event:e\ndata:a\n\ndata:b\n\n", [.event("a", "e"), .event("b")]),
        Row("the last value of a block applies", "event:e\nevent: f\ndata:a\n\n", [.event("a", "f")]),
        Row("an empty value is the standard type", "event:\ndata:a\n\n", [.event("a")]),
        Row("an empty value replaces an earlier one", "event:e\nevent\ndata:a\n\n", [.event("a")]),
        Row("a type may be a space", "event:  \ndata:a\n\n", [.event("a", " ")]),
        Row("the field may follow the data", "data:a\nevent:e\n\n", [.event("a", "e")]),
        Row("a block without data dispatches no event and resets the type", "event:e\n\ndata:a\n\n", [.event("a")]),
        Row("the standard type may be named", "event:message\ndata:a\n\n", [.event("a")]),
        Row("the type may have NUL and control characters", "event:\0\u{1}\ndata:a\n\n", [.event("a", "\0\u{1}")]),
    ]

    static let ids: [Row] = [
        Row(
            "the ID applies to later events",
            "id:1\ndata:a\n\ndata:b\n\n",
            [.event("a", id: "1"), .event("b", id: "1")],
            lastEventID: "1"
        ),
        Row(
            "a later ID replaces the ID",
            "id:1\ndata:a\n\nid:2\ndata:b\n\n",
            [.event("a", id: "1"), .event("b", id: "2")],
            lastEventID: "2"
        ),
        Row("the last value of a block applies", "id:1\nid:2\ndata:a\n\n", [.event("a", id: "2")], lastEventID: "2"),
        Row("an empty value clears the ID", "id:1\ndata:a\n\nid:\ndata:b\n\n", [.event("a", id: "1"), .event("b")]),
        Row(
            "a field without a colon clears the ID",
            "id:1\ndata:a\n\nid\ndata:b\n\ndata:c\n\n",
            [.event("a", id: "1"), .event("b"), .event("c")]
        ),
        Row("the field may follow the data", "data:a\nid:1\n\n", [.event("a", id: "1")], lastEventID: "1"),
        Row(
            "a value with NUL is ignored",
            "id:1\ndata:a\n\nid:2\0\ndata:b\n\n",
            [.event("a", id: "1"), .event("b", id: "1")],
            lastEventID: "1"
        ),
        Row("a value of NUL is ignored", "id:\0\ndata:a\n\n", [.event("a")]),
        Row("NUL at any place makes the value invalid", "id:\u{0}1\nid:1\u{0}2\ndata:a\n\n", [.event("a")]),
        Row(
            "a value with NUL does not replace an earlier value of the block",
            "id:1\nid:2\0\ndata:a\n\n",
            [.event("a", id: "1")],
            lastEventID: "1"
        ),
        Row(
            "a block without data sets the ID",
            "id:1\n\ndata:a\n\n",
            [.lastEventID("1"), .event("a", id: "1")],
            lastEventID: "1"
        ),
        Row(
            "a block without data clears the ID",
            "id:1\ndata:a\n\nid\n\ndata:b\n\n",
            [.event("a", id: "1"), .lastEventID(""), .event("b")]
        ),
        Row(
            "a block without data and ID changes nothing",
            "id:1\n\nevent:e\n\n:c\n\n",
            [.lastEventID("1")],
            lastEventID: "1"
        ),
        Row(
            "an incomplete block does not set the ID",
            "id:1\ndata:a\n\nid:2\ndata:b\n",
            [.event("a", id: "1")],
            lastEventID: "1"
        ),
        Row(
            "the ID may be any text",
            "id: …é \u{1}\ndata:a\n\n",
            [.event("a", id: "…é \u{1}")],
            lastEventID: "…é \u{1}"
        ),
    ]

    private static let year = Duration.seconds(365 * 24 * 3_600)

    static let retries: [Row] = [
        Row("the value is in milliseconds", "retry:1500\n", [.retry(.milliseconds(1_500))]),
        Row(
            "the time is reported before the event",
            "data:a\nretry: 10\n\n",
            [.retry(.milliseconds(10)), .event("a")]
        ),
        Row("the field alone dispatches no event", "retry:10\n\n", [.retry(.milliseconds(10))]),
        Row(
            "each field is reported",
            "retry:1\nretry:2\n\nretry:1\n",
            [.retry(.milliseconds(1)), .retry(.milliseconds(2)), .retry(.milliseconds(1))]
        ),
        Row("zero is valid", "retry:0\n", [.retry(.zero)]),
        Row(
            "leading zeros are ignored",
            "retry:" + String(repeating: "0", count: 100) + "7\n",
            [.retry(.milliseconds(7))]
        ),
        Row("an empty value is ignored", "retry:\nretry\nretry: \ndata:a\n\n", [.event("a")]),
        Row(
            "a value that is not digits is ignored",
            "retry:abc\nretry:-1\nretry:+1\nretry:1.5\nretry:1e3\nretry:0x10\n",
            []
        ),
        Row(
            "a value with other characters is ignored",
            "retry:1000x\nretry:x1000\nretry:10 00\nretry:1000 \nretry:  1000\nretry:1000:\n",
            []
        ),
        Row("digits of other scripts are ignored", "retry:١٢٣\nretry:１０００\n", []),
        Row("a value with NUL is ignored", "retry:1\0\nretry:\0\n", []),
        Row("a year is valid", "retry:31536000000\n", [.retry(year)]),
        Row("a longer time counts as a year", "retry:31536000001\n", [.retry(year)]),
        Row(
            "a number of more than 64 bits counts as a year",
            "retry:9223372036854775808\nretry:18446744073709551616\n",
            [.retry(year), .retry(year)]
        ),
        Row(
            "a number of any length counts as a year",
            "retry:" + String(repeating: "9", count: 900) + "\n",
            [.retry(year)]
        ),
        Row("an incomplete line is ignored", "retry:1", []),
    ]

    static let texts: [Row] = [
        Row(
            "letters of all scripts are content",
            "data:é日本😀\nevent:ü\nid:ñ\n\n",
            [.event("é日本😀", "ü", id: "ñ")],
            lastEventID: "ñ"
        ),
        Row("text is not normalized", "data:\u{E9}e\u{301}\n\n", [.event("\u{E9}e\u{301}")]),
        Row("a combining character after the colon is content", "data:\u{301}a\n\n", [.event("\u{301}a")]),
        Row("a combining character after the space is content", "data: \u{301}a\n\n", [.event("\u{301}a")]),
        Row("a combining character after the name makes the field unknown", "data\u{301}:a\ndata:b\n\n", [.event("b")]),
        Row(
            "ill-formed sequences become U+FFFD",
            Data("data:".utf8) + Data([0xC3, 0x28, 0xFF]) + Data("\n\n".utf8),
            [.event("\u{FFFD}(\u{FFFD}")]
        ),
        Row(
            "a line end cuts off a sequence",
            Data("data:".utf8) + Data([0xE2, 0x82]) + Data("\ndata:".utf8) + Data([0xAC]) + Data("\n\n".utf8),
            [.event("\u{FFFD}\n\u{FFFD}")]
        ),
        Row(
            "an ill-formed name makes the field unknown",
            Data([0xFF]) + Data("data:a\ndata:b\n\n".utf8),
            [.event("b")]
        ),
        Row(
            "an ill-formed ID has U+FFFD",
            Data("id:".utf8) + Data([0xFF]) + Data("\ndata:a\n\n".utf8),
            [.event("a", id: "\u{FFFD}")],
            lastEventID: "\u{FFFD}"
        ),
        Row("a byte order mark in a value is content", "data:\u{FEFF}a\n\n", [.event("\u{FEFF}a")]),
    ]
}
