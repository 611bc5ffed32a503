import Foundation
import Moya
import Testing
@Suite("probe") struct ProbeTests {
    func at<D: Decodable>(_ t: D.Type, _ json: String, _ d: JSONDecoder = JSONDecoder()) throws -> D {
        let v = try #require((try JSONSerialization.jsonObject(with: Data("{\"a\":\(json)}".utf8)) as? [String: Any])?["a"])
        return try d.decode(t, from: JSONSerialization.data(withJSONObject: v, options: .fragmentsAllowed))
    }
    @Test func probe() throws {
        #expect(try at(Int?.self, "null") == nil)
        #expect(try at([Int]?.self, "null") == nil)
        #expect(try at(Int?.self, "3") == 3)
        #expect(try at(URL.self, "\"http://h/p\"").absoluteString == "http://h/p")
        #expect(try at(Decimal.self, "79228162514264.337593") == JSONDecoder().decode(Decimal.self, from: Data("79228162514264.337593".utf8)))
        #expect(try at(UInt64.self, "18446744073709551615") == .max)
        #expect(try at(Double.self, "5e-324") == 5e-324)
        #expect(try at(Bool.self, "true"))
        #expect(throws: DecodingError.self) { try at(Bool.self, "1") }
        #expect(throws: DecodingError.self) { try at(Int.self, "true") }
        #expect(throws: DecodingError.self) { try at(Int.self, "null") }
        let d = JSONDecoder()
        d.dateDecodingStrategy = .secondsSince1970
        #expect(try at(Date.self, "60", d).timeIntervalSince1970 == 60)
        let url = try #require(URL(string: "http://h/p"))
        var r = URLRequest(url: url)
        r.allHTTPHeaderFields = ["authorization": "Old", "A": "b"]
        r.headers.update(.authorization("Bearer tok\n"))
        print("PROBE", r.allHTTPHeaderFields as Any)
        func http(_ s: Int, _ h: [String: String]) -> HTTPURLResponse? { HTTPURLResponse(url: url, statusCode: s, httpVersion: "HTTP/1.1", headerFields: h) }
        print("PROBE", http(200, ["etag": "1", "x-many": "a", "content-type": "a/b"])?.allHeaderFields as Any, http(200, ["ETag": "1", "X-Many": "1"])?.allHeaderFields as Any)
    }
}
