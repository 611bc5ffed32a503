import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Requests to unlisted origins are sent without an OAuth 2 token", .timeLimit(.minutes(5)))
struct OAuth2OriginTests {
    private static let expired = OAuth2Credential(
        accessToken: "access0",
        refreshToken: "refresh0",
        expiration: Date(timeIntervalSince1970: 0)
    )

    private func interceptor(
        _ credential: OAuth2Credential?,
        tokenURL: URL? = URL(string: "https://auth.example.com/token"),
        origins: [URL?] = [URL(string: "https://api.example.com")]
    ) throws -> AuthenticationInterceptor<OAuth2Authenticator> {
        AuthenticationInterceptor(
            authenticator: OAuth2Authenticator(
                tokenURL: try #require(tokenURL),
                client: .public(id: "app"),
                origins: origins.compactMap { $0 }
            ),
            credential: credential
        )
    }

    @Test(
        "requests to unlisted origins are sent unchanged, without a credential or with an expired one",
        arguments: [nil, expired]
    )
    func otherOrigin(credential: OAuth2Credential?) async throws {
        let sent = Locked<[TransportRequest]>([])
        let session = Session(
            transport: StubTransport { request in
                sent.withLock { $0.append(request) }
                return TransportResponse(status: 200)
            },
            interceptor: try interceptor(credential)
        )
        let response = try await session.data(for: URLRequest.some("https://cdn.example.com/a"))
        #expect(response.statusCode == 200)
        #expect(sent.withLock { $0 }.map(\.url.absoluteString) == ["https://cdn.example.com/a"])
        #expect(sent.withLock { $0 }.map { $0.headers[.authorization] } == [nil])
    }

    @Test("requests to unlisted origins are not repeated when they are rejected", arguments: [nil, expired])
    func refused(credential: OAuth2Credential?) async throws {
        let sent = Locked<[String]>([])
        let session = Session(
            transport: StubTransport { request in
                sent.withLock { $0.append(request.url.absoluteString) }
                return TransportResponse(status: 401, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
            },
            interceptor: try interceptor(credential)
        )
        #expect(try await session.data(for: URLRequest.some("https://cdn.example.com/a")).statusCode == 401)
        #expect(sent.withLock { $0 } == ["https://cdn.example.com/a"])
    }

    @Test("requests to unlisted origins do not wait for a refresh of another request")
    func duringRefresh() async throws {
        let (began, go) = (Promise<Void>(), Promise<Void>())
        let interceptor = try interceptor(Self.expired)
        let session = Session(
            transport: StubTransport { request in
                guard request.url.path == "/token" else { return TransportResponse(status: 200) }
                began.fulfill(())
                await go.wait()
                let body = #"{"access_token":"access1","token_type":"bearer","expires_in":3600}"#
                return TransportResponse(status: 200, body: .complete(Data(body.utf8)))
            },
            interceptor: interceptor
        )
        let waiting = Task { try await session.data(for: URLRequest.some("https://api.example.com/a")).statusCode }
        await began.wait()
        #expect(try await session.data(for: URLRequest.some("https://cdn.example.com/a")).statusCode == 200)
        go.fulfill(())
        #expect(try await waiting.value == 200)
    }

    @Test("a request to a listed origin needs a credential")
    func ownOrigin() async throws {
        let session = Session(transport: StubTransport(), interceptor: try interceptor(nil))
        await #expect(throws: AuthenticationError.missingCredential) {
            try await session.data(for: URLRequest.some("https://api.example.com/a"))
        }
    }

    @Test("requests to another server on the same host are sent without the token", arguments: TransportKind.allCases)
    func otherPort(kind: TransportKind) async throws {
        try await HandlerServer.run { _ in
            .ok()
        } _: { other in
            try await kind.withHandlerServer { _ in
                .ok()
            } _: { transport, server in
                let interceptor = try interceptor(OAuth2Credential(accessToken: "a"), origins: [server.url("/v1")])
                let session = Session(transport: transport, interceptor: interceptor)
                for url in [server.url("/v2"), other.url("/v1"), URL(string: server.named("/v1"))] {
                    _ = try await session.data(for: URLRequest(url: try #require(url)))
                }
                #expect(server.seen.map { $0["Authorization"] } == ["Bearer a", nil])
                #expect(other.seen.map { $0["Authorization"] } == [nil])
            }
        }
    }

    // The second server rejects every request. No token was sent to a listed origin, so the request is sent once more.
    @Test(
        "a redirect to another origin is followed without the token, and a rejection there causes no refresh",
        arguments: TransportKind.allCases,
        [false, true]
    )
    func redirect(kind: TransportKind, isListed: Bool) async throws {
        try await HandlerServer.run { _ in
            HandlerServer.Response(status: 401, headers: ["WWW-Authenticate: Bearer error=\"invalid_token\""])
        } _: { other in
            let location = other.url("/b").absoluteString
            try await kind.withHandlerServer { seen in
                seen.head.path == "/a" ? .redirect(to: location) : .ok(#"{"access_token":"new","token_type":"bearer"}"#)
            } _: { transport, server in
                let interceptor = try interceptor(
                    OAuth2Credential(accessToken: "a", refreshToken: "r"),
                    tokenURL: server.url("/token"),
                    origins: [server.url("/")] + (isListed ? [other.url("/")] : [])
                )
                let session = Session(transport: transport, interceptor: interceptor)
                let response = try await session.data(for: URLRequest(url: server.url("/a")))
                #expect(response.statusCode == 401)
                let attempts = isListed ? 2 : 1
                #expect(server.lines == Array(repeating: "GET /a", count: attempts))
                #expect(server.seen.allSatisfy { $0["Authorization"] == "Bearer a" })
                #expect(other.seen.map { $0["Authorization"] } == Array(repeating: nil, count: attempts))
            }
        }
    }
}
