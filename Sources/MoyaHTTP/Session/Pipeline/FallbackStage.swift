import Foundation

/// Uses the fallbacks of a session if a request fails: another base URL, a stored response, or a sample.
struct FallbackStage: RequestStage {
    let fallbacks: [Fallback]
    /// The stored responses; `nil` without a cache.
    let storedResponseFinder: StoredResponseFinder?
    let bodyReader: ResponseBodyReader

    /// The base URLs of a request, and the part of its URL after the first one.
    private struct RequestBases {
        let group: BaseURLGroup
        let statuses: Set<Int>
        let suffix: Substring
    }

    /// The result of a request, which a fallback may replace.
    private struct Attempt {
        /// The response or the error; `nil` if the request was not sent.
        var result: Result<TransportResponse, any Error>?
        var outcome: FallbackRule.Outcome
    }

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        let bases = request.urlRequest.url.flatMap { matchingBases(of: $0) }
        var ticket: BaseURLGroup.Ticket?
        if let bases {
            switch bases.group.permission(for: 0, canProbe: request.isBodyRepeatable) {
            case .send(let first): ticket = first
            case .avoided(let time):
                let attempt = Attempt(result: nil, outcome: .avoided(bases.group.url(of: 0), for: time))
                return try await fallBack(after: attempt, of: request, bases, context, next)
            }
        }
        let attempt = try await send(request, ticket, of: bases, context, next)
        if case .success(let response)? = attempt.result, !isFailure(attempt.outcome) { return response }
        return try await fallBack(after: attempt, of: request, bases, context, next)
    }

    private func isFailure(_ outcome: FallbackRule.Outcome) -> Bool {
        fallbacks.contains { FallbackRule.cause(for: $0, after: outcome) != nil }
    }

    /// Returns the base URLs of the first fallback that has the beginning of a URL.
    private func matchingBases(of url: URL) -> RequestBases? {
        for fallback in fallbacks {
            guard case .baseURLs(let group) = fallback.source, let suffix = group.suffix(of: url) else { continue }
            return RequestBases(group: group, statuses: fallback.statuses, suffix: suffix)
        }
        return nil
    }

    // MARK: Sending

    /// Passes a request on, and records whether its base URL was reached.
    ///
    /// - Throws: The error of a cancelled request.
    @inline(__always)
    private nonisolated(nonsending) func send(
        _ request: UncheckedRequest,
        _ ticket: BaseURLGroup.Ticket?,
        of bases: RequestBases?,
        _ context: RequestContext,
        _ next: RequestHandler
    ) async throws -> Attempt {
        let attempt: Attempt
        do {
            let response = try await next(request, context)
            attempt = Attempt(result: .success(response), outcome: outcome(of: response, context))
        } catch {
            guard !error.isCancellation, !context.isEnding else {
                if let bases, let ticket { bases.group.record(.unknown, of: ticket) }
                throw error
            }
            attempt = Attempt(result: .failure(error), outcome: .failure(error, delivery(after: error, context)))
        }
        if let bases, let ticket {
            bases.group.record(FallbackRule.result(of: attempt.outcome, statuses: bases.statuses), of: ticket)
        }
        return attempt
    }

    private func outcome(of response: TransportResponse, _ context: RequestContext) -> FallbackRule.Outcome {
        switch response.source {
        case .network where !response.isSaved, .revalidated:
            .status(response.status, isRedirected: context.redirectCount > 0)
        case .network, .cache, .stale, .sample:
            .final
        }
    }

    /// Returns the delivery of a request that has failed.
    private func delivery(after error: any Error, _ context: RequestContext) -> RequestDelivery {
        let delivery = RequestDelivery(after: error)
        guard delivery == .notSent || delivery == .unknown else { return delivery }
        // An adapter may have failed, for example because it could not refresh a token.
        guard context.record.currentURL != nil else { return .other }
        // The body of the response, or the target of a redirect, has failed.
        guard context.redirectCount == 0, context.record.response == nil else { return .responded }
        return delivery
    }

    // MARK: Falling back

    /// Uses the fallbacks, in their order, as long as the last attempt is a failure.
    @inline(never)
    private nonisolated(nonsending) func fallBack(
        after first: Attempt,
        of request: UncheckedRequest,
        _ bases: RequestBases?,
        _ context: RequestContext,
        _ next: RequestHandler
    ) async throws -> TransportResponse {
        var attempt = first
        var isRepeatable = RequestRepeatability(request, attempt.outcome)
        // Only a server can upgrade a connection.
        let isUpgrade = context.bodyHandling.upgrade != nil
        var avoided: [Int] = []
        if attempt.result == nil { avoided.append(0) }
        for fallback in fallbacks {
            switch fallback.source {
            case .baseURLs(let group):
                guard let bases, group === bases.group else { continue }
                for base in 1..<max(1, group.count) {
                    guard isRepeatable.canBeSent(context),
                        let cause = FallbackRule.cause(for: fallback, after: attempt.outcome)
                    else { break }
                    let permission = group.permission(for: base, canProbe: request.isBodyRepeatable)
                    guard case .send(let ticket) = permission else {
                        avoided.append(base)
                        continue
                    }
                    attempt = try await send(request, ticket, of: bases, because: cause, after: attempt, context, next)
                    isRepeatable.recordAttempt(attempt.outcome)
                }
            case .staleResponse:
                guard !isUpgrade, let cause = FallbackRule.cause(for: fallback, after: attempt.outcome),
                    let found = try await storedResponse(to: request, bases, context)
                else { continue }
                context.events?.report(.fallingBack(to: .staleResponse, because: cause))
                return try await use(found.response, from: found.url, inPlaceOf: attempt, request, context)
            case .sample(let sample):
                guard !isUpgrade, let cause = FallbackRule.cause(for: fallback, after: attempt.outcome),
                    var response = await sample(try TransportRequest(forMiddleware: request, context), cause)
                else { continue }
                try context.throwIfEnding(request)
                context.events?.report(.fallingBack(to: .sample, because: cause))
                response.source = .sample
                response.setsCookies = false
                return try await use(response, from: request.urlRequest.url, inPlaceOf: attempt, request, context)
            }
        }
        if let bases {
            attempt = try await sendToAvoided(avoided, after: attempt, request, isRepeatable, bases, context, next)
        }
        guard let result = attempt.result else { throw URLError.make(.unknown, url: request.urlRequest.url) }
        return try result.get()
    }

    /// Sends a request to the avoided base URLs, because there is no other response.
    private nonisolated(nonsending) func sendToAvoided(
        _ avoided: [Int],
        after last: Attempt,
        _ request: UncheckedRequest,
        _ repeatability: RequestRepeatability,
        _ bases: RequestBases,
        _ context: RequestContext,
        _ next: RequestHandler
    ) async throws -> Attempt {
        var (attempt, isRepeatable) = (last, repeatability)
        guard let fallback = fallbacks.first(where: { $0.uses(bases.group) }) else { return attempt }
        for base in avoided {
            guard isRepeatable.canBeSent(context),
                let cause = FallbackRule.cause(for: fallback, after: attempt.outcome)
            else { break }
            let ticket = bases.group.lastResort(base)
            attempt = try await send(request, ticket, of: bases, because: cause, after: attempt, context, next)
            isRepeatable.recordAttempt(attempt.outcome)
        }
        return attempt
    }

    /// Sends a request to a base URL in place of a failed attempt.
    private nonisolated(nonsending) func send(
        _ request: UncheckedRequest,
        _ ticket: BaseURLGroup.Ticket,
        of bases: RequestBases,
        because cause: Fallback.Cause,
        after failed: Attempt,
        _ context: RequestContext,
        _ next: RequestHandler
    ) async throws -> Attempt {
        await dropBody(of: failed)
        var moved = request
        // The preferred base URL keeps the URL as the application has written it.
        if ticket.base > 0 {
            moved.urlRequest.url = bases.group.url(of: ticket.base, appending: bases.suffix)
            context.events?.report(.fallingBack(to: .baseURL(bases.group.url(of: ticket.base)), because: cause))
        }
        return try await send(moved, ticket, of: bases, context, next)
    }

    /// Returns the newest stored response to a request, under any of its base URLs; `nil` for none.
    private nonisolated(nonsending) func storedResponse(
        to request: UncheckedRequest,
        _ bases: RequestBases?,
        _ context: RequestContext
    ) async throws -> (response: TransportResponse, url: URL)? {
        guard let storedResponseFinder else { return nil }
        var prepared = request
        if let sent = context.record.originalRequest {
            prepared.urlRequest = sent
        } else {
            // No attempt has come so far, but the fields of adapters and plugins may select the response.
            guard let changed = try? await context.adapt(request.urlRequest) else { return nil }
            prepared.urlRequest = changed
            if let preparation = context.settings.preparation {
                guard let changed = try? preparation.prepare(prepared.urlRequest, record: context.record) else {
                    return nil
                }
                prepared.urlRequest = changed
            }
            try context.throwIfEnding(request)
        }
        let urls = prepared.urlRequest.url.flatMap { bases?.group.alternatives(to: $0) } ?? []
        let requests = urls.map { url in
            var alternative = prepared
            alternative.urlRequest.url = url
            return alternative
        }
        let found = await storedResponseFinder.newestResponse(to: requests.isEmpty ? [prepared] : requests, context)
        try context.throwIfEnding(request)
        return found
    }

    /// Reads a response that no server has sent, as the caller wants it.
    private nonisolated(nonsending) func use(
        _ response: TransportResponse,
        from url: URL?,
        inPlaceOf failed: Attempt,
        _ request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        await dropBody(of: failed)
        // The facts of the failed attempt do not belong to the response.
        context.record.beginAttempt()
        if let url { context.record.recordCurrentURL(url) }
        context.record.recordResponse(response, to: request.urlRequest)
        return try await bodyReader.read(response, to: request.urlRequest, context: context)
    }

    private nonisolated(nonsending) func dropBody(of attempt: Attempt) async {
        guard case .success(var response)? = attempt.result else { return }
        await response.dropBody()
    }
}

/// Whether a request may be sent to another server.
private struct RequestRepeatability {
    private let isBodyRepeatable: Bool
    private let isIdempotent: Bool
    private var wasSent = false
    private var mayHaveArrived = false

    init(_ request: UncheckedRequest, _ outcome: FallbackRule.Outcome) {
        isBodyRepeatable = request.isBodyRepeatable
        isIdempotent = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET").isIdempotent
        recordAttempt(outcome)
    }

    /// Records the outcome of an attempt.
    mutating func recordAttempt(_ outcome: FallbackRule.Outcome) {
        switch outcome {
        case .avoided: break
        case .failure(_, let delivery):
            wasSent = true
            if delivery.mayHaveArrived { mayHaveArrived = true }
        case .status, .final: (wasSent, mayHaveArrived) = (true, true)
        }
    }

    /// Returns whether the request may be sent, possibly again.
    func canBeSent(_ context: RequestContext) -> Bool {
        !wasSent || isBodyRepeatable && (isIdempotent || !mayHaveArrived && !context.record.mayHaveArrived)
    }
}

extension Fallback {
    /// Returns whether the fallback has these base URLs.
    fileprivate func uses(_ group: BaseURLGroup) -> Bool {
        if case .baseURLs(let own) = source { own === group } else { false }
    }
}
