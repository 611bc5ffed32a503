import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a request again as long as its interceptors decide to retry.
///
/// An attempt ends when the response's body has been read, or is passed to the caller as a stream. It fails if the body breaks
/// off before. The body of a response that is retried is dropped (``DroppedBody``). The body is also read when a retrier replaces
/// the response with an error, because the error carries the response.
struct RetryStage: RequestStage {
    let bodyReader: ResponseBodyReader
    let clock: any Clock<Duration>

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        while true {
            context.record.beginAttempt()
            var response: TransportResponse
            do {
                response = try await next(request, context)
            } catch {
                try await waitForRetry(of: request, orThrow: error, context)
                continue
            }
            context.record.recordResponse(response, to: request.urlRequest)
            if context.settings.interceptor != nil {
                switch try await verdict(on: response.outcome, of: request, context) {
                case .retry(let delay):
                    try await waitForRetry(of: request, dropping: &response, delay: delay, context)
                    continue
                case .fail(let error):
                    await bodyReader.recordReplaced(response, to: request.urlRequest, context: context)
                    throw error
                case .keepOutcome:
                    break
                }
            }
            // The progress is reported at a limited rate, and its last report precedes the body of the response.
            context.record.uploadMeter?.finish()
            do {
                return try await bodyReader.read(response, to: request.urlRequest, context: context)
            } catch {
                try await waitForRetry(of: request, orThrow: error, context)
            }
        }
    }

    // MARK: Deciding

    /// The consequence of an attempt.
    private enum Verdict {
        /// The request is sent again after a delay.
        case retry(after: Duration)
        /// The request fails with an error that replaces the response or the error of the attempt.
        case fail(any Error)
        /// The caller gets the response or the error of the attempt.
        case keepOutcome
    }

    /// Decides about an attempt, with its interceptors.
    ///
    /// A cancelled request is not retried, nor is a request whose body can be read only once.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func verdict(
        on outcome: RequestAttempt.Outcome,
        of request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> Verdict {
        if case .failure(let error) = outcome, error.asURLError?.code == .cancelled { return .keepOutcome }
        guard let interceptor = context.settings.interceptor else { return .keepOutcome }
        let attempt = RequestAttempt(of: request, outcome: outcome, context)
        let result = await interceptor.retry(attempt, for: context.session)
        // A retrier may take long, and stops waiting when the request is cancelled.
        try context.throwIfCancelled(request)
        switch result {
        case .retry where attempt.isBodyRepeatable: return .retry(after: .zero)
        case .retryWithDelay(let seconds) where attempt.isBodyRepeatable:
            return .retry(after: Duration(clampingSeconds: max(0, seconds)))
        case .doNotRetryWithError(let error): return .fail(error)
        case .retry, .retryWithDelay, .doNotRetry: return .keepOutcome
        }
    }

    // MARK: Waiting

    /// Waits until a request is sent again, after its response.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func waitForRetry(
        of request: UncheckedRequest,
        dropping response: inout TransportResponse,
        delay: Duration,
        _ context: RequestContext
    ) async throws {
        // Before the delay, because other requests can use the connection during it.
        await response.dropBody()
        try await waitForRetry(of: request, after: response.outcome, delay: delay, context)
    }

    /// Waits until a failed request is sent again, or throws its error if the interceptors do not retry it.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func waitForRetry(
        of request: UncheckedRequest,
        orThrow error: any Error,
        _ context: RequestContext
    ) async throws {
        let cause = error.asCancellation(of: request.urlRequest.url, isCancelled: context.isCancelled)
        let outcome = RequestAttempt.Outcome.failure(cause)
        switch try await verdict(on: outcome, of: request, context) {
        case .retry(let delay):
            try await waitForRetry(of: request, after: outcome, delay: delay, context)
        case .fail(let replacement):
            context.record.recordFailureWithHead()
            throw replacement
        case .keepOutcome:
            throw error
        }
    }

    /// Waits until a request is sent again.
    private nonisolated(nonsending) func waitForRetry(
        of request: UncheckedRequest,
        after outcome: RequestAttempt.Outcome,
        delay: Duration,
        _ context: RequestContext
    ) async throws {
        context.events?.report(.retrying(after: delay, because: outcome))
        // A clock throws only when the task is cancelled.
        if delay > .zero { try? await clock.sleep(for: delay) }
        try context.throwIfCancelled(request)
        context.record.recordRetry(after: outcome)
    }
}

extension TransportResponse {
    /// The outcome of an attempt with this response.
    fileprivate var outcome: RequestAttempt.Outcome { .response(status: status, headers: headers) }
}
