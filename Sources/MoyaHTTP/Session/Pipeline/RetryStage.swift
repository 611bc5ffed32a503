import Foundation

/// Sends a request again as long as its retriers decide to retry.
///
/// The retriers decide when the transport has returned a response, or when the attempt has failed; ``decide`` leaves out those whose
/// decision is known. They decide again if reading the body of the response then fails, unless it is passed to the caller as a stream.
struct RetryStage: RequestStage {
    let bodyReader: ResponseBodyReader
    let clock: any Clock<Duration>

    /// The response of an attempt, whose body may be unread, or the error.
    private typealias AttemptResult = Result<TransportResponse, any Error>

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard let interceptor = context.interceptor else {
            let response = try await makeAttempt(request, context, next)
            return try await bodyReader.read(response, to: request.urlRequest, context: context)
        }
        return try await makeAttempts(of: request, askingAfterEach: interceptor, context, next)
    }

    /// Makes attempts until the interceptor keeps the result of one.
    @inline(never)
    private nonisolated(nonsending) func makeAttempts(
        of request: UncheckedRequest,
        askingAfterEach interceptor: any RequestInterceptor,
        _ context: RequestContext,
        _ next: RequestHandler
    ) async throws -> TransportResponse {
        while true {
            var result: AttemptResult
            do { result = .success(try await makeAttempt(request, context, next)) } catch { result = .failure(error) }
            var decision = try await decide(about: result, of: request, asking: interceptor, context)
            if case .doNotRetry = decision, case .success(let response) = result {
                do {
                    result = .success(try await bodyReader.read(response, to: request.urlRequest, context: context))
                } catch {
                    result = .failure(error)
                    decision = try await decide(about: result, of: request, asking: interceptor, context)
                }
            }
            switch decision {
            case .doNotRetry:
                return try result.get()
            case .doNotRetryWithError(let error):
                await bodyReader.readFailedResponse(of: result, to: request.urlRequest, context: context)
                throw error
            case .retry, .retryWithDelay:
                try await prepareRetry(of: request, after: result, delay: decision.delay, context)
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

    /// Returns the decision about the result of an attempt: that of the interceptor, within the rules for all retriers.
    ///
    /// - Throws: `URLError.cancelled` if the request is cancelled before that.
    @inline(__always)
    private nonisolated(nonsending) func decide(
        about result: AttemptResult,
        of request: UncheckedRequest,
        asking interceptor: any RequestInterceptor,
        _ context: RequestContext
    ) async throws -> RetryResult {
        // Another attempt would get the same response of the cache.
        if case .success(let response) = result, response.source == .cache { return .doNotRetry }
        if case .success(let response) = result, let retrier = context.statusRetrier,
            !retrier.canRetry(status: response.status)
        {
            // The retrier needs neither the headers of such a response nor the requests, which other interceptors get.
            retrier.countFinalResponse(status: response.status, of: context.record)
            return .doNotRetry
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
    ) async throws -> RetryResult {
        if case .failure(let error) = result {
            let error = error.asCancellation(of: request.urlRequest.url, isCancelled: context.isEnding)
            if let error = error.asURLError, error.code == .cancelled || error.isRefusal { return .doNotRetry }
        }
        let outcome = RequestAttempt.Outcome(result)
        let attempt = RequestAttempt(of: request, outcome: outcome, timeBeforeDelay: longestDrop(of: result), context)
        let decision = await interceptor.retry(attempt, for: context.session)
        // A retrier may take long, and stops waiting when the request is cancelled.
        try context.throwIfEnding(request)
        switch decision {
        case .doNotRetry, .doNotRetryWithError:
            return decision
        case .retry, .retryWithDelay:
            guard attempt.isBodyRepeatable else { return .doNotRetry }
            // A wait up to the end of the total time would lose the response for an error of the timeout. The time left is read again,
            // because the retrier may have taken a part of it.
            let timeLeft = context.totalTimeLeft.map { $0 - attempt.timeBeforeDelay }
            return timeLeft.map { decision.delay < $0 } ?? true ? decision : .doNotRetry
        }
    }

    // MARK: Waiting

    /// The maximum time that dropping the body of a response takes, before the delay.
    private func longestDrop(of result: AttemptResult) -> Duration {
        guard case .success(let response) = result, response.isDroppedByReading else { return .zero }
        return DroppedBodyLimits.time
    }

    /// Drops the body of the response that another attempt replaces, waits until that attempt may begin, and reports and records it.
    ///
    /// - Throws: `URLError.cancelled` if the request is cancelled, or its total time ends, before the end of the delay.
    @inline(never)
    private nonisolated(nonsending) func prepareRetry(
        of request: UncheckedRequest,
        after result: AttemptResult,
        delay: Duration,
        _ context: RequestContext
    ) async throws {
        // Before the delay, because other requests can use the connection during it, unless HTTP/1.1 closes it after a long upload.
        if case .success(var response) = result { await response.dropBody() }
        let outcome = RequestAttempt.Outcome(result)
        context.events?.report(.retrying(after: delay, because: outcome))
        await context.sleep(for: delay, on: clock)
        try context.throwIfEnding(request)
        context.record.recordRetry(after: outcome)
    }
}

extension RequestAttempt.Outcome {
    /// Creates the outcome of an attempt from its result.
    fileprivate init(_ result: Result<TransportResponse, any Error>) {
        switch result {
        case .success(let response): self = .response(status: response.status, headers: response.headers)
        case .failure(let error): self = .failure(error)
        }
    }
}
