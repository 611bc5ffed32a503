import Foundation
import Moya
import Testing

@Suite("HTTPHeaders has the interface of the contract's appendix")
struct HTTPHeadersTests {
    @Test("HTTP headers are created from dictionaries, arrays and literals, and can be changed")
    func headers() {
        var headers: HTTPHeaders = ["A": "1", "B": "2"]
        let list: HTTPHeaders = [HTTPHeader(name: "A", value: "1"), .init(name: "B", value: "2")]
        #expect(headers == list && headers == HTTPHeaders(["A": "1", "B": "2"]))
        #expect(HTTPHeaders([HTTPHeader]()) == HTTPHeaders())
        headers.add(name: "C", value: "3")
        headers.add(.accept("text/plain"))
        headers.update(name: "A", value: "4")
        headers.update(.userAgent("shop"))
        headers.remove(name: "B")
        headers.sort()
        #expect(headers.sorted() == headers && headers.value(for: "a") == "4" && headers["C"] == "3")
        headers["C"] = nil
        #expect(headers.dictionary == ["A": "4", "Accept": "text/plain", "User-Agent": "shop"])
        #expect(headers.map { $0.name } == ["A", "Accept", "User-Agent"])
        #expect(headers.description == "A: 4\nAccept: text/plain\nUser-Agent: shop")
    }

    @Test("common HTTP headers have factory methods")
    func ready() {
        let all: [HTTPHeader] = [
            .accept("a"), .acceptCharset("a"), .acceptLanguage("a"), .acceptEncoding("a"), .authorization("a"),
            .authorization(bearerToken: "a"), .authorization(username: "u", password: "p"), .contentDisposition("a"),
            .contentEncoding("a"), .contentType("a"), .userAgent("a"),
        ]
        #expect(
            all.map { $0.name } == [
                "Accept", "Accept-Charset", "Accept-Language", "Accept-Encoding", "Authorization", "Authorization",
                "Authorization", "Content-Disposition", "Content-Encoding", "Content-Type", "User-Agent",
            ]
        )
        #expect(all[5].value == "Bearer a" && all[6].value == "Basic dTpw")
        #expect(
            HTTPHeaders.default.map { $0.name }
                == [
                    HTTPHeader.defaultAcceptEncoding, .defaultAcceptLanguage, .defaultUserAgent,
                ].map { $0.name }
        )
    }

    @Test("requests, responses and configurations have a member with their HTTP headers")
    func owners() {
        var request = Shop.request
        request.headers = ["A": "1"]
        #expect(request.allHTTPHeaderFields == ["A": "1"] && Shop.head.headers["A"] == "b")
        let configuration = URLSessionConfiguration.default
        configuration.headers.add(name: "B", value: "2")
        #expect(configuration.httpAdditionalHeaders?["B"] as? String == "2")
    }
}
