import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPCookies

/// Section 5.7 of RFC 6265bis, about the cookies that are stored.
@Suite("Cookies are stored by the storage model")
struct CookieStorageModelTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let url: String
        let field: String
        let expected: Result<Cookie, CookieError>
        var context = CookieContext()

        var testDescription: String { "\(rule): \(field.prefix(80)) from \(url.prefix(80))" }
    }

    /// Returns a row for a cookie that is stored, by default with the name `n` and the value `v`.
    private static func kept(
        _ rule: String,
        _ url: String,
        _ field: String,
        _ context: CookieContext = CookieContext(),
        domain: String = "a.example.com",
        _ change: (inout Cookie) -> Void = { _ in }
    ) -> Row {
        var cookie = Cookie(name: "n", value: "v", domain: domain, creation: now)
        change(&cookie)
        return Row(rule: rule, url: url, field: field, expected: .success(cookie), context: context)
    }

    private static func refused(
        _ rule: String,
        _ url: String,
        _ field: String,
        _ error: CookieError,
        _ context: CookieContext = CookieContext()
    ) -> Row {
        Row(rule: rule, url: url, field: field, expected: .failure(error), context: context)
    }

    private static let https = "https://a.example.com/x/y"
    private static let http = "http://a.example.com/x/y"
    private static let year: TimeInterval = 400 * 86_400
    private static let foreign = CookieContext(isSameSite: false, isTopLevelNavigation: false)
    private static let navigation = CookieContext(isSameSite: false)

    static let rows: [Row] = [
        refused("5.7, 2: name and value are empty", https, "=", .empty),
        refused("5.7, 2: name and value are empty", https, "; Path=/", .empty),
        kept("5.7, 2: an empty name", https, "v; Path=/") { $0.name = "" },
        kept("5.7, 2: an empty value", https, "n=; Path=/") { $0.value = "" },
        refused("5.7, 3: a control character", https, "n=v\0", .controlCharacter),
        refused("5.7, 4: too long", https, "n=" + String(repeating: "v", count: 4096), .tooLong),

        kept("5.7, 6: Max-Age", https, "n=v; Path=/; Max-Age=60") { $0.expires = now + 60 },
        kept("5.7, 6: Max-Age before Expires", https, "n=v; Path=/; Max-Age=60; Expires=1 Jan 1970 00:00:00") {
            $0.expires = now + 60
        },
        kept("5.7, 6: Max-Age before Expires", https, "n=v; Path=/; Expires=1 Jan 2099 00:00:00; Max-Age=60") {
            $0.expires = now + 60
        },
        kept("5.7, 6: Expires", https, "n=v; Path=/; Expires=Fri, 15 Jan 2027 09:00:00 GMT") {
            $0.expires = Date(timeIntervalSince1970: 1_800_003_600)
        },
        kept("5.7, 6: neither: as long as the session", https, "n=v; Path=/; Max-Age=; Expires=soon"),
        kept("5.5: no more than 400 days", https, "n=v; Path=/; Max-Age=34560001") { $0.expires = now + year },
        kept("5.5: no more than 400 days", https, "n=v; Path=/; Max-Age=99999999999999999999999") {
            $0.expires = now + year
        },
        kept("5.5: no more than 400 days", https, "n=v; Path=/; Expires=31 Dec 9999 00:00:00") {
            $0.expires = now + year
        },

        kept("5.7, 7: no domain: this host only", https, "n=v; Path=/"),
        kept("5.7, 7: an empty domain", https, "n=v; Path=/; Domain="),
        kept("5.7, 7: a dot as domain", https, "n=v; Path=/; Domain=."),
        kept("5.7, 10: the host itself", https, "n=v; Path=/; Domain=a.example.com") { $0.isHostOnly = false },
        kept("5.7, 10: a domain above", https, "n=v; Path=/; Domain=.Example.COM", domain: "example.com") {
            $0.isHostOnly = false
        },
        refused("5.7, 10: a domain below", https, "n=v; Domain=x.a.example.com", .foreignDomain),
        refused("5.7, 10: a domain beside", https, "n=v; Domain=b.example.com", .foreignDomain),
        refused("5.7, 10: half a label", https, "n=v; Domain=xample.com", .foreignDomain),
        refused("5.7, 10: another domain", https, "n=v; Domain=example.org", .foreignDomain),
        refused("5.7, 10: two dots", https, "n=v; Domain=..example.com", .foreignDomain),
        refused("5.7, 10: a dot at the end", https, "n=v; Domain=example.com.", .foreignDomain),
        refused("5.7, 10: with a port", https, "n=v; Domain=a.example.com:443", .foreignDomain),
        kept(
            "5.7, 10: the last one",
            https,
            "n=v; Path=/; Domain=example.org; Domain=example.com",
            domain: "example.com"
        ) {
            $0.isHostOnly = false
        },
        refused("5.7, 8: other characters", "https://münchen.de", "n=v; Domain=münchen.de", .invalidDomain),
        kept("5.7, 10: A-labels", "https://x.münchen.de", "n=v; Domain=xn--mnchen-3ya.de", domain: "xn--mnchen-3ya.de")
        {
            $0.isHostOnly = false
        },
        kept("5.7, 10: an address", "http://127.0.0.1", "n=v", domain: "127.0.0.1"),
        kept("5.7, 10: an address as its domain", "http://127.0.0.1", "n=v; Domain=127.0.0.1", domain: "127.0.0.1") {
            $0.isHostOnly = false
        },
        refused("5.7, 10: the end of an address", "http://127.0.0.1", "n=v; Domain=0.0.1", .foreignDomain),
        refused("5.7, 10: the end of an address", "http://127.0.0.1", "n=v; Domain=1", .foreignDomain),
        kept("5.7, 10: an IPv6 address", "http://[::1]:80/", "n=v", domain: "::1"),
        kept("5.7, 10: an IPv6 address as its domain", "http://[::1]/", "n=v; Domain=[0::1]", domain: "::1") {
            $0.isHostOnly = false
        },

        refused("5.7, 9: a public suffix", https, "n=v; Domain=com", .publicSuffix),
        refused("5.7, 9: a public suffix", "https://a.co.uk", "n=v; Domain=co.uk", .publicSuffix),
        refused("5.7, 9: a public suffix", "https://a.github.io", "n=v; Domain=github.io", .publicSuffix),
        refused("5.7, 9: of a wildcard", "https://a.b.ck", "n=v; Domain=b.ck", .publicSuffix),
        refused("5.7, 9: with a dot at the end", "https://a.com.", "n=v; Domain=com.", .publicSuffix),
        kept("5.7, 9: an exception", "https://a.www.ck", "n=v; Domain=www.ck", domain: "www.ck") {
            $0.isHostOnly = false
        },
        kept("5.7, 9.3: the host itself", "https://github.io", "n=v; Domain=github.io", domain: "github.io"),
        kept("5.7, 9.3: localhost", "http://localhost", "n=v; Domain=localhost", domain: "localhost"),
        refused("5.7, 9: an unknown top-level domain", "https://a.unknown", "n=v; Domain=unknown", .publicSuffix),

        kept("5.7, 11: the path", https, "n=v; Path=/elsewhere") { $0.path = "/elsewhere" },
        kept("5.7, 11: the default path", https, "n=v") { $0.path = "/x" },
        kept("5.7, 11: no path", https, "n=v; Path=y") { $0.path = "/x" },
        kept("5.7, 11: the last one", https, "n=v; Path=/y; Path=") { $0.path = "/x" },
        refused(
            "a default path is limited, too",
            "https://a.example.com/\(String(repeating: "x", count: 1024))/y",
            "n=v",
            .tooLong
        ),

        kept("5.7, 12: Secure", https, "n=v; Path=/; Secure") { $0.isSecure = true },
        refused("5.7, 13: Secure, from a connection that is not", http, "n=v; Secure", .insecureConnection),
        kept("5.7, 14: HttpOnly", http, "n=v; Path=/; HttpOnly") { $0.isHTTPOnly = true },

        kept("5.7, 17: SameSite", https, "n=v; Path=/; SameSite=Strict") { $0.sameSite = .strict },
        kept("5.7, 17: SameSite", https, "n=v; Path=/; SameSite=Lax") { $0.sameSite = .lax },
        kept("5.7, 17: SameSite", https, "n=v; Path=/; SameSite=None; Secure") {
            ($0.sameSite, $0.isSecure) = (.none, true)
        },
        kept("5.7, 17: SameSite", https, "n=v; Path=/; SameSite=Whatever"),
        refused("5.7, 18.4: from another site", https, "n=v; SameSite=Strict", .crossSite, foreign),
        refused("5.7, 18.4: from another site", https, "n=v", .crossSite, foreign),
        kept("5.7, 18.3: by navigation", https, "n=v; Path=/; SameSite=Strict", navigation) { $0.sameSite = .strict },
        kept("5.7, 18: None", https, "n=v; Path=/; SameSite=None; Secure", foreign) {
            ($0.sameSite, $0.isSecure) = (.none, true)
        },
        refused("5.7, 19: None needs Secure", https, "n=v; SameSite=None", .sameSiteNoneNotSecure),

        kept("5.7, 20: __Secure-", https, "__Secure-n=v; Path=/; Secure") {
            ($0.name, $0.isSecure) = ("__Secure-n", true)
        },
        refused("5.7, 20: __Secure- needs Secure", https, "__Secure-n=v", .securePrefix),
        refused("5.7, 20: in any case", https, "__SECURE-n=v; Domain=example.com", .securePrefix),
        refused("5.7, 20: over http", http, "__Secure-n=v", .securePrefix),
        kept("5.7, 20: another prefix", http, "__Secur-n=v; Path=/") { $0.name = "__Secur-n" },
        kept("5.7, 21: __Host-", https, "__Host-n=v; Path=/; Secure") { ($0.name, $0.isSecure) = ("__Host-n", true) },
        kept("5.7, 21: in any case", https, "__hOST-n=v; Path=/; Secure") {
            ($0.name, $0.isSecure) = ("__hOST-n", true)
        },
        refused("5.7, 21.1: __Host- needs Secure", https, "__Host-n=v; Path=/", .hostPrefix),
        refused("5.7, 21.2: no domain", https, "__host-n=v; Path=/; Secure; Domain=a.example.com", .hostPrefix),
        refused("5.7, 21.3: the path /", https, "__HOST-n=v; Path=/x; Secure", .hostPrefix),
        refused("5.7, 21.3: a path that is named", "https://a.example.com/", "__Host-n=v; Secure", .hostPrefix),
        refused("5.7, 22: a prefix in a value without name", https, "__Secure-n; Secure", .securePrefix),
        refused("5.7, 22: a prefix in a value without name", https, "=__Secure-n=v; Secure", .securePrefix),
        refused("5.7, 22: a prefix in a value without name", https, "=__host-n=v; Path=/; Secure", .hostPrefix),

        refused("no host", "file:///x", "n=v", .noHost),
        refused("no host that can have cookies", "https://a..b/", "n=v", .noHost),
    ]

    @Test("the storage model stores the cookies that the rules allow", arguments: rows)
    func rules(_ row: Row) throws {
        var store = CookieStore()
        let url = try #require(URL(string: row.url))
        switch row.expected {
        case .success(let cookie):
            try store.receive(row.field, from: url, at: Self.now, context: row.context)
            #expect(store.cookies == [cookie])
        case .failure(let error):
            #expect(throws: error) { try store.receive(row.field, from: url, at: Self.now, context: row.context) }
            #expect(store.cookies.isEmpty)
            #expect(store.revision == 0)
        }
        // The same through the function that ignores invalid cookies.
        var other = CookieStore()
        other.store(setCookie: ["\0", row.field], from: url, at: Self.now, context: row.context)
        #expect(other.cookies == store.cookies)
    }

    struct Shadow: Sendable, CustomTestStringConvertible {
        let rule: String
        /// The cookie comes from an https URL.
        let first: String
        let url: String
        let second: String
        let isKept: Bool

        init(_ rule: String, _ first: String, _ url: String, _ second: String, _ isKept: Bool) {
            self.rule = rule
            self.first = first
            self.url = url
            self.second = second
            self.isKept = isKept
        }

        var testDescription: String { "\(rule): \(second) from \(url) beside \(first)" }
    }

    private static let secure = "n=v; Secure; Path=/login"

    static let shadows: [Shadow] = [
        Shadow("5.7, 16: the same", secure, http, "n=w; Path=/login", false),
        Shadow("5.7, 16.4: below", secure, http, "n=w; Path=/login/en", false),
        Shadow("5.7, 16.4: above", secure, http, "n=w; Path=/", true),
        Shadow("5.7, 16.4: beside", secure, http, "n=w; Path=/foo", true),
        Shadow("5.7, 16.1: another name", secure, http, "m=w; Path=/login", true),
        Shadow("5.7, 16.2: not secure", "n=v; Path=/login", http, "n=w; Path=/login", true),
        Shadow("5.7, 16.3: for the domain above", secure, http, "n=w; Path=/login; Domain=example.com", false),
        Shadow("5.7, 16.3: of the domain above", "\(secure); Domain=example.com", http, "n=w; Path=/login", false),
        Shadow(
            "5.7, 16.3: of the domain above",
            "\(secure); Domain=example.com",
            "http://b.example.com",
            "n=w; Path=/login",
            false
        ),
        Shadow("5.7, 16.3: of a host beside", secure, "http://b.example.com", "n=w; Path=/login", true),
        Shadow("5.7, 16: over a secure connection", secure, https, "n=w; Path=/login", true),
        Shadow("5.7, 16: even to remove it", secure, http, "n=w; Path=/login; Max-Age=0", false),
    ]

    @Test("the storage model does not overwrite secure cookies", arguments: shadows)
    func leavesSecureCookies(_ row: Shadow) throws {
        var store = CookieStore()
        try store.receive(row.first, from: try #require(URL(string: Self.https)), at: Self.now)
        let before = store.cookies
        let url = try #require(URL(string: row.url))
        if row.isKept {
            try store.receive(row.second, from: url, at: Self.now)
            #expect(store.cookies != before)
        } else {
            #expect(throws: CookieError.shadowsSecureCookie) { try store.receive(row.second, from: url, at: Self.now) }
            #expect(store.cookies == before)
        }
    }

    @Test("5.7, 16: a secure cookie that has been removed does not prevent a new cookie")
    func removedSecure() throws {
        var store = CookieStore()
        let (https, http) = (try #require(URL(string: Self.https)), try #require(URL(string: Self.http)))
        try store.receive("n=v; Secure; Path=/", from: https, at: Self.now)
        try store.receive("n=v; Secure; Path=/; Max-Age=60", from: https, at: Self.now)
        #expect(throws: CookieError.shadowsSecureCookie) { try store.receive("n=w", from: http, at: Self.now) }
        try store.receive("n=w", from: http, at: Self.now + 60)
        #expect(store.cookies.map(\.value) == ["w"])
    }

    @Test("5.7, 9: cookies for public suffixes are stored if there is no list of public suffixes")
    func noList() throws {
        var store = CookieStore(publicSuffixes: .none)
        try store.receive("n=v; Domain=com", from: try #require(URL(string: "https://a.com")), at: Self.now)
        #expect(store.cookies.map(\.domain) == ["com"])
    }

    @Test("5.8.3: a connection to the local machine is secure if it is trusted")
    func loopback() throws {
        var store = CookieStore(trustsLoopback: true)
        let url = try #require(URL(string: "http://127.0.0.1:8080/"))
        try store.receive("__Host-n=v; Secure; Path=/", from: url, at: Self.now)
        #expect(store.cookieHeader(for: url, at: Self.now) == "__Host-n=v")
        let http = try #require(URL(string: Self.http))
        #expect(throws: CookieError.insecureConnection) { try store.receive("n=v; Secure", from: http, at: Self.now) }
    }
}
