import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A resource server and its token endpoint; each refresh token can be used once.
private final class TokenServer: Sendable {
    private struct State: Sendable {
        var number = 1
        var refreshes: [String] = []
        var refused = 0
        var tokenHeaders: [HTTPFields] = []
        var held: [Promise<Void>] = []
    }

    private let state = Locked(State())
    /// The responses in place of those of the token endpoint.
    private let tokenAnswer: (@Sendable () async throws -> TransportResponse)?
    /// The number of rejections that are sent together.
    private let together: Int

    init(together: Int = 1, tokenAnswer: (@Sendable () async throws -> TransportResponse)? = nil) {
        self.together = together
        self.tokenAnswer = tokenAnswer
    }

    /// Invalidates all tokens that were valid so far.
    func revoke() { state.withLock { $0.number += 1 } }
    var refreshes: [String] { state.withLock { $0.refreshes } }
    var refused: Int { state.withLock { $0.refused } }
    var tokenHeaders: [HTTPFields] { state.withLock { $0.tokenHeaders } }

    var session: Session { Session(transport: StubTransport { try await self.answer($0) }) }

    private func answer(_ request: TransportRequest) async throws -> TransportResponse {
        guard request.url.path == "/token" else { return await resource(request) }
        let form = String(decoding: request.body?.data ?? Data(), as: UTF8.self)
        let number = state.withLock { state in
            state.refreshes.append(form)
            state.tokenHeaders.append(request.headers)
            state.number += 1
            return state.number
        }
        if let tokenAnswer { return try await tokenAnswer() }
        let body = #"{"access_token":"access\#(number)","token_type":"bearer","refresh_token":"refresh\#(number)"}"#
        return TransportResponse(status: 200, body: .complete(Data(body.utf8)))
    }

    private func resource(_ request: TransportRequest) async -> TransportResponse {
        let turn = Promise<Void>()
        let (isGood, released) = state.withLock { state -> (Bool, [Promise<Void>]) in
            if request.headers[.authorization] == "Bearer access\(state.number)" { return (true, []) }
            state.refused += 1
            state.held.append(turn)
            guard state.refused >= together else { return (false, []) }
            defer { state.held = [] }
            return (false, state.held)
        }
        if isGood { return TransportResponse(status: 200) }
        released.forEach { $0.fulfill(()) }
        await turn.wait()
        return TransportResponse(status: 401, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
    }
}

@Suite("An OAuth 2 authenticator gets, sends and refreshes tokens", .timeLimit(.minutes(5)))
struct OAuth2AuthenticatorTests {
    private func authenticator(
        origins: [URL]? = nil,
        client: OAuth2Client = .public(id: "app"),
        grant: OAuth2Authenticator.Grant = .refreshToken,
        onRefresh: @escaping @Sendable (OAuth2Credential) async -> Void = { _ in }
    ) throws -> OAuth2Authenticator {
        let url = try #require(URL(string: "https://auth.example.com/token"))
        return OAuth2Authenticator(
            tokenURL: url,
            client: client,
            grant: grant,
            origins: try origins ?? [#require(URLRequest.some().url)],
            onRefresh: onRefresh
        )
    }

    private let credential = OAuth2Credential(accessToken: "access0", refreshToken: "refresh0")

    @Test("500 requests that all get 401 cause one refresh and succeed, and the new tokens are reported once")
    func refusedTogether() async throws {
        let server = TokenServer(together: 500)
        let told = Locked<[OAuth2Credential]>([])
        let interceptor = AuthenticationInterceptor(
            authenticator: try authenticator { new in told.withLock { $0.append(new) } },
            credential: credential
        )
        let session = server.session
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<500 {
                group.addTask { try await interceptor.exchange(.some(), in: session).statusCode }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 500))
        #expect(server.refused == 500)
        #expect(server.refreshes == ["grant_type=refresh_token&refresh_token=refresh0&client_id=app"])
        let new = OAuth2Credential(accessToken: "access2", refreshToken: "refresh2")
        #expect(told.withLock { $0 } == [new])
        #expect(interceptor.credential == new)
        // The token request contains no token.
        #expect(server.tokenHeaders.map { $0[.authorization] } == [nil])
    }

    @Test("each token refresh uses the refresh token of the previous response")
    func rotates() async throws {
        let server = TokenServer()
        let interceptor = AuthenticationInterceptor(authenticator: try authenticator(), credential: credential)
        for _ in 0..<3 {
            let response = try await interceptor.exchange(.some(), in: server.session)
            #expect(response.statusCode == 200)
            server.revoke()
        }
        let tokens = ["refresh0", "refresh2", "refresh4"]
        #expect(server.refreshes == tokens.map { "grant_type=refresh_token&refresh_token=\($0)&client_id=app" })
    }

    @Test("RFC 6749, section 4.4: client credentials get their first token with the first request")
    func clientCredentials() async throws {
        let server = TokenServer()
        let interceptor = AuthenticationInterceptor(
            authenticator: try authenticator(client: .basic(id: "a", secret: "b"), grant: .clientCredentials),
            credential: .toBeRequested
        )
        let response = try await interceptor.exchange(.some(), in: server.session)
        #expect(response.statusCode == 200)
        #expect(server.refused == 0)
        #expect(server.refreshes == ["grant_type=client_credentials"])
        #expect(server.tokenHeaders.map { $0[.authorization] } == ["Basic YTpi"])
    }

    @Test("a rejected refresh token fails all waiting requests with the token endpoint's error")
    func invalidGrant() async throws {
        let gate = Promise<Void>()
        let server = TokenServer {
            await gate.wait()
            return TransportResponse(status: 400, body: .complete(Data(#"{"error":"invalid_grant"}"#.utf8)))
        }
        let interceptor = AuthenticationInterceptor(authenticator: try authenticator(), credential: credential)
        let session = server.session
        let tasks = (0..<20).map { _ in Task { try await interceptor.exchange(.some(), in: session) } }
        await interceptor.waits(for: 20)
        gate.fulfill(())
        for task in tasks {
            let error = await #expect(throws: OAuth2Error.self) { try await task.value }
            #expect(error?.code == .invalidGrant)
        }
        #expect(server.refreshes.count == 1)
    }

    @Test("a failed exchange with the token endpoint throws the error of the transport")
    func transportFails() async throws {
        let server = TokenServer { throw URLError(.notConnectedToInternet) }
        let interceptor = AuthenticationInterceptor(authenticator: try authenticator(), credential: credential)
        await #expect(throws: URLError(.notConnectedToInternet)) {
            try await interceptor.exchange(.some(), in: server.session)
        }
    }

    @Test("an endless response of the token endpoint is not read to its end")
    func endless() async throws {
        let read = Locked(0)
        let server = TokenServer {
            TransportResponse(
                status: 200,
                body: .stream(
                    TransportBodyStream {
                        read.withLock { $0 += 1 }
                        return Data(count: 65_536)
                    }
                )
            )
        }
        await #expect(throws: OAuth2Error.responseTooLarge(maximum: 1_048_576)) {
            try await authenticator().refresh(credential, for: server.session)
        }
        #expect(read.withLock { $0 } <= 18)
    }

    @Test("OAuth 2 tokens that arrive after a logout are not reported")
    func logOut() async throws {
        let isAsked = Promise<Void>()
        let gate = Promise<Void>()
        let server = TokenServer {
            isAsked.fulfill(())
            await gate.wait()
            return TransportResponse(status: 200, body: .complete(Data(#"{"access_token":"late"}"#.utf8)))
        }
        let told = Locked(0)
        let authenticator = try authenticator { _ in told.withLock { $0 += 1 } }
        let task = Task { [credential] in try await authenticator.refresh(credential, for: server.session) }
        await isAsked.wait()
        task.cancel()
        gate.fulfill(())
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(told.withLock { $0 } == 0)
    }

    @Test(
        "the OAuth 2 token is sent to the given origins only",
        arguments: [
            ("https://api.example.com/a?b", true), ("https://API.example.com:443/", true),
            ("https://user@api.example.com/", true), ("http://localhost:8080/x", true),
            ("http://api.example.com/", false), ("https://api.example.com:8443/", false),
            ("https://example.com/", false), ("https://api.example.com.evil.com/", false),
            ("https://evil.com/https://api.example.com", false), ("https://api.example.com@evil.com/", false),
            ("http://localhost/", false), ("/relative", false),
        ]
    )
    func origins(text: String, isAllowed: Bool) throws {
        let origins = [
            try #require(URL(string: "https://api.example.com/v1")), try #require(URL(string: "http://localhost:8080")),
        ]
        let authenticator = try authenticator(origins: origins)
        var request = URLRequest.some(text)
        try authenticator.apply(credential, to: &request)
        #expect(request.value(forHTTPHeaderField: "Authorization") == (isAllowed ? "Bearer access0" : nil))
        let attempt = RequestAttempt(request: request, outcome: .response(status: 401, headers: [:]))
        #expect(authenticator.didRefuse(attempt) == isAllowed)
    }

    @Test("the OAuth 2 token replaces an existing Authorization header")
    func replaces() throws {
        var request = URLRequest.some()
        request.setValue("Basic x", forHTTPHeaderField: "authorization")
        try authenticator().apply(credential, to: &request)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer access0")
        #expect(try authenticator().isRequest(request, authenticatedWith: credential))
        #expect(try !authenticator().isRequest(request, authenticatedWith: OAuth2Credential(accessToken: "access1")))
        #expect(try !authenticator().isRequest(.some(), authenticatedWith: credential))
    }

    @Test(
        "RFC 6750, section 2.1: a token that would add another header is not sent",
        arguments: ["", "a\r\nX: y", "a b"]
    )
    func injection(token: String) throws {
        var request = URLRequest.some()
        #expect(throws: OAuth2Error.invalidAccessToken) {
            try authenticator().apply(OAuth2Credential(accessToken: token), to: &request)
        }
        #expect(throws: OAuth2Error.unsupportedTokenType("mac")) {
            try authenticator().apply(OAuth2Credential(accessToken: "a", tokenType: "mac"), to: &request)
        }
        #expect(request.allHTTPHeaderFields?["Authorization"] == nil)
    }

    @Test(
        "RFC 6750, section 3.1: a 401 rejects the token, unless the Bearer challenge has another error",
        arguments: [
            (401, nil, true), (401, "Bearer", true), (401, "Bearer realm=\"a\"", true),
            (401, "Bearer error=\"invalid_token\"", true), (401, "Bearer error=\"insufficient_scope\"", false),
            (401, "Bearer error=\"invalid_request\"", false), (401, "Basic realm=\"a\"", true),
            (403, "Bearer error=\"insufficient_scope\"", false), (403, "Bearer error=\"invalid_token\"", false),
            (400, "Bearer error=\"invalid_request\"", false), (200, "Bearer error=\"invalid_token\"", false),
            (407, nil, false),
        ] as [(Int, String?, Bool)]
    )
    func refusal(status: Int, challenge: String?, isRefusal: Bool) throws {
        var headers: HTTPFields = [:]
        headers[.wwwAuthenticate] = challenge
        let attempt = RequestAttempt(request: .some(), outcome: .response(status: status, headers: headers))
        #expect(try authenticator().didRefuse(attempt) == isRefusal)
    }

    @Test("a failure without a response does not reject the token")
    func noResponse() throws {
        let attempt = RequestAttempt(request: .some(), outcome: .failure(URLError(.userAuthenticationRequired)))
        #expect(try !authenticator().didRefuse(attempt))
    }
}
