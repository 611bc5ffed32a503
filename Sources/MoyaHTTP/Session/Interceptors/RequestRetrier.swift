import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A type that decides whether a request is retried.
///
/// A session asks a retrier in each attempt when the head of the response has arrived, or when the attempt has failed without a
/// response. It asks again if the body then breaks off, unless the caller reads the body as a stream.
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
/// A request that was cancelled, or whose body can be read only once, is never retried.
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
    /// cancellation.
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
        return await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            result.fulfill(.doNotRetry)
        }
    }
}

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

/// An attempt of a request and its outcome, by which a ``RequestRetrier`` decides.
public struct RequestAttempt: Sendable {
    /// The outcome of an attempt.
    public enum Outcome: Sendable {
        /// The head of a response, whose body has not been read.
        case response(status: Int, headers: HTTPFields)
        /// An error: there was no response, or its body could not be read completely.
        case failure(any Error)
    }

    /// The identifier of the request, the same for all attempts.
    public var id: UUID { record.id }
    /// The request that would be repeated: adapted and prepared, before any redirect.
    public let originalRequest: URLRequest
    /// The request as sent last, after all redirects.
    public let request: URLRequest
    /// The outcome.
    public let outcome: Outcome
    /// The error of the attempt, if any.
    ///
    /// It is the error of a failure, or an ``UnacceptableStatusError`` for an unacceptable status, or `nil`.
    /// Without validation, a status of 500 is acceptable.
    public let error: (any Error)?
    /// The number of retries: 0 for the first attempt.
    public let retryCount: Int
    /// The time since the request started, including all attempts and delays.
    public let elapsed: Duration
    /// Whether the request's body can be sent again.
    ///
    /// Otherwise the request is never repeated.
    public let isBodyRepeatable: Bool

    /// The record for the ``Request`` that a retrier gets.
    let record: RequestRecord
    /// Returns whether the caller accepts a status.
    let isAccepted: @Sendable (_ status: Int) -> Bool

    /// Creates an attempt, to test a retrier.
    ///
    /// `originalRequest` defaults to `request`.
    public init(
        id: UUID = UUID(),
        originalRequest: URLRequest? = nil,
        request: URLRequest,
        outcome: Outcome,
        error: (any Error)? = nil,
        retryCount: Int = 0,
        elapsed: Duration = .zero,
        isBodyRepeatable: Bool = true
    ) {
        self.originalRequest = originalRequest ?? request
        self.request = request
        self.outcome = outcome
        if case .failure(let failure) = outcome { self.error = error ?? failure } else { self.error = error }
        self.retryCount = retryCount
        self.elapsed = elapsed
        self.isBodyRepeatable = isBodyRepeatable
        record = RequestRecord(id: id)
        isAccepted = { _ in true }
    }

    /// Creates the last attempt of a running request.
    init(of request: OutgoingRequest, outcome: Outcome, _ context: RequestContext) {
        record = context.record
        isAccepted = context.settings.isAccepted
        originalRequest = record.preparedRequest ?? request.urlRequest
        self.request = record.currentRequest ?? request.urlRequest
        self.outcome = outcome
        error =
            switch outcome {
            case .failure(let error): error
            case .response(let status, _): isAccepted(status) ? nil : UnacceptableStatusError(status: status)
            }
        retryCount = record.retryCount
        elapsed = .now - context.started
        isBodyRepeatable = request.isBodyRepeatable
    }
}

/// An error for a response with an unacceptable status.
public struct UnacceptableStatusError: Error, Equatable, Sendable {
    /// The status code.
    public let status: Int

    /// Creates an error.
    public init(status: Int) { self.status = status }
}

extension UnacceptableStatusError: MaskedError {
    /// A sentence with the status.
    public var errorDescription: String? { "The server responded with status \(status), which is not acceptable." }
}
