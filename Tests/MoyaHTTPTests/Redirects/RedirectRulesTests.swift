import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

@Suite("The rules of redirects determine the next request (RFC 9110, 15.4)")
struct RedirectRulesTests {
    private static let methods: [HTTPMethod] = [
        .get, .head, .post, .put, .patch, .delete, .options, .query, HTTPMethod(rawValue: "PURGE"),
    ]
    private static let contentHeaders: HTTPFields = [
        .contentType: "text/plain", .contentLength: "5", .contentEncoding: "gzip", .contentLanguage: "en",
        .contentLocation: "/x", .contentDisposition: "inline", .transferEncoding: "chunked", .trailer: "X",
        .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .expect: "100-continue",
    ]

    /// Returns the method of the next request, and whether it has a body.
    private func expected(_ status: Int, _ method: HTTPMethod) -> (HTTPMethod, Bool) {
        switch (status, method) {
        case (301, .post), (302, .post): (.get, false)
        case (303, .head): (.head, false)
        case (303, _): (.get, false)
        default: (method, true)
        }
    }

    @Test(
        "a redirect keeps an idempotency key unless it changes the POST to a GET",
        arguments: [301, 302, 303, 307, 308]
    )
    func idempotencyKey(_ status: Int) throws {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let request = try RedirectRequest(.post, "https://a.example/", headers: [name: "k"], hasBody: true)
        let next = try #require(RedirectRules.next(after: request, status: status, headers: .location("/x")))
        #expect(next.headers == (status >= 307 ? [name: "k"] : [:]))
    }

    @Test(
        "each redirect status is followed correctly, with every method and a body",
        arguments: [
            ("15.4.2: Moved Permanently", 301), ("15.4.3: Found", 302), ("15.4.4: See Other", 303),
            ("15.4.8: Temporary Redirect", 307), ("15.4.9: Permanent Redirect", 308),
        ]
    )
    func methods(rule: String, status: Int) throws {
        for method in Self.methods {
            var headers = Self.contentHeaders
            headers[.accept] = "*/*"
            let request = try RedirectRequest(method, "https://a.example/", headers: headers, hasBody: true)
            let next = try #require(RedirectRules.next(after: request, status: status, headers: .location("/x")))
            let (nextMethod, hasBody) = expected(status, method)
            #expect(next.method == nextMethod, "\(rule), \(method)")
            #expect(next.hasBody == hasBody, "\(rule), \(method)")
            #expect(next.headers == (hasBody ? headers : [.accept: "*/*"]), "\(rule), \(method)")
            #expect(next.url.absoluteString == "https://a.example/x")
        }
    }

    @Test(
        "each redirect status is followed correctly, with every method and no body",
        arguments: [301, 302, 303, 307, 308]
    )
    func withoutBody(_ status: Int) throws {
        for method in Self.methods {
            let headers: HTTPFields = [.contentType: "text/plain"]
            let request = try RedirectRequest(method, "https://a.example/", headers: headers)
            let next = try #require(RedirectRules.next(after: request, status: status, headers: .location("/x")))
            let nextMethod = expected(status, method).0
            #expect(next.method == nextMethod && !next.hasBody)
            // Step 5 refers to a changed method.
            #expect(next.headers == (nextMethod == method ? headers : [:]), "\(status), \(method)")
        }
    }

    @Test(
        "RFC 9110, 15.4, step 5: the headers about the content are removed after a redirect",
        arguments: [
            "Content-Encoding", "Content-Language", "Content-Location", "Content-Type", "Content-Length", "Digest",
            "Last-Modified", "content-md5", "Content-Digest", "Repr-Digest", "Content-Range", "Transfer-Encoding",
        ]
    )
    func contentHeader(_ name: String) throws {
        let field = HTTPField(name: try #require(HTTPField.Name(name)), value: "x")
        let request = try RedirectRequest(.post, "http://a.example/", headers: HTTPFields([field]), hasBody: true)
        #expect(RedirectRules.next(after: request, status: 302, headers: .location("/x"))?.headers == [:])
        #expect(RedirectRules.next(after: request, status: 307, headers: .location("/x"))?.headers == request.headers)
    }

    @Test(
        "a response with a status that is not a redirect is not followed, with or without Location",
        arguments: 100...599
    )
    func others(_ status: Int) throws {
        let request = try RedirectRequest(.get, "http://a.example/")
        let isRedirect = [301, 302, 303, 307, 308].contains(status)
        #expect((RedirectRules.next(after: request, status: status, headers: .location("/x")) != nil) == isRedirect)
        #expect(RedirectRules.next(after: request, status: status, headers: [:]) == nil)
        #expect(RedirectRules.next(after: request, status: status, headers: .location("http://")) == nil)
    }
}
