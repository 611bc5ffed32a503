import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests to origins that an OAuth 2 authenticator is not for", .timeLimit(.minutes(5)))
struct OAuth2OriginTests {
    private static let expired = OAuth2Credential(
        accessToken: "access0",
        refreshToken: "refresh0",
        expiration: Date(timeIntervalSince1970: 0)
    )

    private func interceptor(
        _ credential: OAuth2Credential?
    ) throws -> AuthenticationInterceptor<OAuth2Authenticator> {
        AuthenticationInterceptor(
            authenticator: OAuth2Authenticator(
                tokenURL: try #require(URL(string: "https://auth.example.com/token")),
                client: .public(id: "app"),
                origins: [try #require(URL(string: "https://api.example.com"))]
            ),
            credential: credential
        )
    }

    @Test("go out as they are, without a credential and with one that has expired", arguments: [nil, expired])
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

    @Test("are left alone when they are refused", arguments: [nil, expired])
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

    @Test("do not wait for a refresh that another request needs")
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

    @Test("those that it is for need a credential")
    func ownOrigin() async throws {
        let session = Session(transport: StubTransport(), interceptor: try interceptor(nil))
        await #expect(throws: AuthenticationError.missingCredential) {
            try await session.data(for: URLRequest.some("https://api.example.com/a"))
        }
    }
}
