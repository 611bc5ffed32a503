import Foundation
import Moya
import Testing

@Suite("A target may escape its path itself")
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
        "Then it goes into the URL as it is, with one slash before it",
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

    @Test("The base URL's query and fragment stay at the end")
    func query() throws {
        let baseURL = try #require(URL(string: "https://a.example/v1?key=a/b#c"))
        let url = URL(target: Escaped(path: "/x%3Fy", baseURL: baseURL))
        #expect(url.absoluteString == "https://a.example/v1/x%3Fy?key=a/b#c")
    }

    @Test("An empty path gives the base URL")
    func empty() {
        #expect(URL(target: Escaped(path: "")).absoluteString == "https://a.example/v1")
    }

    @Test(
        "A path with what no path may have is escaped after all",
        arguments: ["/a b", "/a?b", "/a#b", "/ä", "/a\r\nb"]
    )
    func notEscaped(path: String) {
        let target = Escaped(path: path)
        #expect(URL(target: target) == target.baseURL.appendingPathComponent(path))
        #expect(URL(target: target).query == nil)
    }

    @Test("Other targets' paths are escaped")
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
