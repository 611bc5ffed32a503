import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A redirect handler can change the next request")
struct RedirectChangeTests {
    private func state(isBodyRepeatable: Bool = true) throws -> RedirectState {
        let headers: HTTPFields = [.contentType: "text/plain", .accept: "*/*"]
        let request = try RedirectRequest(.post, "https://a.example/", headers: headers, hasBody: true)
        return RedirectState(request, isBodyRepeatable: isBodyRepeatable)
    }

    @Test("a redirect handler can keep a POST with its body and the headers about the body")
    func keepsPost() throws {
        var state = try state()
        let next = try state.follow("/x") { redirect in
            var request = redirect.source
            request.url = redirect.request.url
            return .change(to: request)
        }
        #expect(next?.method == .post)
        #expect(next?.hasBody == true)
        #expect(next?.headers == [.contentType: "text/plain", .accept: "*/*"])
    }

    @Test("a redirect handler cannot keep a body that is not repeatable")
    func bodyGone() throws {
        var state = try state(isBodyRepeatable: false)
        let error = redirectError { try state.follow("/x") { .change(to: $0.source) } }
        #expect(error == .bodyNotRepeatable)
    }

    @Test("the headers about a removed body are removed from the redirect's request, too")
    func withoutBody() throws {
        var state = try state()
        let next = try state.follow("/x", status: 307) { redirect in
            var request = redirect.request
            request.hasBody = false
            request.method = .get
            return .change(to: request)
        }
        #expect(next?.headers == [.accept: "*/*"])
    }

    @Test("a redirect handler cannot add a body")
    func noBody() throws {
        var state = try state()
        _ = try state.follow("/x", status: 303)
        let next = try state.follow("/y") { redirect in
            var request = redirect.request
            request.hasBody = true
            return .change(to: request)
        }
        #expect(next?.hasBody == false)
    }

    @Test("the user name and the password in the URL of a redirect handler's request are removed")
    func credentials() throws {
        var state = try state()
        let next = try state.follow("/x") { _ in .change(to: try RedirectRequest(.get, "https://u:p@a.example/y")) }
        #expect(next?.url.absoluteString == "https://a.example/y")
    }

    @Test("the redirect rules apply to requests that a handler has changed, too")
    func rules() throws {
        var state = try state()
        let insecure = redirectError {
            try state.follow("/x") { _ in .change(to: try RedirectRequest(.get, "http://a.example/")) }
        }
        #expect(insecure == .insecure)
        let scheme = redirectError {
            try state.follow("/x") { _ in .change(to: try RedirectRequest(.get, "ftp://a.example/")) }
        }
        #expect(scheme == .unsupportedScheme("ftp"))
    }

    @Test(
        "requests of a redirect handler that cannot be sent are refused",
        arguments: ["/x", "https:", "https:///x", "https://a.example:65536/"]
    )
    func invalidURL(_ url: String) throws {
        var state = try state()
        #expect(throws: RequestValidationError.invalidURL(url)) {
            try state.follow("/x") { _ in .change(to: try RedirectRequest(.get, url)) }
        }
    }

    @Test(
        "an invalid method of a redirect handler is refused",
        arguments: ["", "A B", "GET / HTTP/1.1\r\nX: y", "G\u{C4}T"]
    )
    func invalidMethod(_ method: String) throws {
        var state = try state()
        #expect(throws: RequestValidationError.invalidMethod(method)) {
            try state.follow("/x") { _ in
                .change(to: try RedirectRequest(HTTPMethod(rawValue: method), "https://a.example/"))
            }
        }
    }
}
