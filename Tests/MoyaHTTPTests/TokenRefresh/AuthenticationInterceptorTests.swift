import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("An authentication interceptor adds and refreshes credentials", .timeLimit(.minutes(5)))
struct AuthenticationInterceptorTests {
    @Test("an authentication interceptor adds the credential to a request and replaces an existing credential")
    func applies() async throws {
        let interceptor = AuthenticationInterceptor(authenticator: TokenAuthenticator(), credential: Token(number: 1))
        let request = try await interceptor.adapted(.some(token: 7))
        #expect(request.token == "1")
        #expect(interceptor.credential == Token(number: 1))
        #expect(interceptor.authenticator.count == 0)
    }

    @Test("the function of an authentication interceptor with a completion works, too")
    func completion() async throws {
        let interceptor = AuthenticationInterceptor(authenticator: TokenAuthenticator(), credential: Token(number: 1))
        let result = Promise<Result<URLRequest, any Error>>()
        interceptor.adapt(.some(), for: .fake) { result.fulfill($0) }
        let request = try await result.wait().get()
        #expect(request.token == "1")
    }

    @Test("a request without a credential fails, and the failure starts no refresh")
    func missing() async {
        let interceptor = AuthenticationInterceptor(authenticator: TokenAuthenticator())
        let error = await #expect(throws: AuthenticationError.missingCredential) { try await interceptor.adapted() }
        guard let error else { return }
        let failed = RequestAttempt(request: .some(), outcome: .failure(error))
        #expect(await interceptor.verdict(failed) == .doNotRetry)
        #expect(await interceptor.verdict(.sent(1)) == .authentication(.missingCredential))
        #expect(interceptor.authenticator.count == 0)
    }

    @Test("500 requests with an expired credential cause one refresh, and all continue with the new credential")
    func expired() async throws {
        let gate = Promise<Void>()
        let authenticator = TokenAuthenticator { _, _ in
            await gate.wait()
            return Token(number: 2)
        }
        let interceptor = AuthenticationInterceptor(authenticator, Token(number: 1, requiresRefresh: true))
        let requests = (0..<500).map { _ in Task { try await interceptor.adapted().token } }
        await interceptor.waits(for: 500)
        gate.fulfill(())
        for request in requests {
            let token = try await request.value
            #expect(token == "2")
        }
        #expect(authenticator.refreshed.withLock { $0 } == [Token(number: 1, requiresRefresh: true)])
        #expect(interceptor.credential == Token(number: 2))
        await interceptor.waits(for: 0)
    }

    @Test("500 requests that are rejected together cause one refresh, and each is repeated")
    func refused() async throws {
        let gate = Promise<Void>()
        let authenticator = TokenAuthenticator { _, _ in
            await gate.wait()
            return Token(number: 2)
        }
        let interceptor = AuthenticationInterceptor(authenticator, Token(number: 1))
        let requests = (0..<500).map { _ in Task { await interceptor.verdict(.sent(1)) } }
        await interceptor.waits(for: 500)
        gate.fulfill(())
        for request in requests { #expect(await request.value == .retry) }
        #expect(authenticator.count == 1)
        let repeated = try await interceptor.adapted()
        #expect(repeated.token == "2")
    }

    @Test("a request that begins during a refresh waits for the refresh, even if the credential seems valid")
    func beginsMeanwhile() async throws {
        let gate = Promise<Void>()
        let interceptor = AuthenticationInterceptor(
            TokenAuthenticator { _, _ in
                await gate.wait()
                return Token(number: 2)
            },
            Token(number: 1)
        )
        let refused = Task { await interceptor.verdict(.sent(1)) }
        await interceptor.waits(for: 1)
        let begun = Task { try await interceptor.adapted().token }
        await interceptor.waits(for: 2)
        gate.fulfill(())
        #expect(await refused.value == .retry)
        let token = try await begun.value
        #expect(token == "2")
    }

    @Test("a request that was sent before the refresh and rejected after it is repeated immediately")
    func late() async {
        let interceptor = AuthenticationInterceptor(TokenAuthenticator(), Token(number: 1))
        #expect(await interceptor.verdict(.sent(1)) == .retry)
        #expect(await interceptor.verdict(.sent(1)) == .retry)
        #expect(interceptor.authenticator.count == 1)
    }

    @Test(
        "a successful request, and a failure that is not a rejection, do not start a refresh",
        arguments: [200, 204, 302, 400, 403, 404, 407, 500]
    )
    func otherStatuses(status: Int) async {
        let interceptor = AuthenticationInterceptor(TokenAuthenticator(), Token(number: 1))
        #expect(await interceptor.verdict(.sent(1, status: status)) == .doNotRetry)
        #expect(interceptor.authenticator.count == 0)
    }

    @Test("a credential that expires as soon as it is refreshed is still used")
    func shortLived() async throws {
        let interceptor = AuthenticationInterceptor(
            TokenAuthenticator { token, _ in Token(number: token.number + 1, requiresRefresh: true) },
            Token(number: 1, requiresRefresh: true)
        )
        let request = try await interceptor.adapted()
        #expect(request.token == "2")
        #expect(interceptor.authenticator.count == 1)
    }

    @Test("a request that cannot be repeated does not wait for a refresh, and its rejection starts the refresh")
    func unrepeatable() async throws {
        let interceptor = AuthenticationInterceptor(TokenAuthenticator(), Token(number: 1))
        #expect(await interceptor.verdict(.sent(1, isBodyRepeatable: false)) == .doNotRetry)
        await interceptor.isDone()
        #expect(interceptor.credential == Token(number: 2))
        await interceptor.waits(for: 0)
    }

    @Test("an error of an authenticator that applies the credential fails the request")
    func applyThrows() async {
        struct Refusing: Authenticator {
            func apply(_ credential: Token, to urlRequest: inout URLRequest) throws { throw RefreshFailure() }
            func refresh(_ credential: Token, for session: Session) async throws -> Token { credential }
        }
        let interceptor = AuthenticationInterceptor(authenticator: Refusing(), credential: Token(number: 1))
        await #expect(throws: RefreshFailure.self) { try await interceptor.adapted() }
    }
}

@Suite("A refresh can fail or not help", .timeLimit(.minutes(5)))
struct FailedRefreshTests {
    @Test("all waiting requests fail once with the refresh's error, and the next request starts another refresh")
    func failsAll() async throws {
        let gate = Promise<Void>()
        let isBroken = Locked(true)
        let authenticator = TokenAuthenticator { token, _ in
            await gate.wait()
            if isBroken.withLock({ $0 }) { throw RefreshFailure() }
            return Token(number: token.number + 1)
        }
        let interceptor = AuthenticationInterceptor(authenticator, Token(number: 1))
        let refused = (0..<100).map { _ in Task { await interceptor.verdict(.sent(1)) } }
        await interceptor.waits(for: 100)
        let begun = (0..<100).map { _ in Task { try await interceptor.adapted() } }
        await interceptor.waits(for: 200)
        gate.fulfill(())
        for request in refused { #expect(await request.value == .other("refresh failure")) }
        for request in begun {
            await #expect(throws: RefreshFailure.self) { try await request.value }
        }
        #expect(authenticator.count == 1)
        #expect(interceptor.credential == Token(number: 1))
        // A request that fails in adapt is passed to the retrier, and is not a rejection.
        let failed = RequestAttempt(request: .some(), outcome: .failure(RefreshFailure()))
        #expect(await interceptor.verdict(failed) == .doNotRetry)
        #expect(authenticator.count == 1)

        isBroken.withLock { $0 = false }
        #expect(await interceptor.verdict(.sent(1)) == .retry)
        #expect(authenticator.count == 2)
    }

    @Test("a request that is rejected with the refreshed credential fails without another refresh")
    func refusedAgain() async throws {
        let interceptor = AuthenticationInterceptor(TokenAuthenticator(), Token(number: 1), window: nil)
        let id = UUID()
        #expect(await interceptor.verdict(.sent(1, id: id)) == .retry)
        #expect(await interceptor.verdict(.sent(2, id: id)) == .authentication(.excessiveRefresh))
        #expect(interceptor.authenticator.count == 1)
    }

    @Test("a request that succeeded between two refreshes can be rejected again")
    func wentWellBetween() async throws {
        let interceptor = AuthenticationInterceptor(TokenAuthenticator(), Token(number: 1), window: nil)
        let id = UUID()
        #expect(await interceptor.verdict(.sent(1, id: id)) == .retry)
        #expect(await interceptor.verdict(.sent(2, status: 200, id: id)) == .doNotRetry)
        #expect(await interceptor.verdict(.sent(2, id: id)) == .retry)
    }

    @Test(
        "a server that rejects every request gets as many refreshes as the window allows until the window has passed"
    )
    func window() async throws {
        let clock = Locked(Duration.zero)
        let interceptor = AuthenticationInterceptor(
            TokenAuthenticator(),
            Token(number: 1),
            window: RefreshWindow(interval: 30, maximumAttempts: 5),
            clock: clock
        )
        for number in 1...5 { #expect(await interceptor.verdict(.sent(number)) == .retry) }
        #expect(await interceptor.verdict(.sent(6)) == .authentication(.excessiveRefresh))
        clock.withLock { $0 = .milliseconds(29_999) }
        #expect(await interceptor.verdict(.sent(6)) == .authentication(.excessiveRefresh))
        #expect(interceptor.authenticator.count == 5)
        clock.withLock { $0 = .seconds(30) }
        #expect(await interceptor.verdict(.sent(6)) == .retry)
        #expect(interceptor.authenticator.count == 6)
    }

    @Test("the refresh window applies to expiring credentials, too")
    func windowForExpired() async throws {
        let interceptor = AuthenticationInterceptor(
            TokenAuthenticator { token, _ in Token(number: token.number + 1, requiresRefresh: true) },
            Token(number: 1, requiresRefresh: true),
            window: RefreshWindow(interval: 30, maximumAttempts: 2)
        )
        _ = try await interceptor.adapted()
        _ = try await interceptor.adapted()
        await #expect(throws: AuthenticationError.excessiveRefresh) { try await interceptor.adapted() }
    }

    @Test(
        "a request to which the credential is not applied is repeated once, because it may have been sent before the refresh"
    )
    func notApplied() async {
        let interceptor = AuthenticationInterceptor(TokenAuthenticator(), Token(number: 1))
        let id = UUID()
        #expect(await interceptor.verdict(.sent(nil, id: id)) == .retry)
        #expect(await interceptor.verdict(.sent(nil, id: id)) == .doNotRetry)
        #expect(interceptor.authenticator.count == 0)
    }

    @Test("an authenticator without a refresh function causes an error that explains the missing function")
    func notImplemented() async {
        struct Fixed: Authenticator {
            func apply(_ credential: Token, to urlRequest: inout URLRequest) {}
        }
        let interceptor = AuthenticationInterceptor(authenticator: Fixed(), credential: Token(number: 1))
        #expect(await interceptor.verdict(.sent(1)) == .authentication(.refreshNotImplemented))
    }

    @Test(
        "each error of an authentication interceptor has a text with a remedy",
        arguments: [AuthenticationError.missingCredential, .excessiveRefresh, .refreshNotImplemented]
    )
    func texts(error: AuthenticationError) {
        #expect(error.localizedDescription.count > 40)
    }

    @Test(
        "the text for too many refreshes of a credential contains the limit, the number and the time",
        arguments: [
            (
                .window(RefreshWindow()),
                "The credential was refreshed 5 times within 30 s, which is the limit (refreshWindow)"
            ),
            (
                .window(RefreshWindow(interval: 0.5, maximumAttempts: 1)),
                "The credential was refreshed once within 500 ms, which is the limit (refreshWindow)"
            ),
            (
                .window(RefreshWindow(interval: .infinity, maximumAttempts: -1)),
                "The credential was refreshed 0 times within 31536000 s, which is the limit (refreshWindow)"
            ),
            (.refusals(5), "The request was rejected 5 times with a refreshed credential, which is the limit"),
            (.newCredential, "The server rejected a credential that was refreshed for this request and that no other"),
        ] as [(AuthenticationError.Limit, String)]
    )
    func limits(limit: AuthenticationError.Limit, text: String) {
        let error = AuthenticationError(.excessiveRefresh, limit: limit)
        #expect(error.localizedDescription.hasPrefix(text))
        #expect(error == .excessiveRefresh)
    }

    @Test("an error of an authentication interceptor is matched by its reason in a switch, a catch and a comparison")
    func matching() {
        let error = AuthenticationError(.excessiveRefresh, limit: .refusals(5))
        let name =
            switch error {
            case .missingCredential: "missing"
            case .excessiveRefresh: "excessive"
            default: "other"
            }
        #expect(name == "excessive")
        do {
            throw error as any Error
        } catch AuthenticationError.missingCredential {
            Issue.record("another reason")
        } catch AuthenticationError.excessiveRefresh {
            #expect(error.reason == .excessiveRefresh)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("a credential that other requests may have used up is refreshed again, and a single request fails")
    func usedUp() async throws {
        let interceptor = AuthenticationInterceptor(TokenAuthenticator(), Token(number: 1))
        let ids = [UUID(), UUID()]
        func send(_ id: UUID) async throws {
            _ = try await interceptor.adapt(.some(), using: RequestAdapterState(requestID: id, session: .fake))
        }
        #expect(await interceptor.verdict(.sent(1, id: ids[0])) == .retry)
        for id in ids { try await send(id) }
        #expect(await interceptor.verdict(.sent(2, id: ids[0])) == .retry)
        try await send(ids[0])
        #expect(await interceptor.verdict(.sent(3, id: ids[0])) == .authentication(.excessiveRefresh))
        #expect(interceptor.authenticator.count == 2)
    }
}
