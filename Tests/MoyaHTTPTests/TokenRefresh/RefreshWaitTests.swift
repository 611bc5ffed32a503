import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A request waits for the refresh of a credential", .timeLimit(.minutes(5)))
struct RefreshWaitTests {
    private func gated(_ gate: Promise<Void>, credential: Token) -> AuthenticationInterceptor<TokenAuthenticator> {
        AuthenticationInterceptor(
            TokenAuthenticator { _, _ in
                await gate.wait()
                try Task.checkCancellation()
                return Token(number: 2)
            },
            credential
        )
    }

    @Test("a request stops waiting for a refresh when it is cancelled, and the refresh continues for the others")
    func cancelled() async throws {
        let gate = Promise<Void>()
        let interceptor = gated(gate, credential: Token(number: 1, requiresRefresh: true))
        let first = Task { try await interceptor.adapted() }
        await interceptor.waits(for: 1)
        let second = Task { try await interceptor.adapted().token }
        await interceptor.waits(for: 2)
        let third = Task { await interceptor.verdict(.sent(1)) }
        await interceptor.waits(for: 3)

        first.cancel()
        let error = await #expect(throws: URLError.self) { try await first.value }
        #expect(error?.code == .cancelled)
        third.cancel()
        #expect(await third.value == .doNotRetry)
        await interceptor.waits(for: 1)

        gate.fulfill(())
        let token = try await second.value
        #expect(token == "2")
        #expect(interceptor.authenticator.count == 1)
    }

    @Test("all requests that wait for a refresh may be cancelled, and the result of the refresh is kept")
    func nobody() async throws {
        let gate = Promise<Void>()
        let interceptor = gated(gate, credential: Token(number: 1))
        let only = Task { await interceptor.verdict(.sent(1)) }
        await interceptor.waits(for: 1)
        only.cancel()
        #expect(await only.value == .doNotRetry)
        gate.fulfill(())
        await interceptor.isDone()
        #expect(interceptor.credential == Token(number: 2))
    }

    @Test("a cancelled request stops waiting even if the refresh never completes, and a new credential ends all waits")
    func neverCallsBack() async throws {
        struct Silent: Authenticator {
            func apply(_ credential: Token, to urlRequest: inout URLRequest) {
                urlRequest.setValue("\(credential.number)", forHTTPHeaderField: "Token")
            }
            func refresh(
                _ credential: Token,
                for session: Session,
                completion: @escaping @Sendable (Result<Token, any Error>) -> Void
            ) {}
        }
        let interceptor = AuthenticationInterceptor(
            authenticator: Silent(),
            credential: Token(number: 1, requiresRefresh: true)
        )
        let cancelled = Task { try await interceptor.adapted() }
        await interceptor.waits(for: 1)
        let waiting = Task { try await interceptor.adapted().token }
        await interceptor.waits(for: 2)
        cancelled.cancel()
        await #expect(throws: URLError.self) { try await cancelled.value }
        interceptor.credential = Token(number: 5)
        let token = try await waiting.value
        #expect(token == "5")
    }

    @Test(
        "a waiting request continues with a credential that is set in the meantime, and the refresh's result is dropped"
    )
    func logIn() async throws {
        let gate = Promise<Void>()
        let brought = Promise<Bool>()
        let interceptor = AuthenticationInterceptor(
            TokenAuthenticator { _, _ in
                await gate.wait()
                brought.fulfill(Task.isCancelled)
                return Token(number: 2)
            },
            Token(number: 1)
        )
        let refused = Task { await interceptor.verdict(.sent(1)) }
        await interceptor.waits(for: 1)
        let begun = Task { try await interceptor.adapted().token }
        await interceptor.waits(for: 2)
        interceptor.credential = Token(number: 10)
        #expect(await refused.value == .retry)
        let token = try await begun.value
        #expect(token == "10")
        gate.fulfill(())
        // The refresh is cancelled.
        #expect(await brought.wait())
        for _ in 0..<100 { await Task.yield() }
        #expect(interceptor.credential == Token(number: 10))
    }

    @Test("a request that waits for a refresh fails at a logout, because there is no credential any more")
    func logOut() async throws {
        let gate = Promise<Void>()
        let interceptor = gated(gate, credential: Token(number: 1))
        let refused = Task { await interceptor.verdict(.sent(1)) }
        await interceptor.waits(for: 1)
        let begun = Task { try await interceptor.adapted() }
        await interceptor.waits(for: 2)
        interceptor.credential = nil
        #expect(await refused.value == .authentication(.missingCredential))
        await #expect(throws: AuthenticationError.missingCredential) { try await begun.value }
        gate.fulfill(())
        for _ in 0..<100 { await Task.yield() }
        #expect(interceptor.credential == nil)
    }

    @Test("a waiting request starts a refresh if the credential that was set has expired, too")
    func expiredLogIn() async throws {
        let gate = Promise<Void>()
        let interceptor = AuthenticationInterceptor(
            TokenAuthenticator { token, _ in
                if token.number == 1 { await gate.wait() }
                return Token(number: token.number + 1)
            },
            Token(number: 1, requiresRefresh: true)
        )
        let begun = Task { try await interceptor.adapted().token }
        await interceptor.waits(for: 1)
        interceptor.credential = Token(number: 10, requiresRefresh: true)
        let token = try await begun.value
        #expect(token == "11")
        gate.fulfill(())
        for _ in 0..<100 { await Task.yield() }
        #expect(interceptor.credential == Token(number: 11))
    }

    @Test("the requests of a refresh are sent unchanged, and their rejections are ignored")
    func reentrancy() async throws {
        let owner = Promise<AuthenticationInterceptor<TokenAuthenticator>>()
        let late = Promise<Task<String?, any Error>>()
        let isOver = Promise<Void>()
        let interceptor = AuthenticationInterceptor(
            TokenAuthenticator { _, session in
                guard let owner = owner.value else { throw RefreshFailure() }
                let request = try await owner.adapted(for: session)
                guard request.token == nil else { throw RefreshFailure() }
                guard await owner.verdict(.sent(1)) == .doNotRetry else { throw RefreshFailure() }
                // A task that the refresh starts is part of it, but not after its end.
                let inner = try await Task { try await owner.adapted(for: session).token }.value
                guard inner == nil else { throw RefreshFailure() }
                late.fulfill(
                    Task {
                        await isOver.wait()
                        return try await owner.adapted(for: session).token
                    }
                )
                return Token(number: 2)
            },
            Token(number: 1, requiresRefresh: true)
        )
        owner.fulfill(interceptor)
        let request = try await interceptor.adapted()
        #expect(request.token == "2")
        isOver.fulfill(())
        let token = try await late.wait().value
        #expect(token == "2")
    }

    @Test("a request of an interceptor's refresh is sent unchanged by another interceptor that awaits this refresh")
    func nested() async throws {
        let outer = Promise<AuthenticationInterceptor<TokenAuthenticator>>()
        let inner = AuthenticationInterceptor(
            TokenAuthenticator { token, session in
                // The request is in the session of the first interceptor again, and must not wait for itself.
                guard let outer = outer.value, try await outer.adapted(for: session).token == nil else {
                    throw RefreshFailure()
                }
                return Token(number: token.number + 1)
            },
            Token(number: 10, requiresRefresh: true)
        )
        let interceptor = AuthenticationInterceptor(
            TokenAuthenticator { _, session in
                Token(number: try await inner.adapted(for: session).token.flatMap { Int($0) } ?? 0)
            },
            Token(number: 1, requiresRefresh: true)
        )
        outer.fulfill(interceptor)
        let request = try await interceptor.adapted()
        #expect(request.token == "11")
    }

    @Test("a waiting request is resumed exactly once, whatever events coincide", arguments: [1, 2, 3] as [UInt64])
    func stress(seed: UInt64) async throws {
        let interceptor = AuthenticationInterceptor(
            TokenAuthenticator { token, _ in
                for _ in 0..<(token.number % 7) { await Task.yield() }
                if token.number % 5 == 0 { throw RefreshFailure() }
                return Token(number: token.number + 1, requiresRefresh: token.number % 3 == 0)
            },
            Token(number: 1),
            window: nil
        )
        var random = SeededGenerator(seed: seed)
        let ended = Locked(0)
        let count = 2_000
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                let choice = Int.random(in: 0..<10, using: &random)
                let token = Int.random(in: 1...20, using: &random)
                if choice == 9 { interceptor.credential = token == 1 ? nil : Token(number: token) }
                let task = Task {
                    if choice < 5 {
                        _ = try? await interceptor.adapted()
                    } else {
                        let current = interceptor.credential?.number
                        _ = await interceptor.verdict(.sent(choice < 8 ? current : token))
                    }
                    ended.withLock { $0 += 1 }
                }
                group.addTask { await task.value }
                if choice == 4 || choice == 7 { task.cancel() }
            }
        }
        #expect(ended.withLock { $0 } == count, "seed \(seed)")
        await interceptor.isDone()
        #expect(interceptor.shared.withLock { $0.waiters.count } == 0, "seed \(seed)")
    }
}
