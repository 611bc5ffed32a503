import Foundation
import Moya
import Testing

@Suite("HTTPMethod has the interface of the contract's appendix")
struct HTTPMethodTests {
    @Test("the constants of HTTP methods have the standard's names")
    func names() {
        let all: [Moya.Method] = [.connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace]
        #expect(
            all.map { $0.rawValue } == [
                "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
            ]
        )
        #expect(Set(all).count == 10)
    }

    @Test("an HTTP method can be created from any text")
    func own() {
        let link = HTTPMethod(rawValue: "LINK")
        let same: Moya.Method = link
        #expect(same == Moya.Method(rawValue: "LINK") && same != .get)
    }

    @Test("the description of an HTTP method is its name")
    func description() {
        #expect("\(HTTPMethod.get) \(HTTPMethod(rawValue: "LINK"))" == "GET LINK")
    }
}
