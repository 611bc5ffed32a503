import Foundation
import Testing

@testable import MoyaHTTP

@Suite("The target in a request line consists of path and query (RFC 9112, section 3.2.1)")
struct RequestTargetTests {
    @Test(
        "path and query are written unchanged into the request line",
        arguments: [
            ("http://h", "/"),
            ("http://h/", "/"),
            ("http://h:8080/a/b", "/a/b"),
            ("http://h/a?b=c/d?e", "/a?b=c/d?e"),
            ("http://h?b=c", "/?b=c"),
            ("http://h#f", "/"),
            ("http://h/a#f?g", "/a"),
            ("http://h/a?b#c", "/a?b"),
            ("http://u:p@h/a", "/a"),
            ("http://h/a%2Fb%20c?d=%26", "/a%2Fb%20c?d=%26"),
            ("http://h//a/../b/.", "//a/../b/."),
            ("http://[::1]:80/a:b", "/a:b"),
            ("HTTPS://h/a?u=http://x/y", "/a?u=http://x/y"),
        ]
    )
    func target(url: String, target: String) throws {
        #expect(try #require(URL(string: url)).requestTarget == target)
    }

    @Test("a URL with a base is resolved before its request target is written")
    func relative() throws {
        let url = try #require(URL(string: "b?c", relativeTo: URL(string: "http://h/a/")))
        #expect(url.requestTarget == "/a/b?c")
    }

    @Test(
        "the Host field has the port unless it is the default port (RFC 9110, section 7.2)",
        arguments: [
            ("http://h/", "h"), ("http://H:80/", "h"), ("https://h:443", "h"), ("https://h:80", "h:80"),
            ("http://h:8080", "h:8080"), ("http://[::1]:80/", "[::1]"), ("http://[::1]:81/", "[::1]:81"),
        ]
    )
    func hostHeader(url: String, header: String) throws {
        let url = try #require(URL(string: url))
        let origin = try #require(Origin(url))
        #expect(origin.hostHeader == header)
    }
}
