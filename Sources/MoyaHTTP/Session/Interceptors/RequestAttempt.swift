import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An attempt of a request and its outcome, by which a ``RequestRetrier`` decides.
public struct RequestAttempt: Sendable {
    /// The outcome of an attempt.
    public enum Outcome: Sendable {
        /// The head of a response.
        ///
        /// Its body has not been read.
        case response(status: Int, headers: HTTPFields)
        /// There was no response, or its body could not be read completely.
        case failure(any Error)
    }

    /// The identifier of the request, the same for all attempts.
    public var id: UUID { state.id }
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

    /// The source of the ``Request`` that a retrier gets.
    let state: RequestState

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
        self.init(
            originalRequest: originalRequest ?? request,
            request: request,
            outcome: outcome,
            error: error,
            retryCount: retryCount,
            elapsed: elapsed,
            isBodyRepeatable: isBodyRepeatable,
            state: RequestState(id: id)
        )
    }

    init(
        originalRequest: URLRequest,
        request: URLRequest,
        outcome: Outcome,
        error: (any Error)?,
        retryCount: Int,
        elapsed: Duration,
        isBodyRepeatable: Bool,
        state: RequestState
    ) {
        self.originalRequest = originalRequest
        self.request = request
        self.outcome = outcome
        if case .failure(let failure) = outcome { self.error = error ?? failure } else { self.error = error }
        self.retryCount = retryCount
        self.elapsed = elapsed
        self.isBodyRepeatable = isBodyRepeatable
        self.state = state
    }
}

/// An error for a response with an unacceptable status.
public struct UnacceptableStatusError: Error, Equatable, Sendable {
    /// The status code.
    public let status: Int

    /// Creates an error.
    public init(status: Int) { self.status = status }
}

extension UnacceptableStatusError: LocalizedError {
    /// A sentence with the status.
    public var errorDescription: String? { "The server responded with status \(status), which is not acceptable." }
}
