import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One try of a request and what came of it: what a ``RequestRetrier`` decides by.
public struct RequestAttempt: Sendable {
    /// What came of a try.
    public enum Outcome: Sendable {
        /// The head of a response. Its body has not been looked at.
        case response(status: Int, headers: HTTPFields)
        /// There is no response, or its body could not be read to its end.
        case failure(any Error)
    }

    /// The request's own number, the same for all its tries.
    public var id: UUID { state.id }
    /// The request that would be repeated: adapted and prepared, and as it was before any redirect.
    public let originalRequest: URLRequest
    /// The request as it was sent last: after redirects, of the last hop.
    public let request: URLRequest
    /// What came of it.
    public let outcome: Outcome
    /// What is wrong with the outcome in the eyes of who asked: the error of a failure, an ``UnacceptableStatusError`` for a
    /// status that was not to be accepted, and `nil` for all else. Where nothing is validated, 500 is accepted.
    public let error: (any Error)?
    /// How often the request was repeated before: 0 for the first try.
    public let retryCount: Int
    /// How long ago the request began, with all tries and the waiting between.
    public let elapsed: Duration
    /// Whether the request's body can be sent once more. One that cannot is never repeated, whatever a retrier says.
    public let isBodyRepeatable: Bool

    /// What a retrier may be handed of the request.
    let state: RequestState

    /// Makes an attempt, to test a retrier with.
    ///
    /// - Parameter originalRequest: If it is not the same as `request`.
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

/// A response whose status was not to be accepted.
public struct UnacceptableStatusError: Error, Equatable, Sendable {
    /// The status code.
    public let status: Int

    /// Makes an error.
    public init(status: Int) { self.status = status }
}

extension UnacceptableStatusError: LocalizedError {
    /// Names the status.
    public var errorDescription: String? { "The server answered with status \(status), which was not to be accepted." }
}
