import Foundation
import Moya
import Testing

@Suite("Contract, appendix: Method")
struct HTTPMethodTests {
    @Test("the methods have the standard's names")
    func names() {
        let all: [Moya.Method] = [.connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace]
        #expect(
            all.map { $0.rawValue } == [
                "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
            ]
        )
        #expect(Set(all).count == 10)
    }

    @Test("a method can be created from any text")
    func own() {
        let link = HTTPMethod(rawValue: "LINK")
        let same: Moya.Method = link
        #expect(same == Moya.Method(rawValue: "LINK") && same != .get)
    }
}
