import Foundation

/// The decision of a ``RequestRetrier``.
public enum RetryResult: Sendable {
    /// Retry the request immediately.
    case retry
    /// Retry the request after this number of seconds.
    case retryWithDelay(TimeInterval)
    /// Do not retry the request.
    case doNotRetry
    /// Do not retry the request, and fail it with this error.
    case doNotRetryWithError(any Error)
}
