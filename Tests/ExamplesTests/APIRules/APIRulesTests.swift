import APIRuleExamples
import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The rules of APIs, as ten-line configurations, keep the rules of their models", .timeLimit(.minutes(5)))
struct APIRulesTests {
    /// Retries each failure at once, as a client without rules does.
    private struct NaiveRetrier: RequestRetrier {
        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            if case .response(let status, _) = attempt.outcome, status < 400 { return .doNotRetry }
            return attempt.retryCount < 2 ? .retry : .doNotRetry
        }
    }

    private var naive: Resilience {
        var resilience = Resilience()
        resilience.retrier = NaiveRetrier()
        return resilience
    }

    private func session(
        _ transport: FakeTransport,
        _ time: TestTime,
        _ resilience: Resilience
    ) -> Session {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        return Session(
            transport: transport,
            configuration: configuration,
            resilience: resilience,
            options: SessionOptions(clock: time.clock(.retries))
        )
    }

    // MARK: GitHub

    /// Sends requests, of which some are POSTs, and returns their statuses.
    private func sendToGitHub(_ count: Int, writes: Int, _ time: TestTime, _ session: Session, _ rules: Resilience)
        async -> [Int?]
    {
        let statuses = Locked<[Int?]>([])
        await time.run(count, rules) { number in
            let isWrite = number % (count / writes) == 0
            let path = isWrite ? "repos/o/r/issues/1/comments" : "repos/o/r"
            var request = URLRequest(url: URL(string: "https://api.github.com/\(path)")!)
            if isWrite { request.httpMethod = "POST" }
            let status = try? await session.data(for: request).statusCode
            statuses.withLock { $0.append(status) }
        }
        return statuses.withLock { $0 }
    }

    @Test("more requests to GitHub than its limits allow in a minute keep its rules")
    func gitHubVolume() async {
        let time = TestTime()
        let model = GitHubModel(time, latency: .milliseconds(20))
        let rules = GitHubRules.resilience(clock: time.clock(.limiters))
        let session = session(model.transport, time, rules)
        let statuses = await sendToGitHub(700, writes: 70, time, session, rules)
        #expect(model.violations == [:])
        #expect(statuses.count { $0 == 200 } == 630)
        #expect(statuses.count { $0 == 201 } == 70)
        #expect(model.statuses == [200: 630, 201: 70])
    }

    @Test("requests to GitHub stop for its limits, are retried after them, and all succeed")
    func gitHubLimits() async {
        let time = TestTime()
        let model = GitHubModel(
            time,
            quota: (50, .seconds(900)),
            failures: [10: (429, 45), 20: (403, 90), 30: (429, nil), 31: (429, nil), 60: (403, 700)]
        )
        let rules = GitHubRules.resilience(clock: time.clock(.limiters))
        let session = session(model.transport, time, rules)
        let statuses = await sendToGitHub(120, writes: 40, time, session, rules)
        #expect(model.violations == [:])
        #expect(statuses.count { $0 == 200 } == 80)
        #expect(statuses.count { $0 == 201 } == 40)
        // The second and the third quota begin after 900 and 1,800 seconds.
        #expect(model.statuses[403] == 2)
        #expect(model.statuses[429] == 3)
    }

    @Test("a client without GitHub's rules violates each of them")
    func gitHubWithoutRules() async {
        let time = TestTime()
        let model = GitHubModel(time, quota: (5_000, .seconds(900)), failures: [10: (429, 45)])
        let session = session(model.transport, time, naive)
        _ = await sendToGitHub(600, writes: 100, time, session, Resilience())
        #expect(Set(model.violations.keys) == [.serial, .points, .pause, .content, .limited])
    }

    @Test("without one part of the configuration, a client violates GitHub's rules")
    func gitHubParts() async {
        let parts: [(GitHubModel.Rule, count: Int, writes: Int, (inout Resilience) -> Void)] = [
            (.serial, 20, 1, { $0.concurrencyLimit = nil }), (.points, 950, 1, { $0.rateLimit = nil }),
            (.pause, 20, 10, { $0.furtherRateLimits = [] }),
        ]
        for (rule, count, writes, remove) in parts {
            let time = TestTime()
            let model = GitHubModel(time, latency: .milliseconds(20))
            var rules = GitHubRules.resilience(clock: time.clock(.limiters))
            remove(&rules)
            let session = session(model.transport, time, rules)
            _ = await sendToGitHub(count, writes: writes, time, session, rules)
            #expect(model.violations[rule] ?? 0 > 0, "\(rule)")
        }
    }

    @Test("a 403 that is not one of GitHub's limits is not retried")
    func gitHubForbidden() async {
        let time = TestTime()
        let model = GitHubModel(time, failures: [1: (403, nil)])
        var resilience = Resilience()
        resilience.retrier = GitHubRetrier()
        let session = session(model.transport, time, resilience)
        let statuses = await sendToGitHub(1, writes: 1, time, session, Resilience())
        #expect(statuses == [403])
    }

    // MARK: Stripe

    private func sendToStripe(_ count: Int, _ time: TestTime, _ session: Session, _ rules: Resilience) async -> [Int:
        Int]
    {
        let statuses = Locked<[Int: Int]>([:])
        await time.run(count, rules) { number in
            var request = URLRequest(url: URL(string: "https://api.stripe.com/v1/charges")!)
            request.httpMethod = "POST"
            let status = try? await session.data(for: request, body: .data(Data("\(number)".utf8))).statusCode
            statuses.withLock { $0[number] = status }
        }
        return statuses.withLock { $0 }
    }

    @Test("charges by Stripe keep its rules, and each order is charged once")
    func stripe() async {
        let time = TestTime()
        let model = StripeModel(time)
        let rules = StripeRules.resilience(isLive: false, clock: time.clock(.limiters))
        let session = session(model.transport, time, rules)
        let statuses = await sendToStripe(210, time, session, rules)
        #expect(model.violations == [:])
        for number in 0..<210 {
            #expect(statuses[number] == StripeModel.Fault(order: number).finalStatus, "order \(number)")
        }
        #expect(model.replays == 30)
        #expect(model.charges.count { $0 == 1 } == 150)
    }

    @Test("a client without Stripe's rules violates them, and charges twice")
    func stripeWithoutRules() async {
        for (count, violated) in [
            (210, [.rate, .concurrency, .missingKey]), (7, [.missingKey, .doubleCharge, .unwantedRetry, .earlyRetry]),
        ] as [(Int, Set<StripeModel.Rule>)] {
            let time = TestTime()
            let model = StripeModel(time)
            let session = session(model.transport, time, naive)
            _ = await sendToStripe(count, time, session, Resilience())
            #expect(Set(model.violations.keys).isSuperset(of: violated))
        }
    }

    @Test("without one part of the configuration, a client violates Stripe's rules")
    func stripeParts() async {
        let parts: [(StripeModel.Rule, (inout Resilience) -> Void)] = [
            (.missingKey, { $0.idempotencyKeys = nil }), (.concurrency, { $0.concurrencyLimit = nil }),
            (.rate, { ($0.rateLimit, $0.furtherRateLimits) = (nil, []) }),
        ]
        for (rule, remove) in parts {
            let time = TestTime()
            let model = StripeModel(time)
            var rules = StripeRules.resilience(isLive: false, clock: time.clock(.limiters))
            remove(&rules)
            _ = await sendToStripe(140, time, session(model.transport, time, rules), rules)
            #expect(model.violations[rule] ?? 0 > 0, "\(rule)")
        }
    }
}
