import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

@Suite("Secret headers are not sent to another origin after a redirect (RFC 9110, 15.4, steps 2 and 3)")
struct RedirectSecretTests {
    private static let secrets = [
        "Authorization", "Cookie", "Cookie2", "Proxy-Authorization", "Host", "Origin", "Referer", "X-Api-Key",
    ]

    private static func headers() throws -> HTTPFields {
        var headers: HTTPFields = [.accept: "*/*", .userAgent: "test"]
        for name in secrets { headers[try #require(HTTPField.Name(name))] = "secret" }
        return headers
    }

    private func state(_ url: String = "https://a.example/") throws -> RedirectState {
        RedirectState(
            try RedirectRequest(.get, url, headers: Self.headers()),
            options: RedirectOptions(allowsInsecure: true, sensitiveHeaders: ["x-api-KEY", "not a name", ""])
        )
    }

    @Test(
        "secret headers are kept after a redirect within the origin",
        arguments: ["/x", "https://A.example:443/x", "https://u:p@a.example/x"]
    )
    func sameOrigin(_ location: String) throws {
        var state = try state()
        let next = try state.follow(location)
        #expect(next?.headers == (try Self.headers()))
        #expect(!state.hasCrossedOrigin)
    }

    @Test(
        "secret headers are removed after a redirect to another scheme, host or port",
        arguments: [
            "http://a.example/x", "https://b.example/x", "//x.a.example/", "https://a.example:8443/", "//a.example./x",
            "//a.example@b.example/", "https://b.example/?a.example", "//b.example/a.example",
        ]
    )
    func otherOrigin(_ location: String) throws {
        var state = try state()
        let redirect = try state.redirect(to: location, status: 307)
        #expect(redirect.isCrossOrigin)
        #expect(redirect.request.headers == [.accept: "*/*", .userAgent: "test"])
        #expect(!state.hasCrossedOrigin, "not before it is followed")
        let next = try state.handleDecision(.follow, on: redirect)
        #expect(next?.headers == [.accept: "*/*", .userAgent: "test"])
        #expect(state.hasCrossedOrigin)
    }

    @Test("secret headers stay removed after a redirect back to the first origin")
    func back() throws {
        var state = try state()
        _ = try state.follow("https://b.example/")
        let redirect = try state.redirect(to: "https://a.example/x")
        #expect(redirect.isCrossOrigin)
        let next = try state.handleDecision(.follow, on: redirect)
        #expect(next?.headers == [.accept: "*/*", .userAgent: "test"])
        #expect(state.hasCrossedOrigin)
        _ = try state.follow("/y")
        #expect(state.hasCrossedOrigin)
    }

    @Test("a redirect handler cannot restore secret headers for another origin")
    func changed() throws {
        var state = try state()
        let next = try state.follow("/x") { _ in
            .change(to: try RedirectRequest(.get, "https://b.example/", headers: Self.headers()))
        }
        #expect(next?.headers == [.accept: "*/*", .userAgent: "test"])
        #expect(state.hasCrossedOrigin)
        let back = try state.follow("/y") { _ in
            .change(to: try RedirectRequest(.get, "https://a.example/", headers: Self.headers()))
        }
        #expect(back?.headers == [.accept: "*/*", .userAgent: "test"])
    }

    @Test("a redirect handler can keep secret headers within the origin")
    func changedBack() throws {
        var state = try state()
        let next = try state.follow("https://b.example/x") { redirect in
            #expect(redirect.source.headers == (try Self.headers()))
            return .change(to: try RedirectRequest(.get, "https://a.example/y", headers: redirect.source.headers))
        }
        #expect(next?.headers == (try Self.headers()))
        #expect(!state.hasCrossedOrigin)
    }

    @Test("a header whose name denotes a secret is sent to another origin only if a redirect handler adds it")
    func secretNames() throws {
        let names = ["X-Auth-Token", "Ocp-Apim-Subscription-Key", "X-MySessionId", "DPoP", "X-Amz-Security-Token"]
        var secrets = HTTPFields()
        for name in names { secrets[try #require(HTTPField.Name(name))] = "secret" }
        let others: HTTPFields = [
            .accept: "*/*", .range: "bytes=1-", try #require(HTTPField.Name("Idempotency-Key")): "1",
            try #require(HTTPField.Name("X-Author")): "a",
        ]
        let request = try RedirectRequest(.get, "https://a.example/", headers: HTTPFields(others + secrets))
        for location in ["https://b.example/x", "http://a.example/x"] {
            var state = RedirectState(request, options: RedirectOptions(allowsInsecure: true))
            #expect(try state.follow("/x")?.headers == request.headers)
            #expect(try state.follow(location)?.headers == others)
            // After the crossing, too, each redirect needs the decision.
            let kept = try state.follow("/y") { redirect in
                #expect(redirect.request.headers == others)
                var next = redirect.request
                next.headers.append(contentsOf: secrets)
                return .change(to: next)
            }
            #expect(kept?.headers == request.headers)
            #expect(try state.follow("/z")?.headers == others)
        }
    }

    @Test("secret headers are removed from the transport's request, which has exactly the redirect's headers")
    func transport() throws {
        let url = try #require(URL(string: "https://a.example/"))
        let request = TransportRequest(
            method: .post,
            url: url,
            headers: [.authorization: "secret", .contentType: "text/plain", .accept: "*/*"],
            body: .data(Data("body".utf8)),
            idleTimeout: .seconds(7)
        )
        var state = RedirectState(RedirectRequest(request))
        let first = try state.follow("/x", status: 307)
        let kept = request.following(try #require(first))
        #expect(kept.headers == request.headers)
        #expect(kept.body == request.body)
        let second = try state.follow("https://b.example/", status: 303)
        let next = request.following(try #require(second))
        #expect(next.method == .get)
        #expect(next.url.absoluteString == "https://b.example/")
        #expect(next.headers == [.accept: "*/*"])
        #expect(next.body == nil)
        #expect(next.idleTimeout == .seconds(7))
    }
}
