import Foundation
import Testing

@testable import Moya
@testable import MoyaHTTP

@Suite("Limits by target")
struct LimitKeyTests {
    private enum Repositories: TargetType {
        case all
        case one(name: String)

        var baseURL: URL { URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    @Test("requests with the same case of a target share a limit, and requests without a target have none")
    func names() throws {
        func key(_ target: (any Sendable)?) throws -> String? {
            var request = TransportRequest(method: .get, url: try #require(URL(string: "http://h.test/")))
            request.target = target
            return LimitKey.target.value(of: request)?.text
        }
        #expect(try key(Repositories.all) == "Repositories.all")
        #expect(try key(Repositories.one(name: "a")) == "Repositories.one")
        #expect(try key(MultiTarget(Repositories.one(name: "b"))) == "Repositories.one")
        #expect(try key(nil) == nil)
    }
}
