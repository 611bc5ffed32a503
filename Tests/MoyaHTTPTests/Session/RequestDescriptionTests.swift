import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A request describes itself")
struct RequestDescriptionTests {
    private struct Unmade: URLRequestConvertible {
        func asURLRequest() throws -> URLRequest { throw URLError(.badURL) }
    }

    @Test("the description of a request has the method, the URL without secrets and, after a response, the status")
    func text() async throws {
        let session = Session(transport: FakeTransport.body("ok", status: 201))
        var urlRequest = URLRequest(url: try #require(URL(string: "https://u:p@shop.test/items?q=1&password=hush")))
        urlRequest.method = .post
        let request = session.request(urlRequest)
        #expect("\(request)" == "POST https://shop.test/items?q=1&password=***")
        _ = try await request.value
        #expect(request.description == "POST https://shop.test/items?q=1&password=*** (201)")
        #expect(session.request(Unmade()).description == "No request created yet.")
    }

    @Test("both functions for the curl command of a request return the same text")
    func curl() throws {
        let request = Session(transport: FakeTransport.body("")).request(URLRequest.some("https://shop.test/a"))
        var passed = ""
        request.cURLDescription { passed = $0 }
        #expect(request.cURLDescription() == passed && passed.contains("https://shop.test/a"))
    }

    @Test("URLRequest.method reads and writes httpMethod")
    func method() {
        var request = URLRequest.some()
        #expect(request.method == .get)
        request.method = .patch
        #expect(request.httpMethod == "PATCH" && request.method == .patch)
    }

    @Test("afURLQueryAllowed has the characters that URLEncoding does not escape")
    func allowedCharacters() {
        for byte in UInt8(0)..<0x80 {
            let text = String(UnicodeScalar(byte))
            let isKept = URLEncoding.default.escape(text) == text
            #expect(CharacterSet.afURLQueryAllowed.contains(UnicodeScalar(byte)) == isKept, "\(byte)")
        }
        #expect(!CharacterSet.afURLQueryAllowed.contains("é"))
        #expect("a+b é".addingPercentEncoding(withAllowedCharacters: .afURLQueryAllowed) == "a%2Bb%20%C3%A9")
    }
}
