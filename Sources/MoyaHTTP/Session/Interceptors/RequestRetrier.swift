import Foundation

/// A type that decides whether a request is retried.
///
/// In each attempt, a session asks a retrier when the transport has returned the response, or when the attempt has failed without a
/// response. It asks again if it then fails to read the body; a body that the caller reads as a stream is not retried.
///
/// Implement one of the two methods. A session calls the `async` method. Its default implementation calls the method with a
/// completion if the attempt has an ``RequestAttempt/error``, and does not retry otherwise.
///
///     struct OnceMore: RequestRetrier {
///         func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
///             attempt.error is URLError && attempt.retryCount == 0 ? .retry : .doNotRetry
///         }
///     }
///
/// A request that was cancelled, or whose body can be read only once, is never retried. It is not retried either after a delay that
/// exceeds the rest of the total time (``RequestAttempt/timeLeft``): its response is returned, or its error is thrown, at once.
@preconcurrency
public protocol RequestRetrier: Sendable {
    /// Decides whether to retry a request.
    ///
    /// The completion must be called; only the first call counts.
    @preconcurrency
    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    )

    /// Decides whether to retry a request.
    ///
    /// A session calls the method for every response, even if the status is acceptable, and for every failure but a
    /// cancellation, a refusal by a limiter or a circuit breaker, and the end of the total time. It does not call it for a response that
    /// comes from the cache without an attempt to reach the server, and passes only retryable responses to a ``RetryPolicy`` that decides
    /// alone.
    func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult
}

extension RequestRetrier {
    /// Does not retry.
    @preconcurrency
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
    }

    /// Calls the method with a completion if there is an error, and waits for it.
    ///
    /// Cancelling the task ends the wait.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        guard let error = attempt.error else { return .doNotRetry }
        let result = Promise<RetryResult>()
        let request = Request(attempt.record, session: session, isAccepted: attempt.isAccepted)
        retry(request, for: session, dueTo: error) { result.fulfill($0) }
        return await result.wait(onCancel: .doNotRetry)
    }
}

/// The decision of a ``RequestRetrier``.
///
/// A ``RetryPolicy`` first makes a ``RetryDecision``, which has the reason and is returned for tests and logs, and turns it into the
/// result: a `retry(after:)` into ``retry`` or ``retryWithDelay(_:)``, and a `doNotRetry` with any reason into ``doNotRetry``. An
/// ``Interceptor`` with several retriers takes the first result that is not ``doNotRetry``. A session replaces a retry that the rules of
/// ``RequestRetrier`` do not allow by ``doNotRetry``.
public enum RetryResult: Sendable {
    /// Retry the request immediately.
    case retry
    /// Retry the request after this number of seconds.
    case retryWithDelay(TimeInterval)
    /// Do not retry the request.
    case doNotRetry
    /// Do not retry the request, and fail it with this error.
    case doNotRetryWithError(any Error)

    /// The delay before the next attempt, which is zero except for ``retryWithDelay(_:)``.
    var delay: Duration {
        if case .retryWithDelay(let seconds) = self { Duration(clampingSeconds: max(0, seconds)) } else { .zero }
    }
}
