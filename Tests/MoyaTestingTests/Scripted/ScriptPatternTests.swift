import Foundation
import Testing

@testable import MoyaTesting

@Suite("URLs are matched by patterns")
struct ScriptPatternTests {
    @Test(
        "URL patterns and URLs are compared in escaped form, and without a default port",
        arguments: [
            ("/caf\u{E9} 1", "https://h/caf%C3%A9%201", true), ("/caf%c3%a9", "https://h/caf%C3%A9", true),
            ("/%7Eash", "https://h/~ash", true), ("/a b/*", "https://h/a%20b/c", true),
            ("/a/*", "https://h/a/b/c", false),
            ("https://h:443/a", "https://h/a", true), ("https://h/a", "https://h:443/a", true),
            ("http://h:80", "http://h/", true), ("https://h:80/a", "https://h/a", false),
            ("HTTPS://H:443/a", "https://h/a", true), ("https://h:443/**", "https://h/a/b", true),
            ("/a?q=zo\u{EB} 1", "https://h/a?q=zo%C3%AB%201", true), ("/a?q=a b", "https://h/a?q=a+b", true),
            ("/a?b=1&c=2", "https://h/a?c=2&b=1", true), ("/a?b=1", "https://h/a?b=1&c=2", false),
            ("/caf\u{E9}", "https://h/cafe%CC%81", false), ("/a%2Fb", "https://h/a/b", false),
            ("a", "https://h/a", true),
            ("**", "https://h/a/b", true), ("/100%", "https://h/100%25", true),
        ]
    )
    func matching(_ pattern: String, _ url: String, _ isMatch: Bool) throws {
        #expect(ScriptPattern(pattern).matches(try #require(URL(string: url))) == isMatch)
    }
}
