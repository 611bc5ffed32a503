import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A request is checked before it is sent")
struct TransportRequestCheckingTests {
    private static func request(_ url: String = "http://h/", _ method: String = "GET") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        return request
    }

    private static func check(_ request: URLRequest, session: HTTPFields = [:]) throws -> TransportRequest {
        try TransportRequest(
            checking: request,
            fields: { headers throws(RequestValidationError) in try HTTPFields(checking: headers, and: session) },
            timeouts: SessionTimeouts(request: 60, idle: 7, attempt: 70),
            responseBufferLimit: 123
        )
    }

    private static func list(_ fields: HTTPFields) -> [String] { fields.map { "\($0.name.rawName): \($0.value)" } }

    @Test("a valid request passes the checks unchanged")
    func passedOn() throws {
        var request = try Self.request("https://h:8443/p%20q?a=1#f", "PATCH")
        request.allHTTPHeaderFields = ["X-A": "1"]
        request.httpBody = Data("b".utf8)
        let checked = try Self.check(request, session: [.accept: "a/b"])
        #expect(checked.method == .patch)
        #expect(checked.url == request.url)
        #expect(Self.list(checked.headers) == ["Accept: a/b", "X-A: 1"])
        #expect(checked.body == .data(Data("b".utf8)))
        #expect(checked.idleTimeout == .seconds(7))
        #expect(checked.exchangeTimeout == .seconds(70))
        #expect(checked.responseBufferLimit == 123)
    }

    @Test("a missing request body differs from an empty body")
    func bodies() throws {
        var request = try Self.request()
        #expect(try Self.check(request).body == nil)
        request.httpBody = Data()
        #expect(try Self.check(request).body == .data(Data()))
    }

    @Test("a request's body stream becomes the body and is read when it is sent")
    func bodyStream() async throws {
        var request = try Self.request("http://h/", "POST")
        request.httpBodyStream = InputStream(data: Data("b".utf8))
        let body = try #require(try Self.check(request).body)
        #expect(!body.isRepeatable)
        #expect(body.data == nil)
        #expect(try await body.open().next() == Data("b".utf8))
    }

    @Test("a streamed body that is passed separately replaces the request's body")
    func streamedBody() throws {
        var request = try Self.request("http://h/", "POST")
        request.httpBody = Data("b".utf8)
        let file = HTTPBody.file(URL(fileURLWithPath: "/tmp/f"))
        let checked = try TransportRequest(
            checking: request,
            body: file,
            fields: { headers throws(RequestValidationError) in try HTTPFields(checking: headers) },
            timeouts: SessionTimeouts(request: 60, idle: 7, attempt: 70)
        )
        #expect(checked.body == file)
    }

    // MARK: Method

    @Test(
        "a request's method is a token (RFC 9110, section 5.6.2), and its case is kept",
        arguments: ["GET", "HEAD", "QUERY", "PROPFIND", "M-SEARCH", "pAtch", "a1", "!#$%&'*+-.^_`|~"]
    )
    func methods(_ method: String) throws {
        #expect(try Self.check(Self.request("http://h/", method)).method.rawValue == method)
    }

    @Test(
        "a request's method that could change the request line is refused",
        arguments: [
            "", " ", "GE T", " GET", "GET ", "GET\t", "GET\r\n", "GET / HTTP/1.1\r\nX: y\r\n\r\nGET", "\r", "\n", "A\0",
            "GÉT", "😀", "A\u{7F}", "A/B", "A:B", "A\"B", "(A)", "A,B", "A;B", "A=B", "A@B", "[A]", "{A}", "A\\B", "A?B",
        ]
    )
    func invalidMethods(_ method: String) throws {
        let request = try Self.request("http://h/", method)
        #expect(throws: RequestValidationError.invalidMethod(method)) { try Self.check(request) }
    }

    // MARK: URL

    @Test(
        "an http or https URL with a host is accepted, in upper and lower case",
        arguments: [
            "http://h", "https://h/p?q#f", "HTTP://H/", "HttpS://h", "http://127.0.0.1:80/", "http://[::1]:8080/",
            "http://h:65535/", "http://h:1/", "http://xn--mnchen-3ya.de/", "http://a_b/",
        ]
    )
    func urls(_ url: String) throws {
        #expect(try Self.check(Self.request(url)).url.absoluteString == url)
    }

    @Test("user name and password are removed from a request's URL (RFC 3986, section 3.2.1; RFC 9110, section 4.2.4)")
    func credentials() throws {
        let request = try Self.request("https://user:secret@h:8443/p?q=a@b#f")
        #expect(try Self.check(request).url.absoluteString == "https://h:8443/p?q=a@b#f")
    }

    @Test(
        "a URL with a scheme other than http and https is refused, and the error has only the scheme",
        arguments: ["ftp", "file", "ws", "data", "mailto", "httpx", "FTP"]
    )
    func schemes(_ scheme: String) throws {
        let request = try Self.request("\(scheme)://user:secret@h/")
        #expect(throws: RequestValidationError.unsupportedScheme(scheme.lowercased())) { try Self.check(request) }
    }

    @Test(
        "a request's URL without a scheme or a host is refused, and the error has no credentials",
        arguments: [
            ("h/x", "h/x"), ("/x", "/x"), ("?q", "?q"), ("//h/x", "//h/x"), ("http:", "http:"), ("http://", "http://"),
            ("http:///x", "http:///x"), ("http:h", "http:h"), ("https:/x", "https:/x"),
            ("http://:80/x", "http://:80/x"),
            ("//user:secret@h/x", "//h/x"), ("http://user:secret@/x", "http:///x"),
            ("http://user:secret@:80/x", "http://:80/x"),
        ]
    )
    func invalidURLs(_ url: String, text: String) throws {
        let request = try Self.request(url)
        #expect(throws: RequestValidationError.invalidURL(text)) { try Self.check(request) }
    }

    @Test("a request without a URL is refused by the checks")
    func noURL() throws {
        var request = try Self.request()
        request.url = nil
        #expect(throws: RequestValidationError.invalidURL("")) { try Self.check(request) }
    }

    @Test(
        "a request's URL with wrong slashes is refused, and the error has no credentials",
        arguments: ["http:", "http:/", "https:///"]
    )
    func wrongSlashes(_ prefix: String) throws {
        let request = try Self.request("\(prefix)user:secret@h/x")
        let error = #expect(throws: RequestValidationError.self) { try Self.check(request) }
        #expect(error?.localizedDescription.contains("secret") == false)
        #expect(!"\(try #require(error))".contains("secret"))
    }

    @Test(
        "an invalid port (RFC 9110, section 4.2.3; RFC 9293: 16 bits) is refused, because an engine would trap on it",
        arguments: [
            "http://127.0.0.1:65536/", "http://127.0.0.1:99999/", "http://[::1]:70000/", "https://h:65536/",
            "http://h:0/", "http://h:99999999999999999999/",
        ]
    )
    func invalidPorts(_ url: String) throws {
        let request = try Self.request(url)
        let error = #expect(throws: RequestValidationError.invalidURL(url)) { try Self.check(request) }
        #expect(error?.localizedDescription.contains("is not in 1...65535") == true)
    }

    @Test(
        "a host with escaped control characters or spaces is refused, because it could change the Host header",
        arguments: ["http://h%0D%0AX-Evil:1/", "http://h%00/", "http://%20/", "http://a%09b/", "http://h%7F/"]
    )
    func invalidHosts(_ url: String) throws {
        let request = try Self.request(url)
        #expect(throws: RequestValidationError.invalidURL(url)) { try Self.check(request) }
    }

    // MARK: Headers

    @Test(
        "a header's name is a token (RFC 9110, section 5.6.2)",
        arguments: [
            "", " ", "a b", " a", "a ", "a:", ":authority", "a\r\nX-Evil", "a\r", "a\n", "a\0", "é", "X-中", "😀", "a\t",
            "a(b)", "a,b", "a/b", "a;b", "a=b", "a?b", "a@b", "[a]", "a\\b", "\"a\"", "{a}", "a\u{7F}", "a\u{1}",
        ]
    )
    func invalidNames(_ name: String) throws {
        var request = try Self.request()
        request.allHTTPHeaderFields = [name: "v"]
        #expect(throws: RequestValidationError.invalidHeaderName(name)) { try Self.check(request) }
        #expect(throws: RequestValidationError.invalidHeaderName(name)) { try HTTPFields(checking: [name: "v"]) }
    }

    @Test("every token character is allowed in a header's name, and the case of the name is kept")
    func names() throws {
        var request = try Self.request()
        request.allHTTPHeaderFields = ["!#$%&'*+-.^_`|~09azAZ": "v"]
        #expect(Self.list(try Self.check(request).headers) == ["!#$%&'*+-.^_`|~09azAZ: v"])
    }

    @Test(
        "a header's value has no control characters but the tab (RFC 9110, 5.5), and the error does not repeat the value",
        arguments: ["\r", "\n", "\r\n", "\0", "\u{1}", "\u{8}", "\u{B}", "\u{1B}", "\u{1F}", "\u{7F}", "\r\nX-Evil: 1"]
    )
    func invalidValues(_ control: String) throws {
        for value in ["secret\(control)x", "secret\(control)", "\(control)secret"] {
            var request = try Self.request()
            request.allHTTPHeaderFields = ["X-A": value]
            let error = #expect(throws: RequestValidationError.invalidHeaderValue(name: "X-A")) {
                try Self.check(request)
            }
            #expect(error?.localizedDescription.contains("secret") == false)
            #expect(throws: RequestValidationError.invalidHeaderValue(name: "X-A")) {
                try HTTPFields(checking: ["X-A": value])
            }
        }
    }

    @Test(
        "any other value of a header is passed on unchanged",
        arguments: [
            "", "a b", "a\tb", "a:b", "é", "中文😀", "\u{A0}x", "\"q\\\"", "a,b;c=d", "%0D%0A",
            String(repeating: "x", count: 9_000),
        ]
    )
    func values(_ value: String) throws {
        var request = try Self.request()
        request.allHTTPHeaderFields = ["X-A": value]
        let headers = try Self.check(request).headers
        #expect(headers.map { Array($0.value.utf8) } == [Array(value.utf8)])
    }

    @Test(
        "whitespace around a header's value is removed (RFC 9110, section 5.5)",
        arguments: [" v", "v ", "\tv", " \tv\t "]
    )
    func space(_ value: String) throws {
        var request = try Self.request()
        request.allHTTPHeaderFields = ["X-A": value]
        #expect(Self.list(try Self.check(request).headers) == ["X-A: v"])
    }

    @Test(
        "the caller's framing fields are checked and dropped, because the transport sets them",
        arguments: ["Content-Length", "content-length", "CONTENT-LENGTH", "Transfer-Encoding", "transfer-encoding"]
    )
    func framing(_ name: String) throws {
        var request = try Self.request("http://h/", "POST")
        request.httpBody = Data("b".utf8)
        request.allHTTPHeaderFields = [name: "5", "X-A": "1"]
        #expect(Self.list(try Self.check(request).headers) == ["X-A: 1"])
        #expect(try HTTPFields(checking: [name: "5"]).isEmpty)
        request.allHTTPHeaderFields = [name: "5\r\nX-Evil: 1"]
        #expect(throws: RequestValidationError.invalidHeaderValue(name: name)) { try Self.check(request) }
    }

    @Test("the session's headers are added for missing names, which are compared ignoring case")
    func sessionHeaders() throws {
        var request = try Self.request()
        request.allHTTPHeaderFields = ["accept": "own", "USER-AGENT": ""]
        let session: HTTPFields = [.accept: "session", .userAgent: "session", .acceptLanguage: "session"]
        let headers = try Self.check(request, session: session).headers
        #expect(headers[values: .accept] == ["own"])
        #expect(headers[values: .userAgent] == [""])
        #expect(headers[values: .acceptLanguage] == ["session"])
        #expect(headers.last?.name == .acceptLanguage)
        #expect(headers.count == 3)
    }

    @Test("the session's headers come first, then the other headers by name, in every process")
    func order() throws {
        let session = try HTTPFields(checking: ["X-Session": "s", "A-Session": "s"], and: .sentUnlessSet)
        #expect(
            session.map(\.name.rawName)
                == ["User-Agent", "Accept", "Accept-Language", "Accept-Encoding", "A-Session", "X-Session"]
        )
        let own = ["b": "1", "a": "2", "accept": "text/html", "C": "3", "X-Session": "own", "c": "4"]
        let fields = try HTTPFields(checking: own, and: session)
        #expect(
            fields.map { "\($0.name.rawName): \($0.value)" }.dropFirst()
                == [
                    "accept: text/html", "Accept-Language: \(HTTPHeader.defaultAcceptLanguage.value)",
                    "Accept-Encoding: \(HTTPHeader.defaultAcceptEncoding.value)", "A-Session: s", "X-Session: own",
                    "a: 2", "b: 1", "c: 4",
                ]
        )
    }
}
