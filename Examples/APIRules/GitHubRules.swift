import Foundation
import Moya

/// GitHub's rules for clients of its REST API.
///
///     let session = Session(resilience: GitHubRules.resilience())
///
/// The sources are [Best practices](https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api) and
/// [Rate limits](https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api), as of November 2026.
public enum GitHubRules {
    /// Returns the limits and the retrier.
    ///
    /// - Requests are sent one after the other.
    /// - GitHub allows 900 points per minute. A request that reads costs one point, and one that writes costs five. There are at most
    ///   60 writes in a minute, because of the next rule, so that 600 requests cost 840 points at most.
    /// - One second passes between writes, and 500 of them may create content in an hour. 80 in a minute are never reached.
    /// - After `Retry-After`, or `x-ratelimit-remaining: 0` with `x-ratelimit-reset`, all requests wait.
    public static func resilience(clock: any Clock<Duration> = ContinuousClock()) -> Resilience {
        let (second, minute, hour) = (Duration.seconds(1), Duration.seconds(60), Duration.seconds(3_600))
        let writes = LimitKey { [.get, .head, .options].contains($0.method) ? nil : "writes" }
        var rules = Resilience()
        rules.concurrencyLimit = ConcurrencyLimiter(.fixed(1), maximumWait: hour, clock: clock)
        rules.rateLimit = RateLimiter(.slidingWindow(600, per: minute), maximumWait: hour, clock: clock)
        rules.furtherRateLimits = [
            RateLimiter(
                .slidingWindow(1, per: second),
                .slidingWindow(500, per: hour),
                by: writes,
                maximumWait: hour,
                clock: clock
            )
        ]
        rules.retrier = GitHubRetrier()
        return rules
    }
}

/// Retries requests that GitHub has limited, and those that have failed.
///
/// A limited request waits for a minute, and for twice as long before each further retry, unless the response names another time. The
/// server has not processed it, so that a POST can be repeated. Its permit stops all other requests for that time.
public struct GitHubRetrier: RequestRetrier {
    private let failures = RetryPolicy()
    private let limits = RetryPolicy(
        retryLimit: 4,
        exponentialBackoffScale: 60,
        retryableHTTPMethods: [.get, .head, .post, .put, .patch, .delete],
        retryableHTTPStatusCodes: [403, 429],
        maximumDelay: .seconds(3_600),
        retryPeriod: .seconds(7_200),
        random: { 1 }
    )

    /// Creates a retrier.
    public init() {}

    /// Decides whether to retry.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        await (isLimited(attempt) ? limits : failures).retry(attempt, for: session)
    }

    /// Returns whether a response is that of a limit; a 403 of another cause has no such field.
    private func isLimited(_ attempt: RequestAttempt) -> Bool {
        guard case .response(let status, let headers) = attempt.outcome else { return false }
        return status == 429 || status == 403 && (headers[.remaining] == "0" || headers[.retryAfter] != nil)
    }
}

extension HTTPField.Name {
    fileprivate static let remaining = HTTPField.Name("X-RateLimit-Remaining")!
}
