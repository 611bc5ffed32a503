import Testing

@testable import MoyaHTTP

@Suite("URL references are resolved (RFC 3986)")
struct URLReferenceTests {
    @Test(
        "5.4.1: the normal examples of URL references are resolved",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"),
        ]
    )
    func normal(_ reference: String, target: String) {
        check(reference, target)
    }

    @Test(
        "5.4.2: the abnormal examples of URL references are resolved",
        arguments: [
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
        ]
    )
    func abnormal(_ reference: String, target: String) {
        check(reference, target)
    }

    private func check(_ reference: String, _ target: String) {
        let base = URLReference("http://a/b/c/d;p?q")
        #expect(URLReference(reference).resolved(against: base).text == target)
    }

    @Test(
        "5.2.2: the path of a URL reference does not become an authority",
        arguments: ["a:/.//b", "a:/..//b", "a:.//b"]
    )
    func noNewAuthority(_ reference: String) {
        check(reference, reference)
    }

    @Test("5.2.3: a URL reference's base without a path has the path /")
    func emptyPath() {
        #expect(URLReference("g").resolved(against: URLReference("http://a")).text == "http://a/g")
        #expect(URLReference("?g").resolved(against: URLReference("http://a")).text == "http://a?g")
        #expect(URLReference("../g").resolved(against: URLReference("http://a?x/y")).text == "http://a/g")
    }

    @Test(
        "5.2.4: dot segments are removed from a URL reference",
        arguments: [
            ("/a/b/c/./../../g", "/a/g"), ("/", "/"), ("", ""), ("/.", "/"), ("/..", "/"), ("/a/..", "/"),
            ("/a//..", "/a/"), ("//../x", "/x"), ("/.//x", "//x"), ("/a/.../b", "/a/.../b"), ("/..//..//..", "/"),
            ("a/../b", "a/../b"), ("/%2e%2e/x", "/%2e%2e/x"),
        ]
    )
    func dotSegments(_ path: String, result: String) {
        #expect(URLReference.withoutDotSegments(path) == result)
    }

    @Test(
        "appendix B: any URL text is split and joined without changes",
        arguments: [
            "http://www.ics.uci.edu/pub/ietf/uri/#Related", "a:b:c", "1a:b", ":", "//", "///", "?", "#", "?#", "#?",
            "a?b?c#d#e", "//a@b@c:d:e/f", "http:", "http://", "\u{E4}\u{301}://x", "/\u{301}a?\u{301}b#\u{301}c",
            "a/b:c",
        ]
    )
    func parts(_ text: String) {
        #expect(URLReference(text).text == text)
    }

    @Test("3.2: a combining mark does not hide a delimiter of a URL")
    func combining() {
        let reference = URLReference("http://a.example/\u{301}@b.example?\u{301}x#\u{301}y")
        #expect(reference.authority == "a.example")
        #expect(reference.query == "\u{301}x")
        #expect(reference.fragment == "\u{301}y")
    }
}
