import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A plain URL needs no further checks")
struct PlainURLTests {
    @Test(
        "a URL counts as plain if its host is plain, and its port is valid or missing",
        arguments: [
            ("http://a.test", true), ("https://a.test/", true), ("http://A-1.test:65535/a@b:c", true),
            ("http://127.0.0.1:8080?x=y", true), ("http://a.test:1", true),
            ("http://a.test#b", false), ("HTTP://a.test", false), ("ftp://a.test", false), ("http:///a", false),
            ("http://u@a.test", false), ("http://u:80@a.test/", false), ("http://a.test:0/", false),
            ("http://a.test:/", false), ("http://a.test:65536/", false), ("http://[::1]/", false),
            ("http://a%0Ab.test/", false), ("http://a.test:99999999999999999999/", false), ("/a", false),
            ("http:a", false),
        ]
    )
    func isPlain(_ text: String, _ expected: Bool) throws {
        // A URL that is not plain may be valid; a URL that Foundation cannot parse never reaches the check.
        guard let url = URL(string: text) else { return #expect(!expected) }
        #expect(url.isPlainHTTP == expected)
        guard expected else { return }
        #expect(["http", "https"].contains(url.scheme) && url.host?.isEmpty == false)
        #expect(url.hasValidPort && url.withoutCredentials == url)
    }
}
