import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session's retries have a budget")
struct RetryBudgetTests {
    @Test("five first attempts add exactly one retry to the budget")
    func share() {
        var state = RetryBudgetState(share: 0.2, reservePerSecond: 0, maximumBalance: 1_000)
        for round in 1...1_000 {
            for _ in 1...5 {
                let early = state.takeToken(now: .zero)
                #expect(!early, "round \(round)")
                state.countFirstAttempt()
            }
            let earned = state.takeToken(now: .zero)
            #expect(earned, "round \(round)")
        }
    }

    @Test("earned retries are saved in the budget up to the maximum")
    func maximum() {
        var state = RetryBudgetState(share: 1, reservePerSecond: 0, maximumBalance: 3)
        for _ in 1...1_000 { state.countFirstAttempt() }
        let given = (1...10).filter { _ in state.takeToken(now: .zero) }
        #expect(given.count == 3)
    }

    @Test("the budget's reserve exists from the start and is refilled each second, up to the amount of one second")
    func reserve() {
        var state = RetryBudgetState(share: 0, reservePerSecond: 10, maximumBalance: 100)
        func taken(at now: Duration) -> Int { (1...50).filter { _ in state.takeToken(now: now) }.count }
        #expect(taken(at: .zero) == 10)
        #expect(taken(at: .milliseconds(99)) == 0)
        #expect(taken(at: .milliseconds(100)) == 1)
        #expect(taken(at: .milliseconds(600)) == 5)
        #expect(taken(at: .seconds(100)) == 10)
        #expect(taken(at: .seconds(50)) == 0, "a clock that goes back")
        #expect(taken(at: .seconds(Int64.max)) == 10)
    }

    @Test("a budget's reserve of less than one retry per second accumulates")
    func slowReserve() {
        var state = RetryBudgetState(share: 0, reservePerSecond: 0.1, maximumBalance: 0)
        let given = (0..<1_000).filter { state.takeToken(now: .milliseconds($0 * 100)) }
        #expect(given == [0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
    }

    @Test(
        "invalid numbers for a retry budget count as zero or as the maximum",
        arguments: [
            (-1, -1, -1, 0), (.nan, .nan, .nan, 0), (1, 0, 0, 0), (1, 0, .nan, 0), (0, 0, .infinity, 0),
            (.infinity, 0, .infinity, 10), (0, .infinity, 0, 10), (1, 0, .greatestFiniteMagnitude, 10),
        ] as [(Double, Double, Double, Int)]
    )
    func anyNumbers(share: Double, reserve: Double, maximum: Double, retries: Int) {
        var state = RetryBudgetState(share: share, reservePerSecond: reserve, maximumBalance: maximum)
        for _ in 1...10 { state.countFirstAttempt() }
        let given = (1...10).filter { state.takeToken(now: .seconds($0)) }
        #expect(given.count == retries)
    }

    @Test(
        "N requests in an outage cause at most N × 0.2 retries plus the reserve",
        arguments: [10, 100, 1_000, 20_000]
    )
    func outage(requests: Int) {
        let clock = HandClock()
        let policy = RetryPolicy(retryLimit: 3, budget: RetryBudget(clock: clock))
        var retries = 0
        for _ in 1...requests {
            var attempt = AttemptFixture.error(URLError(.cannotConnectToHost))
            while case .retry = policy.budgetedDecision(for: attempt) {
                retries += 1
                attempt = AttemptFixture.error(URLError(.cannotConnectToHost), retryCount: attempt.retryCount + 1)
            }
            #expect(attempt.retryCount <= 3)
            // The loop makes 1,000 requests per second.
            clock.advance(by: .milliseconds(1))
        }
        let seconds = Double(requests) / 1_000
        #expect(Double(retries) <= Double(requests) * 0.2 + 10 + seconds * 10)
        #expect(Double(retries) >= min(Double(requests) * 0.2, 10) + Double(requests - 10) * 0.2 - 1, "and it is used")
    }

    @Test("a successful request adds to the retry budget and takes nothing from it")
    func successes() {
        let policy = RetryPolicy(budget: RetryBudget(reservePerSecond: 0, clock: HandClock()))
        #expect(policy.budgetedDecision(for: AttemptFixture.status(503)) == .doNotRetry(.budget))
        for _ in 1...4 {
            #expect(policy.budgetedDecision(for: AttemptFixture.status(200)) == .doNotRetry(.status(200)))
        }
        guard case .retry = policy.budgetedDecision(for: AttemptFixture.status(503, retryCount: 1)) else {
            Issue.record("five first tries earned no retry")
            return
        }
        #expect(policy.budgetedDecision(for: AttemptFixture.status(503, retryCount: 1)) == .doNotRetry(.budget))
    }

    @Test("a policy without a budget has no limit, and copies of a policy share a budget")
    func sharing() {
        let unbound = RetryPolicy(budget: nil, random: { 1 })
        for _ in 1...1_000 {
            #expect(unbound.budgetedDecision(for: AttemptFixture.status(503)) == .retry(after: .milliseconds(500)))
        }
        let policy = RetryPolicy(budget: RetryBudget(share: 0, reservePerSecond: 1, clock: HandClock()), random: { 1 })
        var copy = policy
        copy.retryLimit = 9
        #expect(policy.budgetedDecision(for: AttemptFixture.status(503)) == .retry(after: .milliseconds(500)))
        #expect(copy.budgetedDecision(for: AttemptFixture.status(503)) == .doNotRetry(.budget))
    }

    @Test("requests that may be hedged earn as first attempts do, unless a policy counts the requests")
    func hedgeableRequests() {
        let alone = RetryBudget(share: 0.5, reservePerSecond: 0, clock: HandClock())
        for _ in 1...3 { alone.depositForHedging() }
        #expect(alone.withdraw())
        #expect(!alone.withdraw())

        let shared = RetryBudget(share: 0.5, reservePerSecond: 0, clock: HandClock())
        let policy = RetryPolicy(budget: shared)
        for _ in 1...3 {
            _ = policy.budgetedDecision(for: AttemptFixture.status(200))
            shared.depositForHedging()
        }
        #expect(shared.withdraw())
        #expect(!shared.withdraw())
    }

    @Test("a thousand tasks withdraw no more than the balance of the retry budget")
    func concurrency() async {
        let budget = RetryBudget(share: 1, reservePerSecond: 0, maximumBalance: 100, clock: HandClock())
        let taken = await withTaskGroup(of: Bool.self) { group in
            for _ in 1...1_000 {
                group.addTask {
                    budget.deposit()
                    return budget.withdraw()
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(taken <= 1_000)
        var rest = 0
        while budget.withdraw() { rest += 1 }
        #expect(taken + rest <= 1_000)
    }
}
