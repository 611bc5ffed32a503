import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Repeats requests whose connection was lost, and no others.
///
/// Servers close connections that are idle, and a request may just have been on its way then. That is worth another try
/// whatever the status policy; it is done for idempotent methods only, since the server may have got the request.
public struct ConnectionLostRetryPolicy: RequestInterceptor {
    /// The policy behind it.
    public let policy: RetryPolicy

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: How often a request is repeated at most.
    ///   - exponentialBackoffBase: What each retry multiplies the longest wait with.
    ///   - exponentialBackoffScale: The longest wait before the first retry, in seconds.
    ///   - retryableHTTPMethods: The methods of requests that may be sent twice.
    ///   - budget: What bounds the retries of all requests together; nil for no bound.
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

    /// Decides, and takes note of the attempt in the budget.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        await policy.retry(attempt, for: session)
    }
}
