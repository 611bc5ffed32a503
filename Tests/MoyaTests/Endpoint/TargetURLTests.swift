import Foundation
import Moya
import Testing

@Suite("A target's URL combines its base URL and its path")
struct TargetURLTests {
    private static let bases = [
        "http://h", "http://h/", "http://h//", "http://h/a", "http://h/a/", "http://h/a//", "http://h?k=1",
        "http://h/a?k=1",
        "http://h/a/?k=1#f", "http://h#f", "http://h/a#x?y", "http://h/a?x=/y#/z", "http://u:p@h:80/a%20b",
        "http://[::1]:80",
        "HTTP://H", "file:///tmp", "//h/a", "/a", "http:///a", "http://h/a;b", "http://h/..", "a/b", "http:", "http://",
        "http://?q", "//", "https://:80", "https://u@", "mailto:a@b", "#f",
    ]

    @Test("fact 3: a target's URL is Foundation's combination of base URL and path", arguments: bases)
    func sameAsFoundation(text: String) throws {
        let base = try #require(URL(string: text))
        var paths = [
            "x", "/x", "//x", "x/", "x//", "/", "//", "///", "a//b", "a/b/", "..", ".", "../x", "a%20b", "%", "é",
            "e\u{301}",
            "\u{1F469}\u{200D}\u{1F467}", "\u{0}", "\r\n", "x/?y/", "#f?q", "/:a", "a:b", "[::1]",
        ]
        paths += (0..<128).map { "a\(UnicodeScalar(UInt8($0)))b" }
        for path in paths {
            let target = SomeTarget(baseURL: base, path: path)
            let expected = base.appendingPathComponent(path)
            #expect(URL(target: target) == expected, "\(path)")
            #expect(MoyaProvider.defaultEndpointMapping(for: target).url == expected.absoluteString, "\(path)")
        }
    }

    @Test("fact 3: a relative base URL is resolved together with the target's path")
    func relative() throws {
        let base = try #require(URL(string: "c/d?q", relativeTo: URL(string: "http://h/a/b")))
        #expect(URL(target: SomeTarget(baseURL: base, path: "x")).absoluteString == "http://h/a/c/d/x?q")
        #expect(URL(target: SomeTarget(baseURL: base, path: "../x")).absoluteString == "http://h/a/c/x?q")
    }
}
