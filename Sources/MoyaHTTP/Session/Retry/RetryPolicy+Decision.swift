import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RetryPolicy {
    /// Decides by the attempt alone, without the ``budget``: what ``retry(_:for:)`` does, to be tested and logged.
    ///
    /// - Parameters:
    ///   - attempt: The try and what came of it.
    ///   - now: What a date in `Retry-After` is compared to.
    ///   - random: The share of the longest wait, from 0 to 1.
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

    /// Why an attempt is not worth another one, or must not have one, however early it is.
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
    /// Whether the server has said that it has done nothing with the request: repeating it is safe whatever its method
    /// (RFC 9113, section 8.7).
    fileprivate var wasNotProcessed: Bool {
        guard case .failure(let error as URLError) = outcome else { return false }
        return error.isRequestUnprocessed
    }

    /// Whether the error says that no server has got the request.
    fileprivate var wasNotSent: Bool {
        guard case .failure(let error as URLError) = outcome else { return false }
        return Self.unsent.contains(error.code)
    }

    private static let unsent = Set(RetryableError.all.filter { $0.chance == .notSent }.map(\.code))
}
