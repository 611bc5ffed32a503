import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPCookies

/// Section 5.8.3 of RFC 6265bis, about the cookies that are sent.
@Suite("The cookies for a request are selected and ordered")
struct CookieRetrievalTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let field: String
        let url: String
        let isSent: Bool
        let context: CookieContext

        /// The cookie comes from `https://a.example.com/x/y`.
        init(_ rule: String, _ field: String, _ url: String, _ isSent: Bool, _ context: CookieContext = CookieContext())
        {
            self.rule = rule
            self.field = field
            self.url = url
            self.isSent = isSent
            self.context = context
        }

        var testDescription: String { "\(rule): \(field) to \(url)" }
    }

    private static let foreignGET = CookieContext(isSameSite: false)
    private static let foreignPOST = CookieContext(isSameSite: false, isSafeMethod: false)
    private static let foreignPart = CookieContext(isSameSite: false, isTopLevelNavigation: false)

    static let rows: [Row] = [
        Row("5.8.3, 3: this host only", "n=v; Path=/", "https://a.example.com", true),
        Row("5.8.3, 3: this host only", "n=v; Path=/", "https://A.EXAMPLE.com:8443/", true),
        Row("5.8.3, 3: this host only", "n=v; Path=/", "https://b.a.example.com/", false),
        Row("5.8.3, 3: this host only", "n=v; Path=/", "https://example.com/", false),
        Row("5.8.3, 3: this host only", "n=v; Path=/", "https://a.example.com./", false),
        Row("5.8.3, 3: a domain", "n=v; Path=/; Domain=example.com", "https://example.com/", true),
        Row("5.8.3, 3: a domain", "n=v; Path=/; Domain=example.com", "https://a.example.com/", true),
        Row("5.8.3, 3: a domain", "n=v; Path=/; Domain=example.com", "https://x.y.example.com/", true),
        Row("5.8.3, 3: a domain", "n=v; Path=/; Domain=example.com", "https://xexample.com/", false),
        Row("5.8.3, 3: a domain", "n=v; Path=/; Domain=example.com", "https://example.com.evil.org/", false),
        Row("5.8.3, 3: a path", "n=v", "https://a.example.com/x", true),
        Row("5.8.3, 3: a path", "n=v", "https://a.example.com/x/z?q", true),
        Row("5.8.3, 3: a path", "n=v", "https://a.example.com/xy", false),
        Row("5.8.3, 3: a path", "n=v", "https://a.example.com/", false),
        Row("5.8.3, 3: a path", "n=v; Path=/", "https://a.example.com?q", true),
        Row("5.8.3, 3: a path", "n=v; Path=/x/", "https://a.example.com/x", false),
        Row("5.8.3, 3: a path", "n=v; Path=/x/", "https://a.example.com/x/", true),
        Row("5.8.3, 3: Secure", "n=v; Path=/; Secure", "https://a.example.com/", true),
        Row("5.8.3, 3: Secure", "n=v; Path=/; Secure", "wss://a.example.com/", true),
        Row("5.8.3, 3: Secure", "n=v; Path=/; Secure", "http://a.example.com/", false),
        Row("5.8.3, 3: not Secure", "n=v; Path=/", "http://a.example.com/", true),
        Row("5.8.3, 3: HttpOnly", "n=v; Path=/; HttpOnly", "http://a.example.com/", true),
        Row("5.8.3, 3: Strict", "n=v; Path=/; SameSite=Strict", "https://a.example.com/", true),
        Row("5.8.3, 3: Strict", "n=v; Path=/; SameSite=Strict", "https://a.example.com/", false, foreignGET),
        Row("5.8.3, 3: Lax", "n=v; Path=/; SameSite=Lax", "https://a.example.com/", true, foreignGET),
        Row("5.8.3, 3: Lax", "n=v; Path=/; SameSite=Lax", "https://a.example.com/", false, foreignPOST),
        Row("5.8.3, 3: Lax", "n=v; Path=/; SameSite=Lax", "https://a.example.com/", false, foreignPart),
        Row("5.8.3, 3: says nothing", "n=v; Path=/", "https://a.example.com/", true, foreignGET),
        Row("5.8.3, 3: says nothing", "n=v; Path=/", "https://a.example.com/", false, foreignPOST),
        Row("5.8.3, 3: None", "n=v; Path=/; SameSite=None; Secure", "https://a.example.com/", true, foreignPOST),
        Row("5.8.3, 3: None", "n=v; Path=/; SameSite=None; Secure", "https://a.example.com/", true, foreignPart),
        Row("5.8.3, 2: no host", "n=v; Path=/", "file:///", false),
    ]

    @Test("the cookies for a request are found by host, path and security", arguments: rows)
    func rules(_ row: Row) throws {
        var store = CookieStore()
        try store.receive(row.field, from: try #require(URL(string: "https://a.example.com/x/y")), at: Self.now)
        let header = store.cookieHeader(for: try #require(URL(string: row.url)), at: Self.now, context: row.context)
        #expect(header == (row.isSent ? "n=v" : nil))
    }

    @Test("5.8.3, 4: cookies with longer paths come first, then older cookies, then the order within a response")
    func order() throws {
        var store = CookieStore()
        let url = try #require(URL(string: "https://a.example.com/x/y/z"))
        store.store(
            setCookie: ["c=3; Path=/x", "d=4; Path=/; Domain=example.com", "e=5; Path=/"],
            from: url,
            at: Self.now + 1
        )
        store.store(setCookie: ["b=2; Path=/x/y", "f=6; Path=/"], from: url, at: Self.now + 2)
        store.store(setCookie: ["a=1; Path=/x/y; Domain=example.com"], from: url, at: Self.now)
        // The cookie keeps its creation time and therefore its place.
        store.store(setCookie: ["c=33; Path=/x"], from: url, at: Self.now + 3)
        let header = store.cookieHeader(for: url, at: Self.now + 4)
        #expect(header == "a=1; b=2; c=33; d=4; e=5; f=6")
    }

    @Test("5.8.3, 5: sending a cookie updates its last access time")
    func lastAccess() throws {
        var store = CookieStore()
        let url = try #require(URL(string: "https://a.example.com/x/y"))
        store.store(setCookie: ["n=v", "m=w; Path=/z"], from: url, at: Self.now)
        #expect(store.cookies(for: url, at: Self.now + 9).map(\.lastAccess) == [Self.now + 9])
        #expect(store.cookies.map(\.lastAccess) == [Self.now + 9, Self.now])
    }

    @Test(
        "5.8.3, 6: a cookie without a name is sent as its value, and a cookie without a value ends with an equals sign"
    )
    func serialization() throws {
        var store = CookieStore()
        let url = try #require(URL(string: "https://a.example.com/"))
        store.store(setCookie: ["v", "n=", "m=\"a, b\"; Secure", "é=\u{1F36A}"], from: url, at: Self.now)
        #expect(store.cookieHeader(for: url, at: Self.now) == "v; n=; m=\"a, b\"; é=\u{1F36A}")
        #expect(CookieStore().cookies.cookieField(limit: 100) == nil)
    }

    @Test(
        "5.2: a redirect to another site makes the rest of the redirect chain cross-site",
        arguments: [
            ("https://a.example.com", "https://b.example.com", true), ("https://a.com", "https://b.com", false),
            ("http://a.example.com", "https://a.example.com", false), ("https://a.co.uk", "https://b.co.uk", false),
        ]
    )
    func redirects(_ source: String, _ target: String, _ isSameSite: Bool) throws {
        let (source, target) = (try #require(URL(string: source)), try #require(URL(string: target)))
        let context = CookieContext.redirect(from: source, to: target, method: .get)
        #expect(context == CookieContext(isSameSite: isSameSite, isSafeMethod: true))
        #expect(!CookieContext.redirect(from: target, to: target, method: .get, isSameSite: false).isSameSite)
        #expect(!CookieContext.redirect(from: source, to: target, method: .post).isSafeMethod)
        #expect(CookieContext.redirect(from: source, to: target, method: .head).isSafeMethod)
    }
}
