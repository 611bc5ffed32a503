import Foundation
import MoyaHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Headers keep their order, and their names are case-insensitive")
struct HTTPHeadersTests {
    private static let pairs: HTTPHeaders = ["B": "2", "a": "1", "C": "3"]

    private static func list(_ headers: HTTPHeaders) -> [String] { headers.map { "\($0.name)=\($0.value)" } }

    @Test(
        "a literal of headers keeps its order, and the last value of a duplicate name stands at the first position of the name"
    )
    func literals() {
        #expect(Self.list(Self.pairs) == ["B=2", "a=1", "C=3"])
        #expect(Self.list(["X": "1", "y": "2", "x": "3"]) == ["x=3", "y=2"])
        let array: HTTPHeaders = [.accept("a"), .userAgent("u"), HTTPHeader(name: "ACCEPT", value: "b")]
        #expect(Self.list(array) == ["ACCEPT=b", "User-Agent=u"])
        #expect(Self.list(HTTPHeaders([.accept("a"), .accept("b")])) == ["Accept=b"])
        #expect(HTTPHeaders().isEmpty)
    }

    @Test("headers from a dictionary are sorted by name, and the last of the names that differ only in case is kept")
    func dictionary() {
        #expect(Self.list(HTTPHeaders(["b": "2", "c": "3", "a": "1"])) == ["a=1", "b=2", "c=3"])
        #expect(Self.list(HTTPHeaders(["X-A": "upper", "x-a": "lower"])) == ["x-a=lower"])
        #expect(Self.pairs.dictionary == ["a": "1", "B": "2", "C": "3"])
        #expect(HTTPHeaders(Self.pairs.dictionary).dictionary == Self.pairs.dictionary)
    }

    @Test(
        "headers are found by name ignoring case",
        arguments: ["Content-Type", "content-type", "CONTENT-TYPE", "cOnTeNt-TyPe"]
    )
    func lookup(_ name: String) {
        var headers: HTTPHeaders = ["Accept": "a", "Content-Type": "t"]
        #expect(headers[name] == "t")
        #expect(headers.value(for: name) == "t")
        headers[name] = "u"
        #expect(Self.list(headers) == ["Accept=a", "\(name)=u"])
        headers[name] = nil
        #expect(Self.list(headers) == ["Accept=a"])
        #expect(headers[name] == nil)
    }

    @Test("setting an existing header replaces it in place, and a header that does not exist is appended")
    func setting() {
        var headers = Self.pairs
        headers.add(name: "A", value: "x")
        headers.add(HTTPHeader(name: "b", value: "y"))
        headers.update(name: "D", value: "z")
        headers.update(HTTPHeader(name: "c", value: ""))
        #expect(Self.list(headers) == ["b=y", "A=x", "c=", "D=z"])
    }

    @Test("removing a header that does not exist has no effect")
    func removing() {
        var headers = Self.pairs
        headers.remove(name: "A")
        #expect(Self.list(headers) == ["B=2", "C=3"])
        headers.remove(name: "A")
        headers["none"] = nil
        #expect(Self.list(headers) == ["B=2", "C=3"])
    }

    @Test("headers are sorted by name, ignoring case")
    func sorting() {
        #expect(Self.list(Self.pairs.sorted()) == ["a=1", "B=2", "C=3"])
        var headers = Self.pairs
        headers.sort()
        #expect(headers == Self.pairs.sorted())
        #expect(Self.list(Self.pairs) == ["B=2", "a=1", "C=3"])
    }

    @Test("HTTPHeaders is a collection of headers")
    func collection() {
        #expect(Self.pairs.count == 3)
        #expect(Self.pairs[1] == HTTPHeader(name: "a", value: "1"))
        #expect(Self.pairs.last?.name == "C")
        #expect(Array(Self.pairs.indices) == [0, 1, 2])
    }

    @Test("headers are compared ignoring the case of names, but not of values")
    func equality() {
        let header = HTTPHeader(name: "Accept", value: "a")
        #expect(header == HTTPHeader(name: "accept", value: "a"))
        #expect(Set([header, HTTPHeader(name: "ACCEPT", value: "a")]).count == 1)
        #expect(header != HTTPHeader(name: "Accept", value: "A"))
        #expect(header != HTTPHeader(name: "Accepts", value: "a"))
    }

    @Test(
        "the predefined headers have their names and values",
        arguments: [
            (HTTPHeader.accept("a/b"), "Accept", "a/b"),
            (.acceptEncoding("gzip"), "Accept-Encoding", "gzip"),
            (.acceptLanguage("en"), "Accept-Language", "en"),
            (.authorization("Scheme x"), "Authorization", "Scheme x"),
            (.authorization(bearerToken: "t.o-k"), "Authorization", "Bearer t.o-k"),
            // RFC 7617, section 2.
            (
                .authorization(username: "Aladdin", password: "open sesame"), "Authorization",
                "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
            ),
            // RFC 7617, section 2.1: UTF-8.
            (.authorization(username: "test", password: "123£"), "Authorization", "Basic dGVzdDoxMjPCow=="),
            (.authorization(username: "", password: ""), "Authorization", "Basic Og=="),
            (.contentType("a/b"), "Content-Type", "a/b"),
            (.userAgent("u"), "User-Agent", "u"),
        ]
    )
    func factories(_ header: HTTPHeader, name: String, value: String) {
        #expect(header.name == name)
        #expect(header.value == value)
    }

    @Test("descriptions of headers have one header per line and no credentials")
    func descriptions() {
        let headers: HTTPHeaders = [
            .accept("a/b"), .authorization(bearerToken: "secret"), .init(name: "Cookie", value: "secret"),
        ]
        #expect(headers.description == "Accept: a/b\nAuthorization: Bearer ***\nCookie: ***")
        for text in ["\(headers)", "\(Array(headers))", String(reflecting: headers), String(describing: headers.last)] {
            #expect(!text.contains("secret"))
        }
    }

    @Test("a request's headers can be read and replaced")
    func ofRequest() throws {
        var request = URLRequest(url: try #require(URL(string: "http://h")))
        #expect(request.headers.isEmpty)
        request.headers = Self.pairs
        #expect(request.allHTTPHeaderFields == Self.pairs.dictionary)
        #expect(Self.list(request.headers.sorted()) == ["a=1", "B=2", "C=3"])
        request.headers["b"] = nil
        request.headers.add(.accept("x"))
        #expect(request.value(forHTTPHeaderField: "B") == nil)
        #expect(request.value(forHTTPHeaderField: "accept") == "x")
        request.headers = []
        #expect(request.headers.isEmpty)
    }

    @Test("HTTPHeaders of a configuration are its httpAdditionalHeaders as strings")
    func ofConfiguration() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.headers = Self.pairs
        #expect(configuration.httpAdditionalHeaders as? [String: String] == Self.pairs.dictionary)
        configuration.httpAdditionalHeaders = ["X-Number": 7, "X-Text": "t"]
        #expect(Self.list(configuration.headers) == ["X-Number=7", "X-Text=t"])
        configuration.httpAdditionalHeaders = nil
        #expect(configuration.headers.isEmpty)
    }

    @Test("a response's headers are found ignoring case")
    func ofResponse() throws {
        let url = try #require(URL(string: "http://h"))
        let fields = ["Content-Type": "a/b", "X-Id": "7"]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields)
        )
        #expect(response.headers["content-type"] == "a/b")
        #expect(response.headers["x-id"] == "7")
        #expect(response.headers.count == 2)
    }
}
