import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A request follows redirects within limits")
struct RedirectStateTests {
    private func state(
        _ method: HTTPMethod = .get,
        _ url: String = "https://a.example/",
        hasBody: Bool = false,
        isBodyRepeatable: Bool = true,
        options: RedirectOptions = RedirectOptions()
    ) throws -> RedirectState {
        RedirectState(
            try RedirectRequest(method, url, hasBody: hasBody),
            isBodyRepeatable: isBodyRepeatable,
            options: options
        )
    }

    @Test("a request follows at most 20 redirects, like URLSession")
    func standardLimit() throws {
        var state = try state()
        for hop in 1...20 {
            let next = try state.follow("/\(hop)")
            #expect(next?.url.path == "/\(hop)")
            #expect(state.count == hop)
        }
        #expect(redirectError { try state.follow("/21") } == .tooMany(maximum: 20))
        #expect(state.count == 20)
        #expect(state.handleResponse(status: 200, headers: [:]) == nil)
    }

    @Test(
        "a request follows the allowed number of redirects",
        arguments: [(0, 0), (1, 1), (50, 50), (-1, 0), (.min, 0)]
    )
    func limit(maximum: Int, count: Int) throws {
        var state = try state(options: RedirectOptions(maximumCount: maximum))
        for hop in 0..<count { _ = try state.follow("/\(hop)") }
        #expect(redirectError { try state.follow("/last") } == .tooMany(maximum: count))
    }

    @Test("the redirects of a request are counted for the handler")
    func count() throws {
        var state = try state()
        for hop in 1...3 {
            _ = try state.follow("/\(hop)", status: 307) { redirect in
                #expect(redirect.count == hop)
                #expect(redirect.status == 307)
                #expect(redirect.headers[.location] == "/\(hop)")
                return .follow
            }
        }
    }

    @Test("a redirect to the request itself is a loop")
    func selfLoop() throws {
        var state = try state()
        #expect(redirectError { try state.follow("/") } == .loop)
    }

    @Test("a loop of several redirects is detected, also with fragments", arguments: ["/", "/#x", "/#y"])
    func circle(_ location: String) throws {
        var state = try state()
        _ = try state.follow("/x")
        _ = try state.follow("/y")
        #expect(redirectError { try state.follow(location) } == .loop)
    }

    @Test("a redirect with another method, or with a removed body, is not a loop")
    func otherRequest() throws {
        var state = try state(.post, hasBody: true)
        let get = try state.follow("/", status: 303)
        #expect(get?.method == .get)
        #expect(redirectError { try state.follow("/", status: 303) } == .loop)
    }

    @Test("a redirect with another query is not a loop")
    func otherQuery() throws {
        var state = try state()
        for hop in 1...5 { _ = try state.follow("/?\(hop)") }
        #expect(state.count == 5)
    }

    @Test("redirects may repeat while cookies are set, up to the limit")
    func cookies() throws {
        var state = try state()
        let next = try state.follow("/", setCookie: true)
        #expect(next != nil)
        #expect(redirectError { try state.follow("/") } == .loop)
        for _ in 2...20 { _ = try state.follow("/", setCookie: true) }
        #expect(redirectError { try state.follow("/", setCookie: true) } == .tooMany(maximum: 20))
    }

    @Test("a redirect handler may send the same request again, up to the limit")
    func changedLoop() throws {
        var state = try state()
        for _ in 1...20 { _ = try state.follow("/") { .change(to: $0.request) } }
        #expect(redirectError { try state.follow("/") { .change(to: $0.request) } } == .tooMany(maximum: 20))
    }

    @Test(
        "a redirect from https to http is never followed by default",
        arguments: ["http://a.example/", "http://b.example/", "http://a.example:443/"]
    )
    func insecure(_ location: String) throws {
        var state = try state()
        #expect(redirectError { try state.follow(location) } == .insecure)
        #expect(state.request.url.scheme == "https")
    }

    @Test("a redirect from https to http is followed if that is allowed")
    func insecureAllowed() throws {
        var state = try state(options: RedirectOptions(allowsInsecure: true))
        let next = try state.follow("http://a.example/")
        #expect(next?.url.absoluteString == "http://a.example/")
    }

    @Test("a redirect from http to https is followed, but the redirect back is not")
    func rises() throws {
        var state = try state(.get, "http://a.example/")
        _ = try state.follow("http://b.example/")
        _ = try state.follow("https://b.example/")
        #expect(redirectError { try state.follow("http://b.example/x") } == .insecure)
    }

    @Test(
        "a redirect to a scheme other than http and https is not followed",
        arguments: [
            "file:///etc/passwd", "ftp://a.example/", "myapp://cb", "data:text/plain,x", "javascript:x", "ws://x/",
        ]
    )
    func scheme(_ location: String) throws {
        var state = try state()
        let scheme = String(location.prefix { $0 != ":" })
        #expect(redirectError { try state.follow(location) } == .unsupportedScheme(scheme))
    }

    @Test("a request fails for a redirect that keeps a body which can be read only once, and for no other redirect")
    func body() throws {
        for status in [307, 308] {
            var state = try state(.post, hasBody: true, isBodyRepeatable: false)
            #expect(redirectError { try state.follow("/x", status: status) } == .bodyNotRepeatable)
        }
        for status in [301, 302] {
            var state = try state(.put, hasBody: true, isBodyRepeatable: false)
            #expect(redirectError { try state.follow("/x", status: status) } == .bodyNotRepeatable)
        }
        for status in [301, 302, 303] {
            var state = try state(.post, hasBody: true, isBodyRepeatable: false)
            let next = try state.follow("/x", status: status)
            #expect(next?.hasBody == false)
        }
    }

    @Test(
        "a redirect handler can stop at any redirect, also at a redirect that must not be followed",
        arguments: ["/x", "/", "http://a.example/", "myapp://cb?code=1"]
    )
    func stop(_ location: String) throws {
        var state = try state(options: RedirectOptions(maximumCount: 0))
        let next = try state.follow(location) { _ in .stop }
        #expect(next == nil)
        #expect(state.count == 0)
    }
}
