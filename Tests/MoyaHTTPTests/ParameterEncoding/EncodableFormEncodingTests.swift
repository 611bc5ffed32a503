import Foundation
import MoyaHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Encodable values are written into a query or a form")
struct EncodableFormEncodingTests {
    private struct Search: Encodable {
        var q = "a b"
        var pages = [1, 2]
        var exact = true
    }

    private static let form = "application/x-www-form-urlencoded; charset=utf-8"
    private static let text = "exact=1&pages%5B%5D=1&pages%5B%5D=2&q=a%20b"

    private static func request(_ method: String = "GET", _ url: String = "http://h/") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        return request
    }

    private static func body(of request: URLRequest) -> String? {
        request.httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "the destination determines whether pairs are written to the query or the form, with and without parameters",
        arguments: ["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH"],
        [URLEncoding.Destination.methodDependent, .queryString, .httpBody]
    )
    func destination(_ method: String, destination: URLEncoding.Destination) throws {
        let isQuery =
            switch destination {
            case .methodDependent: ["GET", "HEAD", "DELETE"].contains(method)
            case .queryString: true
            case .httpBody: false
            }
        let encoding: any ParameterEncoding = EncodableFormEncoding(Search(), destination: destination)
        for parameters: [String: any Sendable]? in [nil, [:]] {
            let encoded = try encoding.encode(Self.request(method), with: parameters)
            #expect(encoded.url?.absoluteString == (isQuery ? "http://h/?\(Self.text)" : "http://h/"))
            #expect(Self.body(of: encoded) == (isQuery ? nil : Self.text))
            #expect(encoded.value(forHTTPHeaderField: "Content-Type") == (isQuery ? nil : Self.form))
        }
    }

    @Test("by default the method determines whether pairs are written to the query or the form")
    func defaults() throws {
        let encoding = EncodableFormEncoding(Search())
        #expect(try encoding.encode(Self.request(), with: nil).url?.absoluteString == "http://h/?\(Self.text)")
        #expect(try Self.body(of: encoding.encode(Self.request("POST"), with: nil)) == Self.text)
    }

    @Test("fact 23: the form encoder keeps the existing query, and the fragment stays at the end")
    func existingQuery() throws {
        let encoded = try EncodableFormEncoding(["k": "v"]).encode(Self.request("GET", "http://h/?a=1#f"), with: nil)
        #expect(encoded.url?.absoluteString == "http://h/?a=1&k=v#f")
    }

    @Test("fact 26: an empty Encodable value leaves the URL unchanged, and gives an empty body with its content type")
    func nothing() throws {
        let encoding = EncodableFormEncoding([String: Int]())
        #expect(try encoding.encode(Self.request(), with: nil) == Self.request())
        let encoded = try encoding.encode(Self.request("POST"), with: nil)
        #expect(encoded.httpBody == Data())
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == Self.form)
    }

    @Test("fact 25: the form encoder keeps an existing content type")
    func contentType() throws {
        var request = try Self.request("POST")
        request.allHTTPHeaderFields = ["content-type": "text/x-own"]
        let encoded = try EncodableFormEncoding(Search()).encode(request, with: nil)
        #expect(encoded.allHTTPHeaderFields == ["content-type": "text/x-own"])
    }

    @Test("the pairs of the parameters follow the pairs of the value, in the encoder's styles and escaping")
    func parameters() throws {
        let encoder = URLEncodedFormEncoder(arrayEncoding: .noBrackets, boolEncoding: .literal, escaping: .whatwg)
        let encoding = EncodableFormEncoding(Search(), encoder: encoder, destination: .httpBody)
        let parameters: [String: any Sendable] = ["z": [true, false], "a": "x ~*", "d": ["k": 1], "n": NSNull()]
        let encoded = try encoding.encode(Self.request(), with: parameters)
        #expect(Self.body(of: encoded) == "exact=true&pages=1&pages=2&q=a+b&a=x+%7E*&d%5Bk%5D=1&z=true&z=false")
        let alone = try EncodableFormEncoding([String: Int]()).encode(Self.request(), with: ["a": 1])
        #expect(alone.url?.absoluteString == "http://h/?a=1")
    }

    @Test("values, parameters and requests that the form encoder cannot encode cause errors")
    func refused() throws {
        #expect(throws: URLEncodedFormEncoder.Error.topLevelHasNoNames("Int")) {
            try EncodableFormEncoding(5).encode(Self.request(), with: nil)
        }
        let deep = (0..<600).reduce(1 as any Sendable) { value, _ in [value] }
        #expect(throws: URLEncoding.Error.nestedTooDeeply) {
            try EncodableFormEncoding(Search()).encode(Self.request(), with: ["k": deep])
        }
        struct Failing: URLRequestConvertible {
            func asURLRequest() throws -> URLRequest { throw URLError(.badURL) }
        }
        #expect(throws: URLError(.badURL)) { try EncodableFormEncoding(Search()).encode(Failing(), with: nil) }
    }

    #if os(macOS) || os(Linux)
    // The test has a separate process, because Foundation on Linux traps when a copy of a request without a URL is changed.
    @Test("the form encoder refuses a request without a URL and does not crash the process")
    func noURL() async {
        await #expect(processExitsWith: .success) {
            var request = URLRequest(url: try #require(URL(string: "http://h/")))
            request.url = nil
            for destination in [URLEncoding.Destination.queryString, .httpBody] {
                #expect(throws: RequestValidationError.invalidURL("")) {
                    try EncodableFormEncoding(["k": "v"], destination: destination).encode(request, with: nil)
                }
            }
        }
    }
    #endif
}
