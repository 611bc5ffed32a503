import Foundation
import TestServers

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An API that accepts only the latest token, and the endpoint that issues tokens: `token-1`, `token-2` and so on.
///
/// A number of the first requests with a wrong token are held back until all of them have arrived, and are then refused
/// together.
final class BearerServer: Sendable {
    private actor Barrier {
        private var missing: Int
        private var waiters: [CheckedContinuation<Void, Never>] = []

        init(count: Int) { missing = count }

        func arrive() async {
            missing -= 1
            if missing <= 0 {
                waiters.forEach { $0.resume() }
                waiters = []
            } else {
                await withCheckedContinuation { waiters.append($0) }
            }
        }
    }

    private struct Counts {
        /// The number of tokens that the token endpoint has issued.
        var refreshes = 0
        var refused = 0
        var accepted = 0
        var current = "token-0"
        /// The requests with the current token that were accepted.
        var uses = 0
    }

    /// The behavior of the token endpoint.
    enum Endpoint: Sendable {
        case gives
        case refuses
        /// Issues tokens that the API refuses.
        case givesUseless
    }

    private let counts = Locked(Counts())
    private let server: ReactingServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - heldBack: The number of rejections that are sent together.
    ///   - endpoint: The behavior of the token endpoint.
    ///   - release: The token endpoint waits for it.
    ///   - uses: The number of requests for which a token is valid.
    /// - Throws: The error of the server's socket.
    init(
        heldBack: Int = 0,
        _ endpoint: Endpoint = .gives,
        release: Promise<Void>? = nil,
        uses: Int = .max
    ) async throws {
        let barrier = Barrier(count: heldBack)
        let counts = counts
        server = try await ReactingServer { received in
            if received.head.path == "/token" {
                let number = counts.withLock { counts in
                    counts.refreshes += 1
                    return counts.refreshes
                }
                await release?.wait()
                guard endpoint != .refuses else {
                    return .respond(400, body: Data(#"{"error":"invalid_grant"}"#.utf8))
                }
                if endpoint == .gives { counts.withLock { ($0.current, $0.uses) = ("token-\(number)", 0) } }
                let response = #"{"access_token":"token-\#(number)","token_type":"Bearer","expires_in":3600}"#
                return .respond(200, body: Data(response.utf8))
            }
            let isGood = counts.withLock { counts in
                let isCurrent =
                    received.head["authorization"] == "Bearer \(counts.current)" && counts.current != "token-0"
                let isGood = isCurrent && counts.uses < uses
                if isGood {
                    (counts.accepted, counts.uses) = (counts.accepted + 1, counts.uses + 1)
                } else {
                    counts.refused += 1
                }
                return isGood
            }
            if isGood { return .respond(200) }
            if heldBack > 0 { await barrier.arrive() }
            return .respond(401, headers: ["WWW-Authenticate: Bearer error=\"invalid_token\""])
        }
    }

    var refreshes: Int { counts.withLock { $0.refreshes } }
    var refused: Int { counts.withLock { $0.refused } }
    var accepted: Int { counts.withLock { $0.accepted } }
    /// All requests to the token endpoint.
    var tokenRequests: [ReactingServer.Received] { server.requests.filter { $0.head.path == "/token" } }

    func request(_ path: String = "/api", method: String = "GET") -> URLRequest { server.request(path, method: method) }

    func interceptor(
        expiration: Date? = nil,
        onRefresh: @escaping @Sendable (OAuth2Credential) async -> Void = { _ in }
    ) -> AuthenticationInterceptor<OAuth2Authenticator> {
        AuthenticationInterceptor(
            authenticator: OAuth2Authenticator(
                tokenURL: server.url("/token"),
                client: .public(id: "app"),
                origins: [server.url("/")],
                onRefresh: onRefresh
            ),
            credential: OAuth2Credential(accessToken: "token-0", refreshToken: "again", expiration: expiration)
        )
    }

    func shutDown() async { await server.shutDown() }
}
