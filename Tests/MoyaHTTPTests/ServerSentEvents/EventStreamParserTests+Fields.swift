import Foundation

@testable import MoyaHTTP

extension EventStreamParserTests {
    static let fields: [Row] = [
        Row("one space is removed", "data: a\n\n", [.event("a")]),
        Row("a second one is not", "data:  a\n\n", [.event(" a")]),
        Row("a tab is not", "data:\ta\n\n", [.event("\ta")]),
        Row("a no-break space is not", "data:\u{A0}a\n\n", [.event("\u{A0}a")]),
        Row("spaces at the end stay", "data: a \n\n", [.event("a ")]),
        Row("only the first colon separates", "data:a:b\ndata::\ndata: :c\n\n", [.event("a:b\n:\n:c")]),
        Row("names in another case are unknown", "Data:a\nDATA:b\ndata:c\nEvent:x\nID:1\n\n", [.event("c")]),
        Row("a space before the name", " data:a\ndata:b\n\n", [.event("b")]),
        Row("a space after the name", "data :a\ndata:b\n\n", [.event("b")]),
        Row("unknown fields", "dat:a\ndataa:b\nfoo\nfoo:bar\n\u{0}data:c\ndata\0:d\ndata:e\n\n", [.event("e")]),
        Row("a line of NUL", "\0\n\ndata:a\n\n", [.event("a")]),
        Row("a line of a space does not end an event", "data:a\n \ndata:b\n\n", [.event("a\nb")]),
        Row(
            "fields in any order",
            "id:1\nretry:5\ndata:a\nevent:e\ndata:b\n\n",
            [.retry(.milliseconds(5)), .event("a\nb", "e", id: "1")],
            lastEventID: "1"
        ),
    ]

    static let data: [Row] = [
        Row("nothing at all", "data:\n\n", [.event("")]),
        Row("without colon", "data\n\n", [.event("")]),
        Row("a space", "data: \n\n", [.event("")]),
        Row("two spaces", "data:  \n\n", [.event(" ")]),
        Row("two empty lines", "data\ndata:\n\n", [.event("\n")]),
        Row("three empty lines", "data:\ndata\ndata: \n\n", [.event("\n\n")]),
        Row("only the last line feed is removed", "data:a\ndata:\n\n", [.event("a\n")]),
        Row("an empty line comes first", "data:\ndata:a\n\n", [.event("\na")]),
        Row("other fields between", "data:a\nfoo:b\n:c\ndata:d\n\n", [.event("a\nd")]),
        Row("is not kept for the next event", "data:a\n\ndata:b\n\n", [.event("a"), .event("b")]),
        Row("NUL is content", "data:a\0b\n\n", [.event("a\0b")]),
        Row("text that looks like a field", "data:data:a\ndata: id: 1\n\n", [.event("data:a\nid: 1")]),
    ]

    static let types: [Row] = [
        Row("names the type", "event:e\ndata:a\n\n", [.event("a", "e")]),
        Row("counts for one event", "event:e\ndata:a\n\ndata:b\n\n", [.event("a", "e"), .event("b")]),
        Row("the last one counts", "event:e\nevent: f\ndata:a\n\n", [.event("a", "f")]),
        Row("an empty one is the standard type", "event:\ndata:a\n\n", [.event("a")]),
        Row("an empty one takes one back", "event:e\nevent\ndata:a\n\n", [.event("a")]),
        Row("a space is a type", "event:  \ndata:a\n\n", [.event("a", " ")]),
        Row("after the data", "data:a\nevent:e\n\n", [.event("a", "e")]),
        Row("without data there is no event, and the type is gone", "event:e\n\ndata:a\n\n", [.event("a")]),
        Row("the standard type by name", "event:message\ndata:a\n\n", [.event("a")]),
        Row("NUL and controls", "event:\0\u{1}\ndata:a\n\n", [.event("a", "\0\u{1}")]),
    ]

    static let ids: [Row] = [
        Row(
            "stays for the events that follow",
            "id:1\ndata:a\n\ndata:b\n\n",
            [.event("a", id: "1"), .event("b", id: "1")],
            lastEventID: "1"
        ),
        Row(
            "is replaced",
            "id:1\ndata:a\n\nid:2\ndata:b\n\n",
            [.event("a", id: "1"), .event("b", id: "2")],
            lastEventID: "2"
        ),
        Row("the last one counts", "id:1\nid:2\ndata:a\n\n", [.event("a", id: "2")], lastEventID: "2"),
        Row("an empty one clears it", "id:1\ndata:a\n\nid:\ndata:b\n\n", [.event("a", id: "1"), .event("b")]),
        Row(
            "so does one without colon",
            "id:1\ndata:a\n\nid\ndata:b\n\ndata:c\n\n",
            [.event("a", id: "1"), .event("b"), .event("c")]
        ),
        Row("after the data", "data:a\nid:1\n\n", [.event("a", id: "1")], lastEventID: "1"),
        Row(
            "with NUL it is ignored",
            "id:1\ndata:a\n\nid:2\0\ndata:b\n\n",
            [.event("a", id: "1"), .event("b", id: "1")],
            lastEventID: "1"
        ),
        Row("NUL alone is ignored", "id:\0\ndata:a\n\n", [.event("a")]),
        Row("NUL at the beginning and within", "id:\u{0}1\nid:1\u{0}2\ndata:a\n\n", [.event("a")]),
        Row(
            "one with NUL leaves the block's other one",
            "id:1\nid:2\0\ndata:a\n\n",
            [.event("a", id: "1")],
            lastEventID: "1"
        ),
        Row(
            "a block without data sets it, too",
            "id:1\n\ndata:a\n\n",
            [.lastEventID("1"), .event("a", id: "1")],
            lastEventID: "1"
        ),
        Row(
            "and clears it",
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
            "of a block that is cut off it does not count",
            "id:1\ndata:a\n\nid:2\ndata:b\n",
            [.event("a", id: "1")],
            lastEventID: "1"
        ),
        Row("any text", "id: …é \u{1}\ndata:a\n\n", [.event("a", id: "…é \u{1}")], lastEventID: "…é \u{1}"),
    ]

    private static let year = Duration.seconds(365 * 24 * 3_600)

    static let retries: [Row] = [
        Row("milliseconds", "retry:1500\n", [.retry(.milliseconds(1_500))]),
        Row("at once, before the event", "data:a\nretry: 10\n\n", [.retry(.milliseconds(10)), .event("a")]),
        Row("no event by itself", "retry:10\n\n", [.retry(.milliseconds(10))]),
        Row(
            "each time",
            "retry:1\nretry:2\n\nretry:1\n",
            [.retry(.milliseconds(1)), .retry(.milliseconds(2)), .retry(.milliseconds(1))]
        ),
        Row("zero", "retry:0\n", [.retry(.zero)]),
        Row("zeros in front", "retry:" + String(repeating: "0", count: 100) + "7\n", [.retry(.milliseconds(7))]),
        Row("nothing", "retry:\nretry\nretry: \ndata:a\n\n", [.event("a")]),
        Row("no digits", "retry:abc\nretry:-1\nretry:+1\nretry:1.5\nretry:1e3\nretry:0x10\n", []),
        Row("digits and more", "retry:1000x\nretry:x1000\nretry:10 00\nretry:1000 \nretry:  1000\nretry:1000:\n", []),
        Row("digits of other scripts", "retry:١٢٣\nretry:１０００\n", []),
        Row("NUL", "retry:1\0\nretry:\0\n", []),
        Row("a year", "retry:31536000000\n", [.retry(year)]),
        Row("more than a year", "retry:31536000001\n", [.retry(year)]),
        Row(
            "more than 64 bits",
            "retry:9223372036854775808\nretry:18446744073709551616\n",
            [.retry(year), .retry(year)]
        ),
        Row("more than any number", "retry:" + String(repeating: "9", count: 900) + "\n", [.retry(year)]),
        Row("without a line end", "retry:1", []),
    ]

    static let texts: [Row] = [
        Row("letters", "data:é日本😀\nevent:ü\nid:ñ\n\n", [.event("é日本😀", "ü", id: "ñ")], lastEventID: "ñ"),
        Row("composed or not", "data:\u{E9}e\u{301}\n\n", [.event("\u{E9}e\u{301}")]),
        Row("a combining character after the colon", "data:\u{301}a\n\n", [.event("\u{301}a")]),
        Row("a combining character after the space", "data: \u{301}a\n\n", [.event("\u{301}a")]),
        Row("a combining character after the name", "data\u{301}:a\ndata:b\n\n", [.event("b")]),
        Row(
            "ill-formed",
            Data("data:".utf8) + Data([0xC3, 0x28, 0xFF]) + Data("\n\n".utf8),
            [.event("\u{FFFD}(\u{FFFD}")]
        ),
        Row(
            "cut off by a line end",
            Data("data:".utf8) + Data([0xE2, 0x82]) + Data("\ndata:".utf8) + Data([0xAC]) + Data("\n\n".utf8),
            [.event("\u{FFFD}\n\u{FFFD}")]
        ),
        Row("an ill-formed name", Data([0xFF]) + Data("data:a\ndata:b\n\n".utf8), [.event("b")]),
        Row(
            "an ill-formed ID",
            Data("id:".utf8) + Data([0xFF]) + Data("\ndata:a\n\n".utf8),
            [.event("a", id: "\u{FFFD}")],
            lastEventID: "\u{FFFD}"
        ),
        Row("a byte order mark in a value", "data:\u{FEFF}a\n\n", [.event("\u{FEFF}a")]),
    ]
}
