import Foundation
import MoyaHTTP
import Testing

@Suite("The requests of a session share credentials")
struct CredentialCacheTests {
    private let cache = CredentialCache()
    private let origin = Origin(scheme: "http", host: "h", port: 80)
    private let credential = UserCredential(user: "u", password: "p")

    private func response(_ decision: ChallengeDecision?) -> ChallengeResponse? {
        if case .respond(let response) = decision { response } else { nil }
    }

    /// Sends a request with a response to a challenge, and records its acceptance.
    private func accept(
        _ challenge: String,
        path: String = "/",
        credential: UserCredential? = nil,
        side: AuthenticationSide = .server,
        origin: Origin? = nil,
        in cache: CredentialCache? = nil
    ) throws {
        let (cache, credential, origin) = (cache ?? self.cache, credential ?? self.credential, origin ?? self.origin)
        var request = ChallengeResponderTests.request(path)
        let decision = cache.respond(
            to: ChallengeParser.challenges(in: [challenge]),
            request: request,
            credential: credential,
            side: side,
            origin: origin
        )
        let sent: ChallengeResponse = try #require(response(decision))
        request.challengeResponse = sent
        cache.recordAcceptance(of: request, info: [], credential: credential, side: side, origin: origin)
    }

    private func authorization(
        _ path: String = "/",
        credential: UserCredential? = nil,
        side: AuthenticationSide = .server,
        origin: Origin? = nil
    ) -> ChallengeResponse? {
        response(
            cache.authorization(
                for: ChallengeResponderTests.request(path),
                credential: credential ?? self.credential,
                side: side,
                origin: origin ?? self.origin
            )
        )
    }

    @Test("nonce counts are unique for each nonce, for any number of concurrent requests")
    func uniqueCounts() async throws {
        try accept("Digest realm=r, nonce=n, qop=auth")
        let counts = await withTaskGroup(of: [UInt32].self) { group in
            for task in 0..<8 {
                group.addTask {
                    var counts: [UInt32] = []
                    for _ in 0..<100 {
                        let request = ChallengeResponderTests.request()
                        let decision =
                            task % 2 == 0
                            ? cache.authorization(for: request, credential: credential, origin: origin)
                            : cache.respond(
                                to: ChallengeParser.challenges(in: ["Digest realm=r, nonce=n, qop=auth"]),
                                request: request,
                                credential: credential,
                                origin: origin
                            )
                        if case .digest(let digest) = response(decision)?.content { counts.append(digest.count) }
                    }
                    return counts
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(counts.sorted() == Array(2...801))
    }

    @Test("each Digest response has a new client nonce")
    func clientNonces() throws {
        try accept("Digest realm=r, nonce=n, qop=auth")
        let nonces = (0..<100).compactMap { _ in
            if case .digest(let digest) = authorization()?.content { digest.clientNonce } else { nil }
        }
        #expect(Set(nonces).count == 100)
        #expect(nonces.allSatisfy { $0.count == 32 })
    }

    @Test("the requests of different credentials are not mixed, even if everything else is equal")
    func credentials() throws {
        let other = UserCredential(user: "u", password: "q")
        try accept("Digest realm=r, nonce=n, qop=auth")
        #expect(authorization(credential: other) == nil)
        try accept("Digest realm=r, nonce=n, qop=auth", credential: other)
        for (index, credential) in [credential, other].enumerated() {
            let response = try #require(authorization(credential: credential))
            guard case .digest(let digest) = response.content else {
                Issue.record("no Digest")
                continue
            }
            #expect(digest.credential == credential)
            // A server may send the same nonce to all clients, and count all requests with it.
            #expect(digest.count == UInt32(3 + index))
        }
    }

    @Test("the refusal of one credential does not affect another credential")
    func refusedAlone() throws {
        let other = UserCredential(user: "x", password: "y")
        try accept("Basic realm=r")
        try accept("Basic realm=r", credential: other)
        var request = ChallengeResponderTests.request("/")
        request.challengeResponse = authorization(credential: other)
        let decision = cache.respond(
            to: ChallengeParser.challenges(in: ["Basic realm=r"]),
            request: request,
            credential: other,
            origin: origin
        )
        #expect(decision == .giveUp(.credentialRefused(scheme: "Basic")))
        #expect(authorization(credential: other) == nil)
        #expect(authorization()?.header == "Basic dTpw")
    }

    @Test("RFC 9110, 11.5: credentials are sent only to their origin")
    func origins() throws {
        try accept("Digest realm=r, nonce=n, qop=auth, domain=\"/ http://other/\"")
        for other in [
            Origin(scheme: "https", host: "h", port: 80),
            Origin(scheme: "http", host: "other", port: 80),
            Origin(scheme: "http", host: "h", port: 81),
        ] {
            #expect(authorization(origin: other) == nil)
        }
        #expect(authorization(side: .proxy) == nil)
        #expect(authorization() != nil)
    }

    @Test(
        "the origins of credentials are compared ignoring case, and with the default port of the scheme",
        arguments: [
            ("http://h/a", "HTTP://H:80"), ("https://h", "https://h:443/x?y"),
        ]
    )
    func sameOrigin(first: String, second: String) throws {
        let (first, second) = (try #require(URL(string: first)), try #require(URL(string: second)))
        let origin: Origin = try #require(Origin(first))
        #expect(origin == Origin(second))
    }

    @Test(
        "a URL without scheme or host has no origin for credentials",
        arguments: ["/a", "mailto:a", "file:///a", "h", "wss://h"]
    )
    func noOrigin(text: String) throws {
        #expect(Origin(try #require(URL(string: text))) == nil)
    }

    @Test("RFC 9110, 11.6, 11.7: a server and a proxy have different challenge fields and statuses")
    func sides() {
        #expect(AuthenticationSide.server.statusCode == 401)
        #expect(AuthenticationSide.server.challengeField.rawName == "WWW-Authenticate")
        #expect(AuthenticationSide.server.authorizationField.rawName == "Authorization")
        #expect(AuthenticationSide.server.infoField.rawName == "Authentication-Info")
        #expect(AuthenticationSide.proxy.statusCode == 407)
        #expect(AuthenticationSide.proxy.challengeField.rawName == "Proxy-Authenticate")
        #expect(AuthenticationSide.proxy.authorizationField.rawName == "Proxy-Authorization")
        #expect(AuthenticationSide.proxy.infoField.rawName == "Proxy-Authentication-Info")
    }

    @Test("the credentials of the innermost protection space are used for nested spaces")
    func innermost() throws {
        try accept("Basic realm=outer", path: "/a")
        try accept("Basic realm=inner", path: "/b/c")
        #expect(authorization("/b/d")?.realm == "inner")
        #expect(authorization("/d")?.realm == "outer")
        #expect(cache.count == 2)
    }

    @Test("the credentials of the space used last are used if two protection spaces cover a path equally")
    func lastUsed() throws {
        try accept("Basic realm=a")
        try accept("Basic realm=b")
        #expect(authorization()?.realm == "b")
        try accept("Basic realm=a")
        #expect(authorization()?.realm == "a")
    }

    @Test("unsupported schemes leave no credentials, and the shared credentials can be cleared")
    func nothingLeft() throws {
        let decision = cache.respond(
            to: ChallengeParser.challenges(in: ["Negotiate"]),
            request: ChallengeResponderTests.request(),
            credential: credential,
            origin: origin
        )
        #expect(decision == .giveUp(.unsupportedSchemes(["Negotiate"])))
        #expect(cache.count == 0)
        try accept("Basic realm=a")
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(authorization() == nil)
    }

    @Test("a server that invents realms uses bounded memory, and the protection spaces used last are kept")
    func bounded() throws {
        let cache = CredentialCache(limit: 10)
        try accept("Basic realm=kept", path: "/kept/", in: cache)
        for number in 0..<100 {
            try accept("Basic realm=r\(number)", path: "/x/", in: cache)
            let kept = cache.authorization(
                for: ChallengeResponderTests.request("/kept/"),
                credential: credential,
                origin: origin
            )
            #expect(response(kept)?.realm == "kept")
            #expect(cache.count <= 10)
        }
    }
}
