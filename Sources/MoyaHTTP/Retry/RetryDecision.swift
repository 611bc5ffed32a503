/// The decision of a ``RetryPolicy`` about an attempt, with the reason.
///
/// A session gets the ``RetryResult`` that the policy makes of it.
public enum RetryDecision: Equatable, Sendable {
    /// Retry the request after this delay.
    case retry(after: Duration)
    /// Do not retry the request.
    case doNotRetry(Reason)

    /// The reason why a request is not retried.
    public enum Reason: Hashable, Sendable {
        /// The status is not one of the policy's retryable status codes.
        case status(Int)
        /// The error is not a `URLError`, or its code is not one of the policy's retryable codes.
        case error
        /// The request was cancelled.
        case cancelled
        /// The body can be read only once.
        case bodyNotRepeatable
        /// The method is not one of the policy's retryable methods, by default those that are idempotent (RFC 9110, section 9.2.2).
        case method
        /// The maximum number of retries has been reached.
        case retryLimit
        /// The next attempt would start after the retry period of the policy (``RetryPolicy/retryPeriod``), or after the total time of
        /// the request.
        case noTimeLeft
        /// The server requires a longer delay than the policy allows.
        case retryAfter
        /// The ``RetryBudget`` is exhausted: too many of the latest requests have failed or were retried.
        case budget
    }
}
