import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a request again as long as its interceptors decide to retry.
///
/// An attempt ends when the response's body has been read: one that breaks off is a failed attempt. The body of a response
/// that is retried is dropped (``DroppedBody``). The body is also read when a retrier replaces the response with an error,
/// because the error carries the response.
struct RetryStage: RequestStage {
    let body: ResponseBodyReader
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
                try await retryOrThrow(request, after: error, context)
                continue
            }
            context.record.recordResponse(response, to: request.urlRequest)
            if context.settings.interceptor != nil {
                switch try await askAbout(&response, to: request, context) {
                case .again: continue
                case .fail(let error):
                    await body.recordRefused(response, to: request.urlRequest, context: context)
                    throw error
                case .keep: break
                }
            }
            do {
                return try await body.read(response, to: request.urlRequest, context: context)
            } catch {
                try await retryOrThrow(request, after: error, context)
            }
        }
    }

    /// The decision after an attempt.
    private enum Decision {
        /// The request is sent again after this time.
        case again(after: Duration)
        /// Its outcome is the request's.
        case keep
        /// The request fails with the error of a retrier.
        case fail(any Error)
    }

    /// Asks the interceptors about a response, drops its body and waits if the request is to be sent again.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func askAbout(
        _ response: inout TransportResponse,
        to request: OutgoingRequest,
        _ context: RequestContext
    ) async throws -> Decision {
        let outcome = RequestAttempt.Outcome.response(status: response.status, headers: response.headers)
        let decision = try await decision(
            on: outcome,
            error: context.settings.isAccepted(response.status)
                ? nil : UnacceptableStatusError(status: response.status),
            request,
            context
        )
        if case .again(let delay) = decision {
            // Before the delay, during which its connection is of use to other requests.
            await response.dropBody()
            try await waitForRetry(of: request, delay: delay, because: outcome, context)
        }
        return decision
    }

    /// Waits until a failed request is to be sent again, and throws its error if it is not.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func retryOrThrow(
        _ request: OutgoingRequest,
        after error: any Error,
        _ context: RequestContext
    ) async throws {
        let cause = error.asCancellation(of: request.urlRequest.url, isCancelled: context.isCancelled)
        guard context.settings.interceptor != nil, cause.asURLError?.code != .cancelled else { throw error }
        switch try await decision(on: .failure(cause), error: cause, request, context) {
        case .again(let delay): try await waitForRetry(of: request, delay: delay, because: .failure(cause), context)
        case .keep: throw error
        case .fail(let error):
            // If the body broke off, the record already has the response with the part that arrived.
            let record = context.record
            if record.failedResponse == nil, let response = record.response { record.recordFailure(response) }
            throw error
        }
    }

    private nonisolated(nonsending) func decision(
        on outcome: RequestAttempt.Outcome,
        error: (any Error)?,
        _ request: OutgoingRequest,
        _ context: RequestContext
    ) async throws -> Decision {
        let record = context.record
        let attempt = RequestAttempt(
            originalRequest: record.prepared ?? request.urlRequest,
            request: record.request ?? request.urlRequest,
            outcome: outcome,
            error: error,
            retryCount: record.retryCount,
            elapsed: .now - context.started,
            isBodyRepeatable: request.isBodyRepeatable,
            record: record
        )
        let decision = await context.settings.interceptor?.retry(attempt, for: context.session) ?? .doNotRetry
        // A retrier may take long, and stops waiting when the request is cancelled.
        try context.throwIfCancelled(request)
        var delay = Duration.zero
        switch decision {
        case .doNotRetry: return .keep
        case .doNotRetryWithError(let error): return .fail(error)
        case .retry: break
        case .retryWithDelay(let seconds): delay = Duration(clampingSeconds: max(0, seconds))
        }
        return request.isBodyRepeatable ? .again(after: delay) : .keep
    }

    /// Waits until a request is to be sent again.
    private nonisolated(nonsending) func waitForRetry(
        of request: OutgoingRequest,
        delay: Duration,
        because outcome: RequestAttempt.Outcome,
        _ context: RequestContext
    ) async throws {
        context.events?.report(.retrying(after: delay, because: outcome))
        // A clock throws only when the task is cancelled.
        if delay > .zero { try? await clock.sleep(for: delay) }
        try context.throwIfCancelled(request)
        context.record.recordRetry(after: outcome)
    }
}
