import Foundation
import Testing

@testable import MoyaHTTP

@Suite("A cookie jar stores cookies and returns them")
struct CookieJarTests {
    private let url: URL

    init() throws { url = try #require(URL(string: "https://a.example.com/x/y")) }

    @Test("a cookie jar stores the cookies of servers and returns the cookies for a request")
    func storage() {
        let jar = CookieJar()
        #expect(jar.cookieHeader(for: url) == nil)
        jar.store(setCookie: ["n=v; Path=/", "m=w; Domain=com", "o=x; Path=/; Secure; SameSite=Strict"], from: url)
        #expect(jar.cookieHeader(for: url) == "n=v; o=x")
        #expect(jar.cookieHeader(for: url, context: CookieContext(isSameSite: false)) == "n=v")
        #expect(jar.cookies(for: url).map(\.name) == ["n", "o"])
        #expect(jar.cookies.map(\.name) == ["n", "o"])
        jar.store(setCookie: [], from: url)
        #expect(jar.cookies.count == 2)
    }

    @Test("a cookie jar passes its options to the rules")
    func options() throws {
        let jar = CookieJar(publicSuffixes: .none, limits: CookieLimits(cookies: 2), trustsLoopback: true)
        jar.store(setCookie: ["n=v; Domain=com"], from: url)
        let local = try #require(URL(string: "http://localhost"))
        jar.store(setCookie: ["n=v; Secure", "m=w; Secure"], from: local)
        #expect(jar.cookies.map(\.domain) == ["localhost", "localhost"])
    }

    @Test("a cookie jar decides about expiration with its clock")
    func clock() {
        let time = Locked(Date(timeIntervalSince1970: 1_800_000_000))
        let jar = CookieJar(now: { time.withLock { $0 } })
        jar.store(setCookie: ["n=v; Max-Age=60", "m=w"], from: url)
        time.withLock { $0 += 60 }
        #expect(jar.cookies.map(\.name) == ["m"])
        #expect(jar.cookieHeader(for: url) == "m=w")
    }

    @Test("a cookie jar can set a cookie, remove a cookie, and remove all cookies")
    func changes() throws {
        let jar = CookieJar()
        let cookie = Cookie(name: "n", value: "v", domain: "a.example.com", expires: .distantFuture)
        try jar.set(cookie)
        try jar.set(Cookie(name: "m", value: "w", domain: "example.com", isHostOnly: false))
        #expect(throws: CookieError.publicSuffix) {
            try jar.set(Cookie(name: "m", value: "w", domain: "com", isHostOnly: false))
        }
        #expect(jar.cookieHeader(for: url) == "n=v; m=w")
        jar.removeSessionCookies()
        #expect(jar.cookies.map(\.name) == ["n"])
        #expect(jar.remove(cookie))
        #expect(!jar.remove(cookie))
        try jar.set(cookie)
        jar.removeAll()
        #expect(jar.cookies.isEmpty)
    }

    @Test("a cookie jar does nothing for a flush without a file")
    func flush() async throws { try await CookieJar().flush() }

    @Test("a cookie jar can be used from many threads concurrently")
    func threads() async throws {
        let jar = CookieJar()
        let url = url
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<20 {
                group.addTask {
                    for index in 0..<20 {
                        jar.store(setCookie: ["n\(task)-\(index % 2)=\(index)"], from: url)
                        _ = jar.cookieHeader(for: url)
                        _ = jar.cookies
                    }
                }
            }
        }
        #expect(jar.cookies.count == 40)
    }

    @Test("a cookie jar shows no cookie value in descriptions")
    func descriptions() {
        let cookie = Cookie(name: "session", value: "secret", domain: "a.example.com")
        var dumped = ""
        dump(cookie, to: &dumped)
        let texts = ["\(cookie)", String(reflecting: cookie), String(describing: [cookie]), dumped]
        for text in texts {
            #expect(text.contains("session"))
            #expect(!text.contains("secret"))
        }
    }
}
