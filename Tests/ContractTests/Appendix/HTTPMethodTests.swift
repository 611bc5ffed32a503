import Foundation
import Moya
import Testing

@Suite("Contract, appendix: Method")
struct HTTPMethodTests {
    @Test("The methods have the names of the standard")
    func names() {
        let all: [Moya.Method] = [.connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace]
        #expect(
            all.map { $0.rawValue } == [
                "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
            ]
        )
        #expect(Set(all).count == 10)
    }

    @Test("It is a RawRepresentable of any text")
    func own() {
        let link = HTTPMethod(rawValue: "LINK")
        let same: Moya.Method = link
        #expect(same == Moya.Method(rawValue: "LINK") && same != .get)
    }
}
