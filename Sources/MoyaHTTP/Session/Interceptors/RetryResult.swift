import Foundation

/// What a ``RequestRetrier`` says.
public enum RetryResult: Sendable {
    /// Repeat the request at once.
    case retry
    /// Repeat it after so many seconds.
    case retryWithDelay(TimeInterval)
    /// Leave it at that.
    case doNotRetry
    /// Leave it at that, with this error in place of what came.
    case doNotRetryWithError(any Error)
}
