import Foundation
import TestSupport
import TestTraits
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPCookies

@Suite("A store of cookies replaces and removes cookies", .ownThread)
struct CookieStoreTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let url: URL
    private let secureURL: URL

    init() throws {
        url = try #require(URL(string: "http://a.example.com/x/y"))
        secureURL = try #require(URL(string: "https://a.example.com/x/y"))
    }

    private func store(_ fields: String..., limits: CookieLimits = .init()) -> CookieStore {
        var store = CookieStore(limits: limits)
        store.store(setCookie: fields, from: secureURL, at: now)
        return store
    }

    // MARK: - Replacement and expiration

    @Test(
        "5.7, 23: a cookie with the same name, domain and path as a stored cookie replaces it and keeps its creation time"
    )
    func replacing() throws {
        var store = store("n=1; Path=/; Secure", "m=2; Path=/")
        store.store(setCookie: ["n=3; Path=/"], from: secureURL, at: now + 10)
        #expect(store.count == 2)
        let cookie = try #require(store.cookies.first)
        #expect(cookie.value == "3")
        #expect(!cookie.isSecure)
        #expect(cookie.creation == now)
        #expect(cookie.lastAccess == now + 10)
    }

    @Test(
        "5.7, 23: a cookie with another name, domain, path or kind than a stored cookie is stored separately",
        arguments: [
            "N=2; Path=/", "n=2; Path=/x", "n=2; Path=/; Domain=example.com", "n=2; Path=/; Domain=a.example.com",
        ]
    )
    func beside(_ field: String) {
        #expect(store("n=1; Path=/", field).count == 2)
    }

    @Test(
        "5.7: an expiration in the past removes the cookie from the store",
        arguments: ["Max-Age=0", "Max-Age=-1", "Expires=1 Jan 1970 00:00:00"]
    )
    func removing(_ attribute: String) {
        var store = store("n=1; Path=/", "m=2; Path=/")
        store.store(setCookie: ["n=; Path=/; \(attribute)", "o=1; \(attribute)"], from: url, at: now)
        #expect(store.cookies.map(\.name) == ["m"])
        #expect(store.count == 1)
    }

    @Test("5.7: an expired cookie is removed from the store")
    func expiry() {
        var store = store("n=1; Path=/; Max-Age=60", "m=2; Path=/; Max-Age=61", "s=3; Path=/")
        #expect(store.cookieHeader(for: url, at: now + 59) == "n=1; m=2; s=3")
        #expect(store.cookieHeader(for: url, at: now + 60) == "m=2; s=3")
        #expect(store.count == 2)
        #expect(store.cookieHeader(for: url, at: now + 61) == "s=3")
        #expect(store.count == 1)
    }

    @Test("a clock that is set back removes no cookie")
    func clock() {
        var store = store("n=1; Path=/; Max-Age=60")
        #expect(store.cookieHeader(for: url, at: now - 1_000_000) == "n=1")
    }

    @Test("5.7: cookies without an expiration are removed at the end of the session")
    func session() {
        var store = store("n=1; Max-Age=60", "m=2")
        store.removeSessionCookies()
        #expect(store.cookies.map(\.name) == ["n"])
    }

    @Test("the revision of a cookie store changes with the cookies, and not when they are read or set again")
    func revision() throws {
        var store = store("n=1; Path=/", "m=2; Path=/; Max-Age=60")
        let revision = store.revision
        _ = store.cookieHeader(for: url, at: now + 1)
        store.store(setCookie: ["n=1; Path=/", "\0"], from: secureURL, at: now + 2)
        #expect(store.revision == revision)
        #expect(store.cookies.first?.lastAccess == now + 2)
        store.store(setCookie: ["m=2; Path=/; Max-Age=60"], from: secureURL, at: now + 2)
        #expect(store.revision > revision)
    }

    // MARK: - Limits

    @Test(
        "5.7: excess cookies of a domain are removed, first the cookies that are not secure, then the least recently used"
    )
    func domainLimit() {
        var store = CookieStore(limits: CookieLimits(cookiesPerDomain: 3, cookies: 100))
        for (index, field) in ["a=1; Secure", "b=2", "c=3; Secure", "d=4"].enumerated() {
            store.store(setCookie: [field + "; Path=/"], from: secureURL, at: now + Double(index))
        }
        #expect(store.cookies.map(\.name) == ["a", "c", "d"])
        store.store(setCookie: ["e=5; Path=/; Secure"], from: secureURL, at: now + 4)
        #expect(store.cookies.map(\.name) == ["a", "c", "e"])
        // After another use of the others, c is the least recently sent cookie.
        store.store(setCookie: ["a=1; Path=/; Secure"], from: secureURL, at: now + 5)
        store.store(setCookie: ["f=6; Path=/; Secure"], from: secureURL, at: now + 6)
        #expect(store.cookies.map(\.name) == ["a", "e", "f"])
    }

    @Test("5.7: sending a cookie counts as a use")
    func lastAccess() throws {
        var store = CookieStore(limits: CookieLimits(cookiesPerDomain: 2, cookies: 100))
        store.store(setCookie: ["a=1; Path=/a", "b=2; Path=/b"], from: url, at: now)
        #expect(store.cookieHeader(for: try #require(URL(string: "http://a.example.com/a")), at: now + 1) == "a=1")
        store.store(setCookie: ["c=3"], from: url, at: now + 2)
        #expect(store.cookies.map(\.name) == ["a", "c"])
    }

    @Test("5.7: excess cookies are removed in all domains, in the order of their use")
    func totalLimit() throws {
        var store = CookieStore(limits: CookieLimits(cookiesPerDomain: 50, cookies: 3))
        for index in 0..<5 {
            let url = try #require(URL(string: "https://h\(index).example.com"))
            store.store(setCookie: ["n=\(index); Secure"], from: url, at: now + Double(index))
        }
        #expect(store.cookies.map(\.value) == ["2", "3", "4"])
        #expect(store.count == 3)
    }

    @Test("5.7: expired cookies are removed before other cookies")
    func expiredFirst() {
        var store = CookieStore(limits: CookieLimits(cookiesPerDomain: 2, cookies: 2))
        store.store(setCookie: ["a=1", "b=2; Max-Age=5"], from: url, at: now)
        store.store(setCookie: ["c=3"], from: url, at: now + 5)
        #expect(store.cookies.map(\.name) == ["a", "c"])
    }

    @Test(
        "a server that sets many cookies gets at most the header limit back; cookies with short paths are omitted first"
    )
    func headerSize() throws {
        var store = CookieStore()
        let value = String(repeating: "v", count: 4000)
        let fields = (0..<60).map { "n\($0)=\(value)" } + ["small=1", "deep=2; Path=/x/y"]
        store.store(setCookie: fields, from: url, at: now)
        #expect(store.count == 50)
        let text = store.cookieHeader(for: url, at: now)
        let header = try #require(text)
        #expect(header.utf8.count <= 8192)
        #expect(header.hasPrefix("deep=2; "))
        #expect(header.hasSuffix("; small=1"))
        #expect(header.split(separator: "; ").count == 4)
        var small = CookieStore(limits: CookieLimits(headerSize: 3))
        small.store(setCookie: ["abc=1", "a=1"], from: url, at: now)
        #expect(small.cookieHeader(for: url, at: now) == "a=1")
    }

    @Test("6.1: the cookie store has room for at least 50 cookies of a domain and 3000 in total")
    func minimumLimits() throws {
        let limits = CookieLimits()
        #expect(limits.cookiesPerDomain == 50)
        #expect(limits.cookies == 3000)
        #expect(limits.headerSize == 8192)
        #expect(limits.lifetime == 400 * 86_400)
        var store = CookieStore()
        for host in 0..<100 {
            let url = try #require(URL(string: "http://h\(host).example.com"))
            store.store(setCookie: (0..<50).map { "n\($0)=v" }, from: url, at: now)
        }
        #expect(store.count == 3000)
    }

    @Test("invalid limits of a cookie store are corrected")
    func strangeLimits() {
        let limits = CookieLimits(cookiesPerDomain: -1, cookies: .min, lifetime: .nan)
        #expect(limits == CookieLimits(cookiesPerDomain: 0, cookies: 0, lifetime: 0))
        #expect(store("n=v", limits: limits).count == 0)
        #expect(store("n=v; Max-Age=60", limits: CookieLimits(lifetime: .infinity)).cookies.first?.expires == now + 60)
    }

    // MARK: - Cookies of the application

    struct Given: Sendable, CustomTestStringConvertible {
        let rule: String
        let cookie: Cookie
        let error: CookieError?

        init(_ rule: String, _ error: CookieError?, _ change: (inout Cookie) -> Void) {
            var cookie = Cookie(name: "n", value: "v", domain: "a.example.com")
            change(&cookie)
            self.rule = rule
            self.cookie = cookie
            self.error = error
        }

        var testDescription: String { rule }
    }

    static let given: [Given] = [
        Given("a good one", nil) { _ in },
        Given("one with all fields", nil) {
            $0 = Cookie(
                name: "n",
                value: "v=w x",
                domain: "example.com",
                isHostOnly: false,
                path: "/a;b",
                isSecure: true,
                isHTTPOnly: true,
                sameSite: .none
            )
        },
        Given("without a name", nil) { $0.name = "" },
        Given("of an address", nil) { $0.domain = "::1" },
        Given("empty", .empty) { ($0.name, $0.value) = ("", "") },
        Given("a line end in the name", .controlCharacter) { $0.name = "n\r\n" },
        Given("a line end in the value", .controlCharacter) { $0.value = "v\r\nHost: evil" },
        Given("a line end in the path", .controlCharacter) { $0.path = "/\n" },
        Given("a NUL", .controlCharacter) { $0.value = "\0" },
        Given("too long", .tooLong) { $0.value = String(repeating: "v", count: 4096) },
        Given("a path that is too long", .tooLong) { $0.path = "/" + String(repeating: "v", count: 1024) },
        Given("an equals sign in the name", .malformed) { $0.name = "n=m" },
        Given("a semicolon in the name", .malformed) { $0.name = "n;m" },
        Given("a semicolon in the value", .malformed) { $0.value = "v; m=w" },
        Given("a space at an end", .malformed) { $0.value = "v " },
        Given("a tab at an end", .malformed) { $0.name = "\tn" },
        Given("no slash", .malformed) { $0.path = "a" },
        Given("no path", .malformed) { $0.path = "" },
        Given("a time that is none", .malformed) { $0.expires = Date(timeIntervalSince1970: .nan) },
        Given("a time without end", .malformed) { $0.expires = Date(timeIntervalSince1970: .infinity) },
        Given("a time that is none", .malformed) { $0.creation = Date(timeIntervalSince1970: .nan) },
        Given("upper case", .invalidDomain) { $0.domain = "Example.com" },
        Given("a leading dot", .invalidDomain) { $0.domain = ".example.com" },
        Given("brackets", .invalidDomain) { $0.domain = "[::1]" },
        Given("a U-label", .invalidDomain) { $0.domain = "münchen.de" },
        Given("no domain", .invalidDomain) { $0.domain = "" },
        Given("a public suffix", .publicSuffix) { ($0.domain, $0.isHostOnly) = ("co.uk", false) },
        Given("a host that is a public suffix", nil) { $0.domain = "github.io" },
        Given("None without Secure", .sameSiteNoneNotSecure) { $0.sameSite = .none },
        Given("__Secure-", .securePrefix) { $0.name = "__secure-n" },
        Given("__Host-", .hostPrefix) { ($0.name, $0.isSecure, $0.path) = ("__Host-n", true, "/a") },
    ]

    @Test("a cookie store accepts the cookies from an application that a server could set", arguments: given)
    func givenCookies(_ row: Given) throws {
        var store = CookieStore()
        if let error = row.error {
            #expect(throws: error) { try store.set(row.cookie, at: now) }
            #expect(store.count == 0)
            #expect(!error.localizedDescription.isEmpty)
        } else {
            try store.set(row.cookie, at: now)
            #expect(store.cookies == [row.cookie])
            let wasThere = store.remove(row.cookie)
            #expect(wasThere)
            let isStillThere = store.remove(row.cookie)
            #expect(!isStillThere)
            #expect(store.count == 0)
        }
    }

    @Test("a cookie of an application gets a limited lifetime, and an expired cookie removes the stored cookie")
    func givenExpiry() throws {
        var store = CookieStore()
        var cookie = Cookie(name: "n", value: "v", domain: "a.b", expires: .distantFuture, creation: now)
        try store.set(cookie, at: now)
        #expect(store.cookies.first?.expires == now + 34_560_000)
        cookie.expires = now
        try store.set(cookie, at: now)
        #expect(store.count == 0)
    }

    // MARK: - Hostile input

    @Test("the time for many cookie fields is linear in their number, and the limits are respected")
    func manyFields() throws {
        var fields: [String] = []
        for index in 0..<20_000 { fields.append("n\(index)=v; Max-Age=\(index % 3 == 0 ? 1 : 100)") }
        var store = CookieStore()
        let time = processorTime {
            // The secure cookies come first, so that each of the others is compared with them.
            store.store(setCookie: (0..<3000).map { "n=v; Secure; Path=/\($0)" }, from: secureURL, at: now)
            store.store(setCookie: fields, from: url, at: now)
            store.store(setCookie: fields.map { "n=v; Path=/z" + $0.dropFirst() }, from: url, at: now + 1)
            for index in 0..<1000 { _ = store.cookieHeader(for: url, at: now + Double(index)) }
        }
        #expect(time < .seconds(30))
        #expect(store.count <= CookieLimits().cookiesPerDomain)
    }

    @Test("random cookie fields are harmless, and the stored cookies are well-formed")
    func random() throws {
        var random = SeededGenerator(seed: 62_651)
        let pieces = [
            "n", "=", ";", " ", "\t", "v", "__Host-", "__Secure-", "Path", "/", "Domain", ".", "com", "a.example.com",
            "Max-Age", "-", "9", "Expires", "1 Jan 2099 00:00:00", "Secure", "HttpOnly", "SameSite", "None", "Lax",
            "\0", "\r\n", "é", "\u{1F36A}", "\u{301}", "[::1]", ",", "\"", "example.com",
        ]
        let hosts = ["a.example.com", "example.com", "127.0.0.1", "[::1]", "com", "localhost", "a.co.uk"]
        var store = CookieStore(limits: CookieLimits(cookiesPerDomain: 20, cookies: 60))
        for step in 0..<2000 {
            let host = try #require(hosts.randomElement(using: &random))
            let scheme = Bool.random(using: &random) ? "http" : "https"
            let url = try #require(URL(string: "\(scheme)://\(host)/x/y"))
            let field = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            store.store(setCookie: [field], from: url, at: now + Double(step))
            let header = store.cookieHeader(for: url, at: now + Double(step)) ?? ""
            #expect(!header.utf8.contains(where: SetCookieParser.isControl), "seed 62651, step \(step)")
            #expect(store.count <= 60)
            #expect(store.count == store.cookies.count)
        }
        for cookie in store.cookies { #expect(store.rules.isAllowed(cookie), "seed 62651: \(cookie)") }
    }
}
