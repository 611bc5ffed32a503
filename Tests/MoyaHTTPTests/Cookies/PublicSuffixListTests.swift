import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaPublicSuffixList

@Suite("Public suffixes are found in a list")
struct PublicSuffixListTests {
    @Test(
        "the bundled public suffix list passes the test vectors of publicsuffix.org",
        arguments: PublicSuffixVector.all
    )
    func vectors(_ vector: PublicSuffixVector) {
        let expected = vector.domain.flatMap(DomainName.canonical)
        #expect(PublicSuffixList.bundled.registrableDomain(of: vector.host) == expected)
    }

    @Test("the bundled public suffix list names its source and date")
    func version() {
        #expect(PublicSuffixList.bundledSource == "https://publicsuffix.org/list/public_suffix_list.dat")
        #expect(PublicSuffixList.bundledVersion >= "2026-10-22")
    }

    @Test("the bundled public suffix list is sorted, and each of its domains is found")
    func bundledText() throws {
        let text = BundledPublicSuffixes.text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let domains = lines.map { $0.prefix { $0 >= 0x2D } }
        #expect(lines.count > 10_000)
        #expect(zip(domains, domains.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        for (domain, line) in zip(domains, lines) {
            let name = String(decoding: domain, as: UTF8.self)
            let mark = line.count > domain.count ? line.last : nil
            let list = PublicSuffixList.bundled
            switch mark {
            case UInt8(ascii: "!"): #expect(list.registrableDomain(of: name) == name)
            case UInt8(ascii: "*"): #expect(list.isPublicSuffix("x.\(name)"), "\(name)")
            case UInt8(ascii: "+"):
                #expect(list.isPublicSuffix("x.\(name)"), "\(name)")
                #expect(list.isPublicSuffix(name), "\(name)")
            default: #expect(list.isPublicSuffix(name), "\(name)")
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let host: String
        let suffix: String?
        let domain: String?

        init(_ rule: String, _ host: String, _ suffix: String?, _ domain: String?) {
            self.rule = rule
            self.host = host
            self.suffix = suffix
            self.domain = domain
        }

        var testDescription: String { "\(rule): \(host)" }
    }

    static let list = """
        // A comment
        com
        *.foo.com
        foo.com some text behind the rule
        !bar.foo.com
        *.jp
        \thosting.example   \n
        公司.cn
        MIXED.Case

        """

    static let rows: [Row] = [
        Row("the longest rule prevails", "a.foo.com", "a.foo.com", nil),
        Row("the longest rule prevails", "b.a.foo.com", "a.foo.com", "b.a.foo.com"),
        Row("a domain with a rule and a wildcard", "foo.com", "foo.com", nil),
        Row("an exception prevails over longer rules", "bar.foo.com", "foo.com", "bar.foo.com"),
        Row("an exception holds for what is below", "c.bar.foo.com", "foo.com", "bar.foo.com"),
        Row("a wildcard stands for one label", "x.y.jp", "y.jp", "x.y.jp"),
        Row("a wildcard stands for one label at least", "jp", "jp", nil),
        Row("a rule ends at the first white space", "a.hosting.example", "hosting.example", "a.hosting.example"),
        Row("no rule: the last label", "a.b.unknown", "unknown", "b.unknown"),
        Row("no rule: the last label", "unknown", "unknown", nil),
        Row("rules are compared as A-labels", "x.xn--55qx5d.cn", "xn--55qx5d.cn", "x.xn--55qx5d.cn"),
        Row("rules are compared as A-labels", "x.公司.cn", "xn--55qx5d.cn", "x.xn--55qx5d.cn"),
        Row("case does not matter", "A.mixed.CASE", "mixed.case", "a.mixed.case"),
        Row("a dot at the end stays", "a.b.com.", "com.", "b.com."),
        Row("a dot at the end stays", "com.", "com.", nil),
        Row("no part of a label matches", "a.xcom", "xcom", "a.xcom"),
        Row("no host", "", nil, nil),
        Row("no host", ".", nil, nil),
        Row("no host", "..", nil, nil),
        Row("no host", ".com", nil, nil),
        Row("no host", "a..com", nil, nil),
        Row("no host", "a b.com", nil, nil),
        Row("no host", "a\0.com", nil, nil),
        Row("no host", "*.foo.com", nil, nil),
        Row("an address", "127.0.0.1", nil, nil),
        Row("an address", "1.2.3.4.", nil, nil),
        Row("an address", "0x7f.1", nil, nil),
        Row("an address", "::1", nil, nil),
        Row("an address", "[::1]", nil, nil),
    ]

    @Test("public suffixes are found in a custom list", arguments: rows)
    func given(_ row: Row) throws {
        let list = try PublicSuffixList(text: Self.list)
        #expect(list.publicSuffix(of: row.host) == row.suffix)
        #expect(list.registrableDomain(of: row.host) == row.domain)
        #expect(list.isPublicSuffix(row.host) == (row.suffix != nil && row.domain == nil))
    }

    @Test("a complete public suffix list in its original format gives the same results as the bundled list")
    func wholeList() throws {
        let lines = BundledPublicSuffixes.text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }.split(
            separator: "\n"
        )
        var rules: [String] = []
        for line in lines {
            switch line.last {
            case "!": rules.append("!\(line.dropLast())")
            case "*": rules.append("*.\(line.dropLast())")
            case "+": rules += ["*.\(line.dropLast())", String(line.dropLast())]
            default: rules.append(String(line))
            }
        }
        let list = try PublicSuffixList(text: rules.shuffled().joined(separator: "\r\n"))
        for vector in PublicSuffixVector.all {
            let expected = PublicSuffixList.bundled.registrableDomain(of: vector.host)
            #expect(list.registrableDomain(of: vector.host) == expected, "\(vector.host)")
        }
    }

    struct Nonsense: Sendable {
        let text: String
        let error: PublicSuffixListError
    }

    @Test(
        "text that is not a public suffix list is refused, and the error names the line",
        arguments: [
            Nonsense(text: "", error: .empty),
            Nonsense(text: "// nothing\n\n", error: .empty),
            Nonsense(text: "<!DOCTYPE html>", error: .invalidRule(line: 1, "<!DOCTYPE")),
            Nonsense(text: "com\r\n\r\na..b", error: .invalidRule(line: 3, "a..b")),
            Nonsense(text: "com\n!uk", error: .invalidRule(line: 2, "!uk")),
            Nonsense(text: "a.*.b", error: .invalidRule(line: 1, "a.*.b")),
            Nonsense(text: "*.", error: .invalidRule(line: 1, "*.")),
            Nonsense(text: "com.", error: .invalidRule(line: 1, "com.")),
            Nonsense(
                text: String(repeating: "?", count: 1000),
                error: .invalidRule(line: 1, String(repeating: "?", count: 80))
            ),
        ]
    )
    func nonsense(_ row: Nonsense) {
        #expect(throws: row.error) { try PublicSuffixList(text: row.text) }
        #expect(row.error.localizedDescription.contains("public_suffix_list.dat"))
    }

    @Test("without a list there are no public suffixes")
    func none() {
        #expect(!PublicSuffixList.none.isPublicSuffix("com"))
        #expect(PublicSuffixList.none.publicSuffix(of: "a.com") == nil)
        #expect(PublicSuffixList.none.registrableDomain(of: "a.com") == nil)
    }

    struct Site: Sendable {
        let one: String
        let other: String
        let isSame: Bool
    }

    @Test(
        "the site of a URL consists of its scheme and its registrable domain",
        arguments: [
            Site(one: "https://a.example.co.uk/x", other: "https://b.example.co.uk:8443/", isSame: true),
            Site(one: "https://EXAMPLE.com", other: "HTTPS://www.example.com", isSame: true),
            Site(one: "https://example.com", other: "http://example.com", isSame: false),
            Site(one: "https://a.co.uk", other: "https://b.co.uk", isSame: false),
            Site(one: "https://co.uk", other: "https://co.uk", isSame: true),
            Site(one: "https://a.github.io", other: "https://b.github.io", isSame: false),
            Site(one: "http://127.0.0.1:1", other: "http://127.0.0.1:2", isSame: true),
            Site(one: "http://127.0.0.1", other: "http://126.0.0.1", isSame: false),
            Site(one: "http://[::1]", other: "http://[0:0:0:0:0:0:0:1]", isSame: true),
            Site(one: "http://localhost", other: "http://localhost:80", isSame: true),
            Site(one: "file:///a", other: "file:///a", isSame: false),
        ]
    )
    func sites(_ row: Site) throws {
        let (one, other) = (try #require(URL(string: row.one)), try #require(URL(string: row.other)))
        #expect(PublicSuffixList.bundled.isSameSite(one, other) == row.isSame)
        #expect(PublicSuffixList.bundled.isSameSite(other, one) == row.isSame)
    }

    @Test("the time to find the public suffix of a long host is linear in its length")
    func longHosts() {
        let host = String(repeating: "a.", count: 500) + "com"
        let time = processorTime {
            for _ in 0..<100 { #expect(PublicSuffixList.bundled.publicSuffix(of: host) == "com") }
        }
        #expect(time < .seconds(20))
        #expect(PublicSuffixList.bundled.publicSuffix(of: String(repeating: "a.", count: 500_000) + "com") == nil)
    }
}
