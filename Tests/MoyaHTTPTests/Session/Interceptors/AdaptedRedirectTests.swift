import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Redirects of adapted requests use the adapted URL", .timeLimit(.minutes(5)))
struct AdaptedRedirectTests {
    /// Replaces URLs and adds a secret.
    private struct Rerouting: RequestInterceptor {
        let routes: [String: String]

        func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
            var request = urlRequest
            if let url = request.url, let route = routes[url.absoluteString] { request.url = URL(string: route) }
            request.setValue("secret", forHTTPHeaderField: "Authorization")
            return request
        }
    }

    /// Follows redirects and returns each requested URL, with a star if the request had the secret.
    private func follow(
        _ locations: [String: String],
        adapting routes: [String: String]
    ) async -> (sent: [String], error: (any Error)?) {
        let sent = Locked<[String]>([])
        let session = Session.alone(
            on: StubTransport { request in
                let url = request.url.absoluteString
                sent.withLock { $0.append(url + (request.headers[.authorization] == "secret" ? "*" : "")) }
                guard let location = locations[url] else { return TransportResponse(status: 200) }
                return TransportResponse(status: 302, headers: [.location: location])
            },
            interceptor: Rerouting(routes: routes)
        )
        do {
            _ = try await session.data(for: URLRequest.some("http://a.example/a"))
            return (sent.withLock { $0 }, nil)
        } catch {
            return (sent.withLock { $0 }, error)
        }
    }

    @Test("a relative redirect is resolved against the adapted URL")
    func relative() async {
        let (sent, error) = await follow(
            ["http://a.example/a": "b", "http://a.example/deep/b": "c"],
            adapting: ["http://a.example/b": "http://a.example/deep/b"]
        )
        #expect(error == nil)
        #expect(sent == ["http://a.example/a*", "http://a.example/deep/b*", "http://a.example/deep/c*"])
    }

    @Test("a relative redirect of the first request is resolved against the adapted URL")
    func first() async {
        let (sent, error) = await follow(
            ["http://a.example/deep/a": "c"],
            adapting: ["http://a.example/a": "http://a.example/deep/a"]
        )
        #expect(error == nil)
        #expect(sent == ["http://a.example/deep/a*", "http://a.example/deep/c*"])
    }

    @Test("a redirect within the origin of the adapted URL keeps its headers")
    func sameOrigin() async {
        let (sent, error) = await follow(
            ["http://a.example/a": "b", "http://mirror.example/b": "http://mirror.example/c"],
            adapting: ["http://a.example/b": "http://mirror.example/b"]
        )
        #expect(error == nil)
        #expect(sent == ["http://a.example/a*", "http://mirror.example/b*", "http://mirror.example/c*"])
    }

    @Test("a redirect to another origin than the adapted URL's loses its secrets")
    func otherOrigin() async {
        let (sent, error) = await follow(
            ["http://a.example/a": "b", "http://mirror.example/b": "http://a.example/c"],
            adapting: ["http://a.example/b": "http://mirror.example/b"]
        )
        #expect(error == nil)
        #expect(sent == ["http://a.example/a*", "http://mirror.example/b*", "http://a.example/c"])
    }

    @Test("a redirect to an adapted URL that was sent is a loop")
    func loop() async {
        let (sent, error) = await follow(
            ["http://a.example/a": "b"],
            adapting: ["http://a.example/b": "http://a.example/a"]
        )
        #expect((error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? RedirectError == .loop)
        #expect(sent == ["http://a.example/a*"])
    }

    @Test("a redirect to a URL that an adapter has replaced is not a loop")
    func noLoop() async {
        let (sent, error) = await follow(
            ["http://a.example/x": "b", "http://a.example/b": "a", "http://a.example/a2": "b2"],
            adapting: ["http://a.example/a": "http://a.example/x"]
        )
        #expect((error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? RedirectError == .loop)
        #expect(sent == ["http://a.example/x*", "http://a.example/b*"])
        let (others, none) = await follow(
            ["http://a.example/a": "b", "http://a.example/c": "d", "http://a.example/e": "b2"],
            adapting: ["http://a.example/b": "http://a.example/c", "http://a.example/d": "http://a.example/e"]
        )
        #expect(none == nil)
        #expect(others == ["a*", "c*", "e*", "b2*"].map { "http://a.example/\($0)" })
    }

    @Test("adapters see neither the session's headers nor the default ones after a redirect, and servers get them")
    func sessionHeaders() async throws {
        let (seen, sent) = (Locked<[[String: String]]>([]), Locked<[HTTPFields]>([]))
        let session = Session.alone(
            on: StubTransport { request in
                sent.withLock { $0.append(request.headers) }
                guard request.url.path != "/c" else { return TransportResponse(status: 200) }
                return TransportResponse(status: 302, headers: [.location: request.url.path == "/a" ? "b" : "c"])
            },
            interceptor: TestInterceptor(onAdapt: { request, _ in
                seen.withLock { $0.append(request.allHTTPHeaderFields ?? [:]) }
                return request
            })
        ) { $0.httpAdditionalHeaders = ["X-Session": "1"] }
        var request = URLRequest.some("http://a.example/a")
        request.setValue("2", forHTTPHeaderField: "X-Own")
        _ = try await session.data(for: request)
        #expect(seen.withLock { $0 } == Array(repeating: ["X-Own": "2"], count: 3))
        let fields = sent.withLock { $0 }
        #expect(fields.count == 3)
        #expect(Set(fields).count == 1)
        let name = try #require(HTTPField.Name("X-Session"))
        #expect(fields.first?[name] == "1")
        #expect(fields.first?[.userAgent] != nil)
    }
}
