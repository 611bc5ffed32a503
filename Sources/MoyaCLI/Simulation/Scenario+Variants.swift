#if os(Linux)
import Foundation
import Moya

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Scenario.Variant {
    static let nothing = Scenario.Variant("nothing") { _, _, _ in }

    static let unlimitedRetries = Scenario.Variant("retries without a budget") { parts, _, random in
        parts.interceptor = RetryPolicy(retryLimit: 2, budget: nil, random: random)
    }

    static let retries = Scenario.Variant("retries") { parts, clock, random in
        parts.interceptor = retryPolicy(clock, random)
    }

    static let circuitBreaker = Scenario.Variant("retries, circuit breaker") { parts, clock, random in
        parts.interceptor = retryPolicy(clock, random)
        parts.resilience.circuitBreaker = CircuitBreaker(clock: clock)
    }

    static let adaptiveConcurrency = Scenario.Variant("retries, adaptive concurrency") { parts, clock, random in
        parts.interceptor = retryPolicy(clock, random)
        parts.resilience.concurrencyLimit = ConcurrencyLimiter(.adaptive(), maximumWait: .seconds(5), clock: clock)
    }

    static let serverRateLimit = Scenario.Variant("retries, the server's rate limit") { parts, clock, random in
        parts.interceptor = retryPolicy(clock, random)
        parts.resilience.rateLimit = RateLimiter(maximumWait: .seconds(10), clock: clock)
    }

    static let clientRateLimit = Scenario.Variant("retries, a rate limit of 25 per second") { parts, clock, random in
        parts.interceptor = retryPolicy(clock, random)
        parts.resilience.rateLimit = RateLimiter(
            .slidingWindow(25, per: .seconds(1)),
            maximumWait: .seconds(10),
            clock: clock
        )
    }

    static let oneLimit = Scenario.Variant("one concurrency limit of 10") { parts, clock, _ in
        parts.resilience.concurrencyLimit = ConcurrencyLimiter(
            .fixed(10),
            by: .all,
            maximumWait: .seconds(5),
            clock: clock
        )
    }

    static let limitPerHost = Scenario.Variant("a concurrency limit of 10 for each host") { parts, clock, _ in
        parts.resilience.concurrencyLimit = ConcurrencyLimiter(.fixed(10), maximumWait: .seconds(5), clock: clock)
    }

    static let hedging = Scenario.Variant("hedging") { parts, clock, _ in
        parts.resilience.hedging = Hedging(after: .percentile(0.95), clock: clock)
    }

    static let standard = Scenario.Variant("standard") { parts, clock, random in
        parts.resilience = .standard(clock: clock, random: random)
    }

    /// The parts of a session that variants change.
    private struct Parts {
        var interceptor: (any RequestInterceptor)?
        var resilience = Resilience()
    }

    private static func retryPolicy(_ clock: VirtualTime, _ random: @escaping @Sendable () -> Double) -> RetryPolicy {
        RetryPolicy(budget: RetryBudget(clock: clock), random: random)
    }

    private init(
        _ name: String,
        _ configure: @escaping @Sendable (inout Parts, VirtualTime, @escaping @Sendable () -> Double) -> Void
    ) {
        self.name = name
        session = { transport, clock, random in
            var parts = Parts()
            configure(&parts, clock, random)
            let configuration = URLSessionConfiguration.withDefaultHeaders
            configuration.timeoutIntervalForRequest = 5
            return Session(
                transport: transport,
                configuration: configuration,
                interceptor: parts.interceptor,
                resilience: parts.resilience,
                options: SessionOptions(clock: clock)
            )
        }
    }
}
#endif
