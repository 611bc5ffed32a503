import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A policy that retries only requests whose connection was lost.
///
/// Servers close idle connections, possibly while a request is on its way. Only idempotent methods are retried,
/// since the server may have received the request.
public struct ConnectionLostRetryPolicy: RequestInterceptor {
    /// The underlying policy.
    public let policy: RetryPolicy

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor by which each retry multiplies the maximum delay.
    ///   - exponentialBackoffScale: The maximum delay before the first retry, in seconds.
    ///   - retryableHTTPMethods: The methods of requests that may be sent twice.
    ///   - budget: The limit on the retries of all requests together; nil for no limit.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        budget: RetryBudget? = RetryBudget()
    ) {
        policy = RetryPolicy(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: [],
            retryableURLErrorCodes: [.networkConnectionLost],
            budget: budget
        )
    }

    /// Decides whether to retry, and counts the attempt in the budget.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        await policy.retry(attempt, for: session)
    }
}
