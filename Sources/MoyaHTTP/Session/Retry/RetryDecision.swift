/// What a ``RetryPolicy`` makes of an attempt, with the reason.
public enum RetryDecision: Equatable, Sendable {
    /// Repeat the request after this time.
    case retry(after: Duration)
    /// Leave it at that.
    case doNotRetry(Reason)

    /// Why a request is not repeated.
    public enum Reason: Hashable, Sendable {
        /// The status is none that a retry would change: it is not among the policy's.
        case status(Int)
        /// The error is none that a retry would mend: it is no `URLError`, or its code is not among the policy's.
        case error
        /// The request was cancelled.
        case cancelled
        /// The body can be read only once.
        case bodyNotRepeatable
        /// Sending the request twice may do twice what it does (RFC 9110, section 9.2.2).
        case method
        /// There were as many retries as are allowed.
        case retryLimit
        /// The next try would begin when the request's whole time is over.
        case totalTime
        /// The server asks for a longer wait than the policy allows.
        case retryAfter
        /// Too many of the latest requests were repeated (``RetryBudget``).
        case budget
    }
}
