import Foundation

/// Sends a request again as long as its retriers decide to retry.
///
/// The retriers decide when the transport has returned a response, or when the attempt has failed. They decide again if reading
/// the body of the response then fails, unless it is passed to the caller as a stream.
struct RetryStage: RequestStage {
    let bodyReader: ResponseBodyReader
    let clock: any Clock<Duration>

    /// The response of an attempt, whose body may be unread, or the error.
    private typealias AttemptResult = Result<TransportResponse, any Error>

    /// The next step after an attempt, as the retriers have decided.
    private enum NextStep: Sendable {
        /// The result is final.
        case keep
        /// The request fails with another error.
        case fail(any Error)
        /// Another attempt follows.
        case retry(after: Duration, because: RequestAttempt.Outcome)
    }

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard context.hasInterceptor else {
            let response = try await makeAttempt(request, context, next)
            return try await bodyReader.read(response, to: request.urlRequest, context: context)
        }
        return try await makeAttempts(request, context, next)
    }

    /// Makes attempts until the retriers keep the result of one.
    @inline(never)
    private nonisolated(nonsending) func makeAttempts(
        _ request: UncheckedRequest,
        _ context: RequestContext,
        _ next: RequestHandler
    ) async throws -> TransportResponse {
        while true {
            var result: AttemptResult
            do { result = .success(try await makeAttempt(request, context, next)) } catch { result = .failure(error) }
            var nextStep = try await decideNextStep(after: result, of: request, context)
            if case .keep = nextStep, case .success(let response) = result {
                do {
                    result = .success(try await bodyReader.read(response, to: request.urlRequest, context: context))
                } catch {
                    result = .failure(error)
                    nextStep = try await decideNextStep(after: result, of: request, context)
                }
            }
            switch nextStep {
            case .keep:
                return try result.get()
            case .fail(let error):
                await bodyReader.readFailedResponse(of: result, to: request.urlRequest, context: context)
                throw error
            case .retry(let delay, let outcome):
                // Before the delay, because other requests can use the connection during it, unless HTTP/1.1 closes it after a
                // long upload.
                await dropBody(of: result)
                context.events?.report(.retrying(after: delay, because: outcome))
                try await waitForRetry(of: request, after: delay, context)
                context.record.recordRetry(after: outcome)
            }
        }
    }

    /// Passes a request on, and records the head of the response.
    @inline(__always)
    private nonisolated(nonsending) func makeAttempt(
        _ request: UncheckedRequest,
        _ context: RequestContext,
        _ next: RequestHandler
    ) async throws -> TransportResponse {
        context.record.beginAttempt()
        // Neither the stages below nor the plugins, which get `willSend`, see a cancelled request.
        try context.throwIfEnding(request)
        let response = try await next(request, context)
        context.record.recordResponse(response, to: request.urlRequest)
        return response
    }

    // MARK: Deciding

    /// Returns the next step after an attempt: the interceptor of the request, if there is one, decides about the result.
    ///
    /// - Throws: `URLError.cancelled` if the request is cancelled before that.
    @inline(__always)
    private nonisolated(nonsending) func decideNextStep(
        after result: AttemptResult,
        of request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> NextStep {
        guard let interceptor = context.interceptor else { return .keep }
        // Another attempt would get the same response of the cache.
        if case .success(let response) = result, response.source == .cache { return .keep }
        if case .success(let response) = result, let retrier = context.statusRetrier,
            !retrier.canRetry(status: response.status)
        {
            // The retrier needs neither the headers of such a response nor the requests, which other interceptors get.
            retrier.countFinalResponse(status: response.status, of: context.record)
            return .keep
        }
        return try await askInterceptor(interceptor, about: result, of: request, context)
    }

    /// Asks an interceptor about the result of an attempt, and applies the rules that hold for every retrier: a cancelled request,
    /// one that a rate limiter or a circuit breaker has refused, one whose delay would exceed the rest of the total time, and a body that
    /// can be read only once, are not sent again.
    @inline(never)
    private nonisolated(nonsending) func askInterceptor(
        _ interceptor: any RequestInterceptor,
        about result: AttemptResult,
        of request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> NextStep {
        let outcome: RequestAttempt.Outcome
        switch result {
        case .success(let response):
            outcome = .response(status: response.status, headers: response.headers)
        case .failure(let error):
            let error = error.asCancellation(of: request.urlRequest.url, isCancelled: context.isEnding)
            if let error = error.asURLError, error.code == .cancelled || error.isRefusal { return .keep }
            outcome = .failure(error)
        }
        let attempt = RequestAttempt(of: request, outcome: outcome, context)
        let decision = await interceptor.retry(attempt, for: context.session)
        // A retrier may take long, and stops waiting when the request is cancelled.
        try context.throwIfEnding(request)
        switch decision {
        case .retry where attempt.isBodyRepeatable:
            return .retry(after: .zero, because: outcome)
        case .retryWithDelay(let seconds) where attempt.isBodyRepeatable:
            let delay = Duration(clampingSeconds: max(0, seconds))
            // A wait up to the end of the total time would lose the response for an error of the timeout.
            if let timeLeft = context.totalTimeLeft, delay + longestDrop(of: result) >= timeLeft { return .keep }
            return .retry(after: delay, because: outcome)
        case .retry, .retryWithDelay, .doNotRetry:
            return .keep
        case .doNotRetryWithError(let error):
            return .fail(error)
        }
    }

    // MARK: Waiting

    /// The maximum time that ``dropBody(of:)`` takes.
    private func longestDrop(of result: AttemptResult) -> Duration {
        guard case .success(let response) = result, response.isDroppedByReading else { return .zero }
        return DroppedBodyLimits.time
    }

    /// Drops the body of a response that another attempt replaces.
    @inline(never)
    private nonisolated(nonsending) func dropBody(of result: AttemptResult) async {
        guard case .success(var response) = result else { return }
        await response.dropBody()
    }

    /// Waits until another attempt may begin.
    ///
    /// - Throws: `URLError.cancelled` if the request is cancelled, or its total time ends, before the end of the delay.
    @inline(never)
    private nonisolated(nonsending) func waitForRetry(
        of request: UncheckedRequest,
        after delay: Duration,
        _ context: RequestContext
    ) async throws {
        await context.sleep(for: delay, on: clock)
        try context.throwIfEnding(request)
    }
}
