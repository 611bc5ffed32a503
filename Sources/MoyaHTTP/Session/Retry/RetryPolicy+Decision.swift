import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RetryPolicy {
    /// Returns the decision of ``retry(_:for:)`` without the ``budget``, for tests and logs.
    ///
    /// - Parameters:
    ///   - attempt: The attempt and its outcome.
    ///   - now: The time that a date in `Retry-After` is relative to.
    ///   - random: The fraction of the maximum delay, from 0 to 1.
    /// - Returns: The decision.
    public func decision(for attempt: RequestAttempt, now: Date, random: Double) -> RetryDecision {
        if let reason = objection(to: attempt) { return .doNotRetry(reason) }
        guard attempt.retryCount < retryLimit else { return .doNotRetry(.retryLimit) }

        let backoff = RetryBackoff(base: exponentialBackoffBase, scale: exponentialBackoffScale, maximum: maximumDelay)
        var delay = backoff.delay(retryCount: attempt.retryCount, random: random)
        if respectsRetryAfter, case .response(_, let headers) = attempt.outcome,
            let asked = RetryAfter(headers, now: now)?.delay
        {
            guard asked <= maximumDelay else { return .doNotRetry(.retryAfter) }
            delay = max(delay, asked)
        }
        guard attempt.elapsed + delay < maximumTotalTime else { return .doNotRetry(.totalTime) }
        return .retry(after: delay)
    }

    /// Returns the reason why an attempt must not, or need not, be repeated, apart from limits.
    private func objection(to attempt: RequestAttempt) -> RetryDecision.Reason? {
        switch attempt.outcome {
        case .response(let status, _):
            guard retryableHTTPStatusCodes.contains(status) else { return .status(status) }
        case .failure(let error):
            if error is CancellationError { return .cancelled }
            guard let code = (error as? URLError)?.code else { return .error }
            guard code != .cancelled else { return .cancelled }
            guard retryableURLErrorCodes.contains(code) else { return .error }
        }
        guard attempt.isBodyRepeatable else { return .bodyNotRepeatable }
        let method = HTTPMethod(rawValue: attempt.originalRequest.httpMethod ?? "GET")
        guard
            retryableHTTPMethods.contains(method) || attempt.wasNotProcessed
                || retriesUnsentRequests && attempt.wasNotSent
        else {
            return .method
        }
        return nil
    }
}

extension RequestAttempt {
    /// Whether the server has reported that it did not process the request, so that a retry is safe for any method
    /// (RFC 9113, section 8.7).
    fileprivate var wasNotProcessed: Bool {
        guard case .failure(let error as URLError) = outcome else { return false }
        return error.isRequestUnprocessed
    }

    /// Whether the error means that no server has received the request.
    fileprivate var wasNotSent: Bool {
        guard case .failure(let error as URLError) = outcome else { return false }
        return Self.unsent.contains(error.code)
    }

    private static let unsent = Set(RetryableError.all.filter { $0.chance == .notSent }.map(\.code))
}
