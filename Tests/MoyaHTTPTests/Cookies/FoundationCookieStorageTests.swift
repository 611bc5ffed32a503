import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Foundation's cookie storage can replace a cookie jar")
struct FoundationCookieStorageTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let url: URL
    /// The storage of an ephemeral configuration, which is in memory.
    private let foundation: HTTPCookieStorage

    init() throws {
        url = try #require(URL(string: "https://a.example.com/x/y"))
        foundation = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
    }

    private func storage(at date: Date? = nil) -> FoundationCookieStorage {
        FoundationCookieStorage(foundation, now: { [now] in date ?? now })
    }

    @Test("Foundation's storage stores the cookies of a server, with all properties that HTTPCookie supports")
    func storing() throws {
        storage().store(
            setCookie: [
                "n=v, w; Path=/; Max-Age=60; Domain=example.com; Secure; HttpOnly; SameSite=None",
                "m=w; Expires=Fri, 15 Jan 2027 09:00:00 GMT",
                "s=\"1\"",
            ],
            from: url
        )
        let cookies = try #require(foundation.cookies).sorted { $0.name < $1.name }
        #expect(cookies.map(\.name) == ["m", "n", "s"])
        #expect(cookies.map(\.value) == ["w", "v, w", "\"1\""])
        #expect(cookies.map(\.domain) == ["a.example.com", ".example.com", "a.example.com"])
        #expect(cookies.map(\.path) == ["/x", "/", "/x"])
        #expect(cookies.map(\.isSecure) == [false, true, false])
        #expect(cookies.map(\.isHTTPOnly) == [false, true, false])
        #expect(cookies.map(\.expiresDate) == [Date(timeIntervalSince1970: 1_800_003_600), now + 60, nil])
    }

    @Test("Foundation's storage returns the cookies for a request by the rules of a jar")
    func retrieval() throws {
        storage().store(
            setCookie: ["n=v; Path=/; Domain=example.com", "m=w", "o=x; Path=/; Secure", "é=y; Path=/; Max-Age=60"],
            from: url
        )
        let storage = storage()
        #expect(storage.cookieHeader(for: url) == "m=w; n=v; o=x; é=y")
        let other = try #require(URL(string: "http://b.example.com/x"))
        #expect(storage.cookieHeader(for: other) == "n=v")
        let above = try #require(URL(string: "https://example.com/xy"))
        #expect(storage.cookieHeader(for: above) == "n=v")
        let foreign = try #require(URL(string: "https://aexample.com/"))
        #expect(storage.cookieHeader(for: foreign) == nil)
        #expect(self.storage(at: now + 60).cookieHeader(for: url)?.contains("é") == false)
    }

    @Test(
        "a cookie in Foundation's storage is found for every spelling of the request's URL",
        arguments: [
            ["https://EXAMPLE.com/x/y", "https://example.com:8443/x/y?q#f"],
            ["https://[2001:DB8:0:0::0:1]/x/", "https://[2001:db8::1]/x/"],
            ["https://m\u{FC}nchen.de/x/", "https://xn--mnchen-3ya.de/x/"],
            ["https://mu\u{308}nchen.de/x/", "https://M\u{DC}NCHEN.de/x/"],
            ["https://a.b./x/", "https://A.B./x/"],
            ["https://127.0.0.1/x/", "wss://127.0.0.1/x/"],
            ["https://example.com/a%20b/", "https://example.com/a%20b/c"],
            ["https://example.com/%C3%A9/", "https://example.com/%C3%A9/%2F"],
            ["https://example.com/a//b/", "https://example.com/a//b/c"],
            ["https://example.com", "https://example.com/"],
        ]
    )
    func urls(_ urls: [String]) throws {
        let urls = try urls.map { try #require(URL(string: $0)) }
        storage().store(setCookie: ["n=v; Secure"], from: urls[0])
        #expect(urls.map { storage().cookieHeader(for: $0) } == ["n=v", "n=v"])
    }

    @Test(
        "secure cookies in Foundation's storage are sent to loopback without TLS only if loopback is trusted",
        arguments: [false, true]
    )
    func loopback(isTrusted: Bool) throws {
        let storage = FoundationCookieStorage(foundation, trustsLoopback: isTrusted, now: { [now] in now })
        storage.store(setCookie: ["n=v; Secure"], from: try #require(URL(string: "https://localhost/")))
        let url = try #require(URL(string: "http://localhost:8080/"))
        #expect(storage.cookieHeader(for: url) == (isTrusted ? "n=v" : nil))
    }

    @Test("cookies in Foundation's storage are replaced and removed, and secure cookies are not overwritten")
    func replacing() throws {
        let storage = storage()
        let http = try #require(URL(string: "http://a.example.com/x/y"))
        storage.store(setCookie: ["n=1; Secure", "m=1", "o=1"], from: url)
        storage.store(setCookie: ["n=2", "m=2", "o=; Max-Age=0", "p=1; Domain=com", "q=\0"], from: http)
        #expect(storage.cookieHeader(for: url)?.components(separatedBy: "; ").sorted() == ["m=2", "n=1"])
        storage.store(setCookie: ["n=; Max-Age=0", "m=; Max-Age=0"], from: url)
        #expect(storage.cookieHeader(for: url) == nil)
        #expect(foundation.cookies?.isEmpty == true)
    }

    @Test("cookies that the application has stored in Foundation's storage are returned and removed")
    func shared() throws {
        let properties: [HTTPCookiePropertyKey: Any] = [
            .name: "n", .value: "v", .domain: "a.example.com", .path: "/x", .expires: Date.distantFuture,
        ]
        foundation.setCookie(try #require(HTTPCookie(properties: properties)))
        #expect(storage().cookieHeader(for: url) == "n=v")
        storage().store(setCookie: ["m=w"], from: url)
        #expect(foundation.cookies?.first { $0.name == "n" }?.expiresDate == .distantFuture)
        storage().store(setCookie: ["n=; Max-Age=0"], from: url)
        #expect(storage().cookieHeader(for: url) == "m=w")
    }

    @Test("a cookie of the application in Foundation's storage cannot break a request")
    func injection() throws {
        let properties: [HTTPCookiePropertyKey: Any] = [
            .name: "n", .value: "v\r\nHost: evil", .domain: "a.example.com", .path: "/",
        ]
        // Foundation may refuse the cookie itself.
        if let cookie = HTTPCookie(properties: properties) { foundation.setCookie(cookie) }
        #expect(storage().cookieHeader(for: url) == nil)
    }

    @Test("the cookie accept policy of Foundation's storage is respected")
    func policy() throws {
        foundation.cookieAcceptPolicy = .never
        storage().store(setCookie: ["n=v"], from: url)
        #expect(foundation.cookies?.isEmpty == true)
        foundation.cookieAcceptPolicy = .onlyFromMainDocumentDomain
        storage().store(setCookie: ["n=v"], from: url)
        #expect(storage().cookieHeader(for: url) == "n=v")
        // An existing cookie is sent, because it was accepted earlier.
        foundation.cookieAcceptPolicy = .never
        #expect(storage().cookieHeader(for: url) == "n=v")
        foundation.cookieAcceptPolicy = .always
        storage().store(setCookie: ["m=w"], from: url)
        #expect(foundation.cookies?.count == 2)
    }

    @Test("Foundation's storage returns older cookies first")
    func order() {
        storage().store(setCookie: ["c=1", "b=1"], from: url)
        storage().store(setCookie: ["a=1"], from: url)
        #expect(storage().cookieHeader(for: url) == "c=1; b=1; a=1")
    }

    @Test("Foundation's storage stores no more cookies than a jar")
    func limits() throws {
        let storage = FoundationCookieStorage(
            foundation,
            limits: CookieLimits(cookiesPerDomain: 10),
            now: { [now] in now }
        )
        storage.store(setCookie: (0..<500).map { "n\($0)=v" }, from: url)
        #expect(foundation.cookies?.count == 10)
    }
}
