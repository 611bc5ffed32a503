import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Retry budgets with a quota or throttling count the outcome of each attempt")
struct RetryBudgetRuleTests {
    private static let outcomes: [(AttemptEnd.Outcome, change: Int)] = [
        (.success, 0), (.other, 0), (.failure(.other, wantsRetry: false), 0), (.failure(.other, wantsRetry: true), -14),
        (.failure(.timeout, wantsRetry: true), -10), (.failure(.throttling, wantsRetry: true), -5),
    ]

    @Test("a retry takes the units of its failure from a quota, and nothing else takes any")
    func costs() {
        for (outcome, change) in Self.outcomes {
            var quota = RetryQuota(capacity: 20, costs: .init(retry: 14, timeout: 10, throttling: 5))
            var account = RetryAccount()
            let isAllowed = quota.decideRetry(after: AttemptEnd(outcome: outcome, isFirst: true), &account)
            #expect(isAllowed == (change < 0))
            #expect(quota.available == 20 + change)
        }
    }

    @Test("a success returns the units of the request's last retry to a quota, or one unit")
    func refunds() {
        var quota = RetryQuota(capacity: 40, costs: .init(retry: 14, timeout: 10, throttling: 5))
        var (retried, plain) = (RetryAccount(), RetryAccount())
        for failure in [AttemptEnd.Failure.other, .timeout] {
            #expect(
                quota.decideRetry(
                    after: AttemptEnd(outcome: .failure(failure, wantsRetry: true), isFirst: false),
                    &retried
                )
            )
        }
        #expect(quota.available == 16)
        _ = quota.decideRetry(after: AttemptEnd(outcome: .success, isFirst: true), &plain)
        #expect(quota.available == 17)
        _ = quota.decideRetry(after: AttemptEnd(outcome: .success, isFirst: false), &retried)
        #expect(quota.available == 27)
    }

    @Test("a body that breaks off takes back what the head of its response has changed")
    func brokenBodies() {
        let cut = AttemptEnd(outcome: .failure(.other, wantsRetry: false), isFirst: true, isBodyFailure: true)
        var account = RetryAccount()
        var quota = RetryQuota(capacity: 40, costs: .init(retry: 14, timeout: 14, throttling: 5))
        for _ in 1...2 {
            _ = quota.decideRetry(
                after: AttemptEnd(outcome: .failure(.other, wantsRetry: true), isFirst: false),
                &account
            )
        }
        _ = quota.decideRetry(after: AttemptEnd(outcome: .success, isFirst: false), &account)
        #expect(quota.available == 26)
        _ = quota.decideRetry(after: cut, &account)
        #expect(quota.available == 12)

        var throttling = RetryThrottling(maximumTokens: 10, tokenRatio: 0.5)
        for outcome in [AttemptEnd.Outcome.failure(.other, wantsRetry: true), .success, .other] {
            let before = throttling.tokens
            var account = RetryAccount()
            _ = throttling.decideRetry(after: AttemptEnd(outcome: outcome, isFirst: true), &account)
            _ = throttling.decideRetry(after: cut, &account)
            #expect(throttling.tokens == before - 1_000, "the attempt counts once, as a failure")
        }
    }

    @Test(
        "the ratio of throttling is cut off after three decimal places, and invalid numbers are clamped",
        arguments: [
            (10, 0.1, 100), (10, 0.5466, 546), (10, 0.546, 546), (10, 0.29, 290), (10, 0.57, 570), (10, 1.001, 1_001),
            (10, 0.545_999_999_999_999_9, 545), (10, 0.000_9, 0), (10, 3, 3_000), (10, 99, 10_000), (10, -1, 0),
            (10, .nan, 0), (10, .infinity, 10_000), (1_000, 0.001, 1), (5_000, 2_000, 1_000_000), (-7, 7, 1_000),
        ] as [(Int, Double, Int)]
    )
    func ratios(maximum: Int, ratio: Double, thousandths: Int) {
        var throttling = RetryThrottling(maximumTokens: maximum, tokenRatio: ratio)
        var account = RetryAccount()
        let full = throttling.tokens
        #expect(full == min(max(maximum, 1), 1_000) * 1_000)
        while throttling.tokens > 0 {
            _ = throttling.decideRetry(
                after: AttemptEnd(outcome: .failure(.other, wantsRetry: true), isFirst: true),
                &account
            )
        }
        _ = throttling.decideRetry(after: AttemptEnd(outcome: .success, isFirst: true), &account)
        #expect(throttling.tokens == thousandths)
    }

    @Test("negative and huge numbers of a quota are clamped")
    func invalidQuotas() {
        let free = RetryBudget.quota(capacity: -1, retryCost: -1)
        #expect(free.withdraw())
        let closed = RetryBudget.quota(capacity: .min, retryCost: .max)
        #expect(!closed.withdraw())
        #expect(RetryBudget.quota(capacity: .max, retryCost: 1_000_000).withdraw())
    }

    @Test("a custom retrier can deposit and withdraw with each rule")
    func customRetriers() {
        func withdrawals(_ budget: RetryBudget) -> Int { (1...100).count { _ in budget.withdraw() } }
        let quota = RetryBudget.quota(capacity: 30, retryCost: 10)
        #expect(withdrawals(quota) == 3)
        for _ in 1...10 { quota.deposit() }
        #expect(withdrawals(quota) == 1)
        let throttling = RetryBudget.throttling(maximumTokens: 10, tokenRatio: 1)
        #expect(withdrawals(throttling) == 4)
        for _ in 1...7 { throttling.deposit() }
        #expect(withdrawals(throttling) == 1)
    }

    @Test("a hedge takes the cost of a retry from a quota, and no token of throttling, which must be open")
    func hedges() {
        let quota = RetryBudget.quota(capacity: 28)
        #expect([quota.withdrawForHedge(), quota.withdrawForHedge(), quota.withdrawForHedge()] == [true, true, false])
        for _ in 1...14 { quota.depositForHedging() }
        #expect([quota.withdrawForHedge(), quota.withdrawForHedge()] == [true, false])
        quota.deposit()
        for _ in 1...100 { quota.depositForHedging() }
        #expect(!quota.withdrawForHedge(), "a policy counts the requests")

        let throttling = RetryBudget.throttling(maximumTokens: 2, tokenRatio: 1)
        for _ in 1...9 { #expect(throttling.withdrawForHedge()) }
        #expect(!throttling.withdraw())
        throttling.depositForHedging()
        #expect(!throttling.withdrawForHedge())
        throttling.deposit()
        #expect(throttling.withdrawForHedge())
    }

    // MARK: Sessions

    /// A session whose server responds with a function of the path and of the attempt's number.
    private func session(
        _ budget: RetryBudget,
        retryLimit: UInt = 1,
        respond: @escaping @Sendable (_ path: String, _ number: Int) throws -> TransportResponse
    ) -> LimitedSession {
        let counts = Locked<[String: Int]>([:])
        let policy = RetryPolicy(retryLimit: retryLimit, exponentialBackoffScale: 0, budget: budget)
        return LimitedSession(interceptor: policy) { request in
            let number = counts.withLock { counts in
                counts[request.url.path, default: 0] += 1
                return counts[request.url.path, default: 0]
            }
            return try respond(request.url.path, number)
        }
    }

    @Test("a session's requests that succeed after a retry return its cost to the quota, and others do not")
    func quotaOfSession() async throws {
        let limited = session(.quota(capacity: 14)) { path, number in
            TransportResponse(status: path.hasPrefix("/down") || number == 1 ? 503 : 200)
        }
        for number in 1...5 { #expect(try await limited.send("http://h.test/\(number)") == 200) }
        #expect(limited.sent.values.count == 10)
        for number in 1...5 { #expect(try await limited.send("http://h.test/down/\(number)") == 503) }
        #expect(limited.sent.values.count == 10 + 5 + 1)
        #expect(try await limited.send("http://h.test/6") == 503)
    }

    @Test("a session's retries after 429 and after a timeout have their own costs")
    func costsOfSession() async throws {
        let limited = session(.quota(capacity: 20, retryCost: 14, timeoutCost: 10, throttlingCost: 5)) { path, _ in
            if path.hasPrefix("/late") { throw URLError(.timedOut) }
            return TransportResponse(status: path.hasPrefix("/limited") ? 429 : 503)
        }
        #expect(await limited.error("http://h.test/late")?.code == .timedOut)
        try await limited.send("http://h.test/down")
        try await limited.send("http://h.test/limited/1")
        try await limited.send("http://h.test/limited/2")
        try await limited.send("http://h.test/limited/3")
        let counts = ["late": 2, "down": 1, "limited/1": 2, "limited/2": 2, "limited/3": 1]
        for (path, count) in counts {
            #expect(limited.sent.values.count { $0 == "http://h.test/\(path)" } == count, "\(path)")
        }
    }

    @Test("a session's failures count for throttling although they are not retried, and successes end it")
    func throttlingOfSession() async throws {
        let limited = session(.throttling(maximumTokens: 4, tokenRatio: 0.5), retryLimit: 3) { path, number in
            TransportResponse(status: path == "/up" ? 200 : path == "/missing" ? 404 : 503)
        }
        // Each attempt takes a token: 3 are left, and then 2, which are not more than half.
        try await limited.send("http://h.test/1")
        #expect(limited.sent.values.count == 2)
        // 404 says nothing about the server's state. Five successes make it 4 again.
        try await limited.send("http://h.test/missing")
        for _ in 1...5 { try await limited.send("http://h.test/up") }
        // A POST is not retried, and takes a token.
        var post = URLRequest(url: .test("http://h.test/post"))
        post.httpMethod = "POST"
        #expect(try await limited.session.data(for: post).statusCode == 503)
        try await limited.send("http://h.test/2")
        #expect(limited.sent.values.count { $0 == "http://h.test/2" } == 1)
    }

    @Test("responses of a session whose bodies break off exhaust the quota")
    func brokenBodiesOfSession() async throws {
        let budget = RetryBudget.quota(capacity: 30)
        let policy = RetryPolicy(retryLimit: 9, exponentialBackoffScale: 0, budget: budget)
        let sent = Locked(0)
        let cut = FakeTransport.chunks(["part"], then: URLError(.networkConnectionLost))
        let transport = FakeTransport { request in
            sent.withLock { $0 += 1 }
            return try await cut.send(request)
        }
        let session = Session(transport: transport, interceptor: policy)
        await #expect(throws: URLError.self) {
            try await session.data(for: URLRequest(url: .test("http://h.test/")))
        }
        #expect(sent.withLock { $0 } == 3)
    }
}
