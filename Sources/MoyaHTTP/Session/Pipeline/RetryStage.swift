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
                try await retryOrThrow(error, of: request, context)
                continue
            }
            context.record.recordResponse(response, to: request.urlRequest)
            if context.settings.interceptor != nil, try await isRetried(request, after: &response, context) { continue }
            // The progress is reported at a limited rate, and its last report precedes the body of the response.
            context.settings.uploadMeter?.finish()
            do {
                return try await bodyReader.read(response, to: request.urlRequest, context: context)
            } catch {
                try await retryOrThrow(error, of: request, context)
            }
        }
    }

    // MARK: Deciding

    /// Decides about a response, and waits if the request is retried; returns whether it is.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func isRetried(
        _ request: UncheckedRequest,
        after response: inout TransportResponse,
        _ context: RequestContext
    ) async throws -> Bool {
        let outcome = response.outcome
        guard let delay = try await retryDelay(after: outcome, response, of: request, context) else { return false }
        // Before the delay, because other requests can use the connection during it.
        await response.dropBody()
        try await waitBeforeRetry(of: request, after: outcome, delay: delay, context)
        return true
    }

    /// Decides about a failed request: waits if it is retried, and throws the error otherwise.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func retryOrThrow(
        _ error: any Error,
        of request: UncheckedRequest,
        _ context: RequestContext
    ) async throws {
        let cause = error.asCancellation(of: request.urlRequest.url, isCancelled: context.isCancelled)
        if cause.asURLError?.code == .cancelled { throw error }
        let outcome = RequestAttempt.Outcome.failure(cause)
        guard let delay = try await retryDelay(after: outcome, nil, of: request, context) else { throw error }
        try await waitBeforeRetry(of: request, after: outcome, delay: delay, context)
    }

    /// Returns the delay before the retry that the interceptors decide on; `nil` to keep the outcome of the attempt.
    ///
    /// A cancelled request is not retried, nor is a request whose body can be read only once.
    ///
    /// - Throws: The error by which an interceptor replaces the outcome.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func retryDelay(
        after outcome: RequestAttempt.Outcome,
        _ response: TransportResponse?,
        of request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> Duration? {
        guard let interceptor = context.settings.interceptor else { return nil }
        let attempt = RequestAttempt(of: request, outcome: outcome, context)
        let result = await interceptor.retry(attempt, for: context.session)
        // A retrier may take long, and stops waiting when the request is cancelled.
        try context.throwIfCancelled(request)
        switch result {
        case .retry:
            return attempt.isBodyRepeatable ? .zero : nil
        case .retryWithDelay(let seconds):
            return attempt.isBodyRepeatable ? Duration(clampingSeconds: max(0, seconds)) : nil
        case .doNotRetry:
            return nil
        case .doNotRetryWithError(let error):
            if let response {
                await bodyReader.recordReplaced(response, to: request.urlRequest, context: context)
            } else {
                context.record.recordFailureWithHead()
            }
            throw error
        }
    }

    // MARK: Waiting

    /// Waits until the next attempt may begin, and records the retry.
    private nonisolated(nonsending) func waitBeforeRetry(
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
