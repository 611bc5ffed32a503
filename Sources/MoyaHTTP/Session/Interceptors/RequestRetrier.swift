import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Says whether a request that went wrong is sent again.
///
/// There are two forms; implement the one that suits. A session calls the `async` one after every try. By itself it calls the
/// one with a completion if the try has an ``RequestAttempt/error``, and otherwise leaves it at that.
///
///     struct OnceMore: RequestRetrier {
///         func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
///             attempt.error is URLError && attempt.retryCount == 0 ? .retry : .doNotRetry
///         }
///     }
///
/// A request that was cancelled, and one whose body can be read only once, is not repeated, whatever is said.
@preconcurrency
public protocol RequestRetrier: Sendable {
    /// Says whether a request is repeated. The completion must be called; what comes after the first call is ignored.
    @preconcurrency
    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    )

    /// Says whether a request is repeated. It is asked about every outcome, also where the status is to be accepted.
    func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult
}

extension RequestRetrier {
    /// Leaves it at that.
    @preconcurrency
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
    }

    /// Calls the form with a completion if there is an error, and waits. Cancelling the task ends the wait.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        guard let error = attempt.error else { return .doNotRetry }
        let result = OneShot<RetryResult>()
        retry(Request(attempt.state, session: session), for: session, dueTo: error) { result.fulfil($0) }
        return await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            result.fulfil(.doNotRetry)
        }
    }
}
