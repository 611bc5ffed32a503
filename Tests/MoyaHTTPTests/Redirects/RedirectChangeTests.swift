import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Redirects that a handler changes")
struct RedirectChangeTests {
    private func state(isBodyRepeatable: Bool = true) throws -> RedirectState {
        let headers: HTTPFields = [.contentType: "text/plain", .accept: "*/*"]
        let request = try RedirectRequest(.post, "https://a.example/", headers: headers, hasBody: true)
        return RedirectState(request, isBodyRepeatable: isBodyRepeatable)
    }

    @Test("a POST can stay a POST, with its body and what is about it")
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

    @Test("but not if the body can be read only once")
    func bodyGone() throws {
        var state = try state(isBodyRepeatable: false)
        let error = redirectError { try state.follow("/x") { .change(to: $0.source) } }
        #expect(error == .bodyNotRepeatable)
    }

    @Test("a body that is taken away takes its headers along")
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

    @Test("there is no body where there was none before")
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

    @Test("user and password are left out")
    func credentials() throws {
        var state = try state()
        let next = try state.follow("/x") { _ in .change(to: try RedirectRequest(.get, "https://u:p@a.example/y")) }
        #expect(next?.url.absoluteString == "https://a.example/y")
    }

    @Test("the rules hold for them, too")
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

    @Test("what cannot be sent is refused", arguments: ["/x", "https:", "https:///x", "https://a.example:65536/"])
    func invalidURL(_ url: String) throws {
        var state = try state()
        #expect(throws: RequestValidationError.invalidURL(url)) {
            try state.follow("/x") { _ in .change(to: try RedirectRequest(.get, url)) }
        }
    }

    @Test("a method that is none is refused", arguments: ["", "A B", "GET / HTTP/1.1\r\nX: y", "G\u{C4}T"])
    func invalidMethod(_ method: String) throws {
        var state = try state()
        #expect(throws: RequestValidationError.invalidMethod(method)) {
            try state.follow("/x") { _ in
                .change(to: try RedirectRequest(HTTPMethod(rawValue: method), "https://a.example/"))
            }
        }
    }
}
