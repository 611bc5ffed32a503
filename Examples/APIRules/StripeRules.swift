import Foundation
import Moya

/// Stripe's rules for clients of its API.
///
///     let session = Session(resilience: StripeRules.resilience(isLive: false))
///
/// The sources are [Rate limits](https://docs.stripe.com/rate-limits), [Idempotent requests](https://docs.stripe.com/api/idempotent_requests)
/// and [Advanced error handling](https://docs.stripe.com/error-low-level), as of November 2026.
public enum StripeRules {
    /// Returns the limits of the live mode or of a sandbox, the keys, and the retrier.
    ///
    /// - Each POST has an `Idempotency-Key`, which its retries keep. Stripe documents it without quotes.
    /// - An account may send 100 requests per second, or 25 in a sandbox, and an endpoint accepts 25. Here all paths with the same first two
    ///   parts share the limit of an endpoint.
    /// - Stripe limits the number of concurrent requests, too, and does not name it. 20 are a guess.
    public static func resilience(
        isLive: Bool = true,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> Resilience {
        let endpoint = LimitKey { ([$0.method.rawValue] + $0.url.pathComponents.prefix(3)).joined(separator: " ") }
        var rules = Resilience()
        rules.idempotencyKeys = IdempotencyKeys(format: .bare)
        rules.concurrencyLimit = ConcurrencyLimiter(.fixed(20), clock: clock)
        rules.rateLimit = RateLimiter(.slidingWindow(isLive ? 100 : 25, per: .seconds(1)), clock: clock)
        rules.furtherRateLimits = [RateLimiter(.slidingWindow(25, per: .seconds(1)), by: endpoint, clock: clock)]
        rules.retrier = StripeRetrier()
        return rules
    }
}

/// Retries requests as `Stripe-Should-Retry` says, and otherwise after the status 409, 429 and others, with growing delays.
public struct StripeRetrier: RequestRetrier {
    private let policy = RetryPolicy(
        retryLimit: 3,
        exponentialBackoffScale: 0.5,
        retryableHTTPStatusCodes: RetryPolicy.defaultRetryableHTTPStatusCodes.union([409]),
        maximumDelay: .seconds(8),
        budget: .quota(),
        // A delay is never shorter than half of its maximum.
        random: { .random(in: 0.5...1) }
    )

    /// Creates a retrier.
    public init() {}

    /// Decides whether to retry.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        // A copy of a policy shares its budget.
        var policy = policy
        if case .response(let status, let headers) = attempt.outcome {
            switch headers[.shouldRetry] {
            case "true": policy.retryableHTTPStatusCodes.insert(status)
            case "false": policy.retryableHTTPStatusCodes.remove(status)
            default: break
            }
        }
        return await policy.retry(attempt, for: session)
    }
}

extension HTTPField.Name {
    fileprivate static let shouldRetry = HTTPField.Name("Stripe-Should-Retry")!
}
