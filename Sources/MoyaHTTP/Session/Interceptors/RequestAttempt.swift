import Foundation
import HTTPTypes

/// An attempt of a request and its outcome, by which a ``RequestRetrier`` decides.
public struct RequestAttempt: Sendable {
    /// The outcome of an attempt.
    public enum Outcome: Sendable {
        /// The head of a response, whose body the session has not read.
        case response(status: Int, headers: HTTPFields)
        /// An error: there was no response, or its body could not be read completely.
        case failure(any Error)
    }

    /// The identifier of the request, the same for all attempts.
    public var id: UUID { record.id }
    /// The request of the attempt, as adapters and plugins have made it, before any redirect.
    ///
    /// If an adapter has failed, it is the request of the attempt before, or in the first attempt the request as it was created.
    public let originalRequest: URLRequest
    /// The request of the last exchange, after all redirects.
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
    /// The time since the request started, including all attempts and delays, on the clock of the session.
    public let elapsed: Duration
    /// The rest of the total time (``RequestTimeouts/total``); `nil` if it is unlimited.
    ///
    /// A session does not retry after a longer delay, but returns the response or throws the error at once. The time that it may take to
    /// read the body of a response, before it retries, is subtracted.
    public let timeLeft: Duration?
    /// Whether the request's body can be sent again.
    ///
    /// Otherwise the request is never repeated.
    public let isBodyRepeatable: Bool
    /// Whether the request has an `Idempotency-Key`, and the session (``Resilience/idempotencyKeys``) or the target uses such keys, so
    /// that a request with any method can be repeated.
    public let hasIdempotencyKey: Bool

    /// The time that a retry may take before its delay, to drop the body of the response.
    let timeBeforeDelay: Duration
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
        timeLeft: Duration? = nil,
        isBodyRepeatable: Bool = true,
        hasIdempotencyKey: Bool = false
    ) {
        self.originalRequest = originalRequest ?? request
        self.request = request
        self.outcome = outcome
        if case .failure(let failure) = outcome { self.error = error ?? failure } else { self.error = error }
        self.retryCount = retryCount
        self.elapsed = elapsed
        self.timeLeft = timeLeft
        self.isBodyRepeatable = isBodyRepeatable
        self.hasIdempotencyKey = hasIdempotencyKey
        timeBeforeDelay = .zero
        record = RequestRecord(id: id)
        isAccepted = { _ in true }
    }

    /// Whether the body of a response could not be read, after the retrier has been asked about the response.
    var isBodyFailure: Bool { if case .failure = outcome { record.response != nil } else { false } }

    /// Creates the last attempt of a running request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - outcome: The outcome.
    ///   - timeBeforeDelay: The time that a retry may take before its delay.
    ///   - context: The context of the request.
    init(of request: UncheckedRequest, outcome: Outcome, timeBeforeDelay: Duration, _ context: RequestContext) {
        record = context.record
        isAccepted = context.settings.isAccepted
        originalRequest = record.originalRequest ?? request.urlRequest
        self.request = record.currentRequest ?? request.urlRequest
        self.outcome = outcome
        error =
            switch outcome {
            case .failure(let error): error
            case .response(let status, _): isAccepted(status) ? nil : UnacceptableStatusError(status: status)
            }
        retryCount = record.retryCount
        elapsed = context.elapsed
        self.timeBeforeDelay = timeBeforeDelay
        timeLeft = context.totalTimeLeft.map { $0 - timeBeforeDelay }
        isBodyRepeatable = request.isBodyRepeatable
        hasIdempotencyKey = context.usesIdempotencyKeys && originalRequest.hasIdempotencyKey
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
