import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPCookies
@testable import MoyaPublicSuffixList

@Suite("The hosts and paths of cookies are normalized and matched")
struct CookieHostTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let text: String
        let expected: String?

        init(_ rule: String, _ text: String, _ expected: String?) {
            self.rule = rule
            self.text = text
            self.expected = expected
        }

        var testDescription: String { "\(rule): \(text.prefix(80))" }
    }

    static let hosts: [Row] = [
        Row("5.1.2: lower case", "EXAMPLE.com", "example.com"),
        Row("5.1.2, 3: U-labels become A-labels", "MÜNCHEN.de", "xn--mnchen-3ya.de"),
        Row("5.1.2, 3: composed or not", "mu\u{308}nchen.de", "xn--mnchen-3ya.de"),
        Row("5.1.2: A-labels stay", "XN--MNCHEN-3YA.de", "xn--mnchen-3ya.de"),
        Row("5.1.2, 2: no label", "a..b", nil),
        Row("5.1.2, 2: no label", ".a", nil),
        Row("5.1.2, 2: no label", "", nil),
        Row("5.1.2, 2: a space", "a b", nil),
        Row("5.1.2, 2: a control character", "a\0b", nil),
        Row("5.1.2, 2: a line end", "a\r\nb", nil),
        Row("5.1.2, 2: other characters", "a/b", nil),
        Row("5.1.2, 2: a label that is too long", String(repeating: "ü", count: 64), nil),
        Row("a dot at the end makes another host", "a.b.", "a.b."),
        Row("an underscore is allowed", "my_service", "my_service"),
        Row("an IPv4 address", "127.0.0.1", "127.0.0.1"),
        Row("an IPv6 address", "[::1]", "::1"),
        Row("an IPv6 address, in another form", "2001:DB8:0:0::0:1", "2001:db8::1"),
        Row("an IPv6 address with a zone", "fe80::1%ETH0", "fe80::1%eth0"),
        Row("no address", ":::", nil),
        Row("too long", String(repeating: "a", count: 1025), nil),
    ]

    @Test("the hosts of cookies have one normalized form", arguments: hosts)
    func canonical(_ row: Row) { #expect(CookieHost(row.text)?.name == row.expected) }

    struct Match: Sendable, CustomTestStringConvertible {
        let rule: String
        let host: String
        let domain: String
        let isMatch: Bool

        init(_ rule: String, _ host: String, _ domain: String, _ isMatch: Bool) {
            self.rule = rule
            self.host = host
            self.domain = domain
            self.isMatch = isMatch
        }

        var testDescription: String { "\(rule): \(host) in \(domain)" }
    }

    static let domains: [Match] = [
        Match("5.1.3: identical", "a.b", "a.b", true),
        Match("5.1.3: a suffix after a dot", "x.a.b", "a.b", true),
        Match("5.1.3: a suffix after a dot", "x.y.a.b", "a.b", true),
        Match("5.1.3: a suffix without a dot", "xa.b", "a.b", false),
        Match("5.1.3: the other way round", "a.b", "x.a.b", false),
        Match("5.1.3: another domain", "a.c", "a.b", false),
        Match("5.1.3: nothing", "a.b", "", false),
        Match("5.1.3: identical addresses", "127.0.0.1", "127.0.0.1", true),
        Match("5.1.3: no address is below another one", "127.0.0.1", "0.0.1", false),
        Match("5.1.3: no address is below another one", "127.0.0.1", "1", false),
        Match("5.1.3: no address is below another one", "[::1]", "1", false),
        Match("a dot at the end makes another domain", "a.b.", "a.b", false),
    ]

    @Test("cookie hosts match domains by domain-match", arguments: domains)
    func domainMatch(_ row: Match) throws {
        #expect(try #require(CookieHost(row.host)).matches(domain: row.domain) == row.isMatch)
    }

    @Test("the domains of a host are the host and its parent domains")
    func domainsAbove() throws {
        #expect(try #require(CookieHost("a.b.c")).domains == ["a.b.c", "b.c", "c"])
        #expect(try #require(CookieHost("a.b.")).domains == ["a.b.", "b."])
        #expect(try #require(CookieHost("127.0.0.1")).domains == ["127.0.0.1"])
        #expect(try #require(CookieHost("[::1]")).domains == ["::1"])
    }

    @Test(
        "5.1.4: the default path of a cookie is the path of the request up to its last slash",
        arguments: [
            ("", "/"), ("a/b", "/"), ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"),
            ("//", "/"), ("/a//b", "/a/"), ("/a%2Fb/c", "/a%2Fb"),
        ]
    )
    func defaultPath(_ path: String, _ expected: String) { #expect(CookiePath.defaultPath(for: path) == expected) }

    @Test(
        "5.1.4: the path of a request is matched with a cookie's path (path-match)",
        arguments: [
            ("/a", "/a", true), ("/a/", "/a", true), ("/a/b", "/a", true), ("/a/b", "/a/", true), ("/ab", "/a", false),
            ("/a", "/a/", false), ("/a", "/", true), ("/", "/", true), ("/", "/a", false), ("/A", "/a", false),
            ("/%61", "/a", false), ("/a?b", "/a", false), ("/b/a", "/a", false),
        ]
    )
    func pathMatch(_ request: String, _ cookie: String, _ isMatch: Bool) {
        #expect(CookiePath.matches(request, cookie) == isMatch)
    }

    struct Origin: Sendable {
        let url: String
        let host: String?
        let path: String
        let isSecure: Bool
        let isTrusted: Bool
    }

    @Test(
        "cookie hosts are taken from URLs",
        arguments: [
            Origin(
                url: "https://Example.com:8443/a/b/?c#d",
                host: "example.com",
                path: "/a/b/",
                isSecure: true,
                isTrusted: true
            ),
            Origin(url: "http://example.com", host: "example.com", path: "/", isSecure: false, isTrusted: false),
            Origin(
                url: "http://u:p@example.com/a%2Fb;c",
                host: "example.com",
                path: "/a%2Fb;c",
                isSecure: false,
                isTrusted: false
            ),
            Origin(
                url: "http://m%C3%BCnchen.de/%C3%BC",
                host: "xn--mnchen-3ya.de",
                path: "/%C3%BC",
                isSecure: false,
                isTrusted: false
            ),
            Origin(url: "WSS://a.b", host: "a.b", path: "/", isSecure: true, isTrusted: true),
            Origin(url: "http://localhost:1/", host: "localhost", path: "/", isSecure: false, isTrusted: true),
            Origin(url: "http://a.localhost/", host: "a.localhost", path: "/", isSecure: false, isTrusted: true),
            Origin(url: "http://127.1.2.3/", host: "127.1.2.3", path: "/", isSecure: false, isTrusted: true),
            Origin(url: "http://[::1]/", host: "::1", path: "/", isSecure: false, isTrusted: true),
            Origin(url: "http://127.evil.com/", host: "127.evil.com", path: "/", isSecure: false, isTrusted: false),
            Origin(url: "http://notlocalhost/", host: "notlocalhost", path: "/", isSecure: false, isTrusted: false),
            Origin(url: "http://a..b/", host: nil, path: "", isSecure: false, isTrusted: false),
            Origin(url: "file:///a", host: nil, path: "", isSecure: false, isTrusted: false),
            Origin(url: "/a", host: nil, path: "", isSecure: false, isTrusted: false),
        ]
    )
    func origins(_ row: Origin) throws {
        let url = try #require(URL(string: row.url))
        let origin = CookieOrigin(url)
        #expect(origin?.host.name == row.host)
        #expect(origin?.path ?? "" == row.path)
        #expect(origin?.isSecure ?? false == row.isSecure)
        #expect(CookieOrigin(url, trustsLoopback: true)?.isSecure ?? false == row.isTrusted)
    }
}
