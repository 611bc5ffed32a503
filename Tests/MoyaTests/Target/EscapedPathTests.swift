import Foundation
import Moya
import Testing

@Suite("An escaped path is added to the URL unchanged")
struct EscapedPathTests {
    private struct Escaped: TargetType {
        var path: String
        var baseURL = URL(string: "https://a.example/v1") ?? URL(fileURLWithPath: "/")
        var isPathEscaped: Bool { true }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    @Test(
        "an escaped path is used unchanged, with one slash before it",
        arguments: [("/a%2Fb", "/a%2Fb"), ("a%2Fb", "/a%2Fb"), ("/a%252Fb/", "/a%252Fb/"), ("/a;b=@c", "/a;b=@c")]
    )
    func asItIs(path: String, end: String) {
        for base in ["https://a.example/v1", "https://a.example/v1/"] {
            guard let baseURL = URL(string: base) else { continue }
            let url = URL(target: Escaped(path: path, baseURL: baseURL))
            #expect(url.absoluteString == "https://a.example/v1" + end)
            #expect(URL(target: MultiTarget(Escaped(path: path, baseURL: baseURL))) == url)
        }
    }

    @Test("the base URL's query and fragment stay at the end of an escaped path")
    func query() throws {
        let baseURL = try #require(URL(string: "https://a.example/v1?key=a/b#c"))
        let url = URL(target: Escaped(path: "/x%3Fy", baseURL: baseURL))
        #expect(url.absoluteString == "https://a.example/v1/x%3Fy?key=a/b#c")
    }

    @Test("an empty escaped path leads to the base URL")
    func empty() {
        #expect(URL(target: Escaped(path: "")).absoluteString == "https://a.example/v1")
    }

    @Test(
        "an escaped path with invalid characters is escaped",
        arguments: ["/a b", "/a?b", "/a#b", "/ä", "/a\r\nb"]
    )
    func notEscaped(path: String) {
        let target = Escaped(path: path)
        #expect(URL(target: target) == target.baseURL.appendingPathComponent(path))
        #expect(URL(target: target).query == nil)
    }

    @Test("the paths of targets without an escaped path are escaped")
    func usual() {
        struct Usual: TargetType {
            var path: String { "/a%2Fb" }
            var baseURL: URL { URL(string: "https://a.example") ?? URL(fileURLWithPath: "/") }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
        }
        #expect(!Usual().isPathEscaped)
        #expect(URL(target: Usual()).absoluteString == "https://a.example/a%252Fb")
    }
}
