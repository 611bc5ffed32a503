import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a request again as long as its interceptors decide to retry.
///
/// An attempt ends when the response's body has been read, and fails if the body breaks off. The body of a response
/// that is retried is dropped (``DroppedBody``). The body is also read when a retrier replaces the response with an error,
/// because the error carries the response.
struct RetryStage: RequestStage {
    let bodyReader: ResponseBodyReader
    let clock: any Clock<Duration>

    nonisolated(nonsending) func respond(
        to request: OutgoingRequest,
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
                let decision = try await decide(on: response, to: request, context)
                if let delay = decision.delay {
                    try await waitForRetry(of: request, dropping: &response, delay: delay, context)
                    continue
                }
                if case .doNotRetryWithError(let error) = decision {
                    await bodyReader.recordReplaced(response, to: request.urlRequest, context: context)
                    throw error
                }
            }
            do {
                return try await bodyReader.read(response, to: request.urlRequest, context: context)
            } catch {
                try await waitForRetry(of: request, orThrow: error, context)
            }
        }
    }

    // MARK: Deciding

    /// Asks the interceptors about a response.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func decide(
        on response: TransportResponse,
        to request: OutgoingRequest,
        _ context: RequestContext
    ) async throws -> RetryResult {
        try await decide(on: RequestAttempt(of: request, outcome: response.outcome, context), of: request, context)
    }

    /// Asks the interceptors about an attempt; they cannot retry a request whose body can be read only once.
    private nonisolated(nonsending) func decide(
        on attempt: RequestAttempt,
        of request: OutgoingRequest,
        _ context: RequestContext
    ) async throws -> RetryResult {
        let decision = await context.settings.interceptor?.retry(attempt, for: context.session) ?? .doNotRetry
        // A retrier may take long, and stops waiting when the request is cancelled.
        try context.throwIfCancelled(request)
        return decision.delay == nil || request.isBodyRepeatable ? decision : .doNotRetry
    }

    // MARK: Waiting

    /// Waits until a request is sent again, after its response.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func waitForRetry(
        of request: OutgoingRequest,
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
        of request: OutgoingRequest,
        orThrow error: any Error,
        _ context: RequestContext
    ) async throws {
        let cause = error.asCancellation(of: request.urlRequest.url, isCancelled: context.isCancelled)
        guard context.settings.interceptor != nil, cause.asURLError?.code != .cancelled else { throw error }
        let attempt = RequestAttempt(of: request, outcome: .failure(cause), context)
        let decision = try await decide(on: attempt, of: request, context)
        if let delay = decision.delay {
            return try await waitForRetry(of: request, after: attempt.outcome, delay: delay, context)
        }
        guard case .doNotRetryWithError(let replacement) = decision else { throw error }
        // If the body broke off, the record already has the response with the part that arrived.
        let record = context.record
        if record.failedResponse == nil, let response = record.response { record.recordFailure(response) }
        throw replacement
    }

    /// Waits until a request is sent again.
    private nonisolated(nonsending) func waitForRetry(
        of request: OutgoingRequest,
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

extension RetryResult {
    /// The delay before the retry; `nil` if the request is not retried.
    fileprivate var delay: Duration? {
        switch self {
        case .retry: .zero
        case .retryWithDelay(let seconds): Duration(clampingSeconds: max(0, seconds))
        case .doNotRetry, .doNotRetryWithError: nil
        }
    }
}
