import Foundation
import MoyaHTTP
import Testing

@testable import Moya

@Suite("A path that leads to another route causes a warning")
struct PathWarningTests {
    private enum Shop: TargetType {
        case item(String)
        case list

        var baseURL: URL { URL(string: "https://shop.test")! }
        var path: String {
            switch self {
            case .item(let name): "/items/\(name)"
            case .list: "/../list"
            }
        }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    @Test("each case of a target causes one path warning, without the value")
    func once() {
        let warnings = Locked<[String]>([])
        let warning = PathWarning { text in warnings.withLock { $0.append(text) } }
        for target in [Shop.item("../admin"), .item("../other"), .list, .item("a"), .list] {
            warning.check(target.path, of: target)
            warning.check(target.path, of: MultiTarget(target))
        }
        let texts = warnings.withLock { $0 }
        #expect(texts.count == 2)
        #expect(texts.first?.contains("the path of Shop.item has a segment \"..\"") == true)
        #expect(texts.last?.contains("the path of Shop.list has") == true)
        #expect(!texts.contains { $0.contains("admin") })
    }

    @Test(
        "a path segment of two dots causes a warning, escaped or not",
        arguments: [
            ("..", true), ("a/..", true), ("../a", true), ("/a/../b", true), ("/a/%2e%2E/b", true), ("/a/.%2e", true),
            ("", false), ("a..b", false), ("/a/...", false), ("/a/./b", false), ("/%252e%252e/", false),
            ("/a/..b", false),
        ]
    )
    func segments(_ path: String, _ warns: Bool) {
        let count = Locked(0)
        PathWarning { _ in count.withLock { $0 += 1 } }.check(path, of: Shop.list)
        #expect(count.withLock { $0 } == (warns ? 1 : 0))
    }

    @Test(
        "parameters in a path cause one warning for each target, and a question mark without parameters causes none",
        arguments: [
            ("/users?page=2", true), ("?a=1", true), ("/a/b?c=d&e=f", true), ("/a?b==", true), ("/what?", false),
            ("/a=b", false),
            ("/a=b?c", false), ("", false), ("/100%", false),
        ]
    )
    func query(_ path: String, _ warns: Bool) {
        let warnings = Locked<[String]>([])
        let warning = PathWarning { text in warnings.withLock { $0.append(text) } }
        for _ in 0..<2 { warning.checkQuery(in: path, of: Shop.list) }
        let texts = warnings.withLock { $0 }
        #expect(texts.count == (warns ? 1 : 0))
        if warns { #expect(texts[0].contains("the path of Shop.list has a \"?\", which is sent as \"%3F\"")) }
    }
}
