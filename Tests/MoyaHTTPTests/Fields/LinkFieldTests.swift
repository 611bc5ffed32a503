import MoyaHTTP
import MoyaHTTPFields
import TestSupport
import Testing

@Suite("Link headers are parsed (RFC 8288, section 3)")
struct LinkFieldTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let value: String
        let links: [LinkField]

        init(_ rule: String, _ value: String, _ links: (String, [String])...) {
            testDescription = rule
            self.value = value
            self.links = links.map { LinkField(target: $0.0, relations: $0.1) }
        }
    }

    static let rows = [
        Row(
            "a link with a quoted relation",
            #"<https://a.example/?page=2>; rel="next""#,
            ("https://a.example/?page=2", ["next"])
        ),
        Row("a token as relation", "<b>;rel=next", ("b", ["next"])),
        Row("spaces around the parts", "<b> ; rel = \"next\" , <c>;\trel=last", ("b", ["next"]), ("c", ["last"])),
        Row("several relations in one parameter", #"<b>; rel="start  next ""#, ("b", ["start", "next"])),
        Row("upper case", #"<B>; REL="Next""#, ("B", ["next"])),
        Row("a comma and a semicolon in the URL", "<b?ids=1,2;x>; rel=next", ("b?ids=1,2;x", ["next"])),
        Row(
            "a comma, a semicolon and a quote in a title",
            #"<b>; title="a, \"<c>; rel=prev"; rel=next"#,
            ("b", ["next"])
        ),
        Row("only the first rel counts (3.3)", "<b>; rel=next; rel=prev", ("b", ["next"])),
        Row("the reversed relation is not a relation", "<b>; rev=next", ("b", [])),
        Row("a parameter in the encoding of RFC 8187", "<b>; title*=UTF-8''%e2%82%ac; rel=next", ("b", ["next"])),
        Row("a parameter without a value", "<b>; crossorigin; rel=next", ("b", ["next"])),
        Row("an empty parameter", "<b>;; rel=next;", ("b", ["next"])),
        Row(
            "an extension relation",
            #"<b>; rel="http://a.example/REL next""#,
            ("b", ["http://a.example/rel", "next"])
        ),
        Row(
            "a link with an anchor belongs to another resource (3.2)",
            #"<b>; rel=next; anchor="/c", <d>; rel=next"#,
            ("d", ["next"])
        ),
        Row("an empty URL is the resource", "<>; rel=self", ("", ["self"])),
        Row("characters beyond ASCII", "<b?c=é>; rel=next", ("b?c=é", ["next"])),
        Row("empty elements", ", ,<b>; rel=next,", ("b", ["next"])),
        Row("no link", ""),
        Row("a URL without brackets is skipped", "b; rel=next, <c>; rel=next", ("c", ["next"])),
        Row("a URL without an end", "<b; rel=next"),
        Row("a quoted text without an end", #"<b>; rel="next"#, ("b", ["next"])),
        Row(
            "a quoted text without an end has the rest",
            #"<b>; rel="next, <c>; rel=prev"#,
            ("b", ["next,", "<c>;", "rel=prev"])
        ),
        Row("a value that is no token", "<b>; rel=@next, <c>; rel=prev", ("b", ["@next"]), ("c", ["prev"])),
        Row("a media type without quotes", "<b>; rel=next; type=text/html", ("b", ["next"])),
        Row("a media type without quotes before the relation", "<b>; type=text/html; rel=next", ("b", ["next"])),
        Row("a title without quotes", "<b>; title=foo bar; rel=next, <c>; rel=prev", ("b", ["next"]), ("c", ["prev"])),
        Row("an empty value", "<b>; title=; rel=next", ("b", ["next"])),
        Row("text after the URL", "<b> rel=next, <c>; rel=prev", ("c", ["prev"])),
    ]

    @Test("the links of a header are those that the grammar allows", arguments: rows)
    func links(row: Row) { #expect(LinkField.links(in: row.value) == row.links) }

    @Test("random changes of a header neither crash nor create a link with a bracket in its URL")
    func random() {
        let seed = Array(#"<https://a.example/?a=1,2>; rel="next prev"; title="\"x", <b>; anchor="c"; rel=last"#.utf8)
        let marks = Array("<>;,=\"\\ \t*aé\0".utf8)
        for number in 0..<2000 as Range<UInt64> {
            var random = SeededGenerator(seed: number)
            var bytes = seed
            for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[index] = marks.randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: index)
                default: bytes.insert(marks.randomElement(using: &random) ?? 0, at: index)
                }
            }
            let links = LinkField.links(in: String(decoding: bytes, as: UTF8.self))
            #expect(!links.contains { $0.target.contains(">") }, "seed \(number)")
        }
    }
}
