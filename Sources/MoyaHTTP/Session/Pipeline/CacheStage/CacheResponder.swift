import Foundation
import HTTPTypes

/// Returns a stored response to one GET or HEAD, or sends the request and stores the response.
// A class, because its values are large, and each asynchronous call of a structure copies them.
final class CacheResponder {
    let cache: HTTPCache
    let request: TransportRequest
    let cacheRequest: CacheRequest
    let context: RequestContext
    let next: ExchangeHandler
    /// Whether the response is for later requests only, so that the body of a stored one is not opened.
    let isInBackground: Bool
    /// Whether a ``SentFieldsStage`` records the fields of the exchanges.
    let recordsSentFields: Bool

    init(
        cache: HTTPCache,
        request: TransportRequest,
        cacheRequest: CacheRequest,
        context: RequestContext,
        next: ExchangeHandler,
        isInBackground: Bool,
        recordsSentFields: Bool
    ) {
        self.cache = cache
        self.request = request
        self.cacheRequest = cacheRequest
        self.context = context
        self.next = next
        self.isInBackground = isInBackground
        self.recordsSentFields = recordsSentFields
    }

    /// Returns a responder that uses the store only, and throws if there is no stored response.
    private func limitedToCache() -> CacheResponder {
        CacheResponder(
            cache: cache,
            request: request,
            cacheRequest: cacheRequest.limitedToCache(),
            context: context,
            next: next,
            isInBackground: isInBackground,
            recordsSentFields: recordsSentFields
        )
    }

    /// Returns a responder for the same request, which its caller does not wait for.
    func inBackground() -> sending CacheResponder {
        var request = request
        // The caller's functions must not be called after the end of its request.
        (request.onConnect, request.onInterimResponse) = (nil, nil)
        return CacheResponder(
            cache: cache,
            request: request,
            cacheRequest: cacheRequest,
            context: context.inBackground(),
            next: next,
            isInBackground: true,
            recordsSentFields: recordsSentFields
        )
    }

    /// Returns a stored response, or sends the request, as the rules decide.
    ///
    /// - Returns: The response; `nil` if the request may not be sent (`only-if-cached`), and no stored response can be used.
    /// - Throws: The error of the stages below, or of a request that is limited to the cache by its policy and has no stored response.
    @inline(never)
    nonisolated(nonsending) func respond() async throws -> TransportResponse? {
        var canWait = mayWait
        // The idle time of the request before it is sent, to which a wait for an equal one adds.
        var idleBefore = request.idleBefore
        while true {
            let purpose: FetchPurpose
            switch try await decide() {
            case .unavailable:
                return nil
            case .use(let response, let refreshPurpose):
                if let refreshPurpose { refreshInBackground(for: refreshPurpose) }
                return response
            case .send(let sendPurpose):
                purpose = sendPurpose
            }
            guard !cache.isOffline else { return try await respondOffline() }
            do {
                switch canWait ? cache.collapsedRequests.join(CollapsedRequests.ID(cacheRequest)) : nil {
                case .sender(let reporter)?:
                    return try await fetch(for: purpose, reporter: reporter, idleBefore: idleBefore).response
                case nil:
                    return try await fetch(for: purpose, reporter: nil, idleBefore: idleBefore).response
                case .follower(let follower)?:
                    // Only after a cancelled leader does the request join again.
                    canWait = try await wait(as: follower, idleBefore: &idleBefore) == .cancelled
                }
            } catch {
                return try await substitute(for: purpose, orThrow: error)
            }
        }
    }

    /// Responds as in offline mode, because the cache was taken offline after the request had begun.
    nonisolated(nonsending) func respondOffline() async throws -> TransportResponse {
        // `respond` throws this error itself for a request that is limited to the cache.
        guard let response = try await limitedToCache().respond() else { throw Self.unavailableError(request) }
        return response
    }

    /// Decides about the request by the rules, and opens the stored response that they use.
    ///
    /// - Throws: The error of a request that requires a stored response by its policy.
    private nonisolated(nonsending) func decide() async throws -> CacheDecision<TransportResponse> {
        // The entries whose bodies the store could not return.
        var lost: [CacheEntry.ID] = []
        while true {
            let entries = await cache.entries(for: cacheRequest.key)
            let usable = lost.isEmpty ? entries : entries.filter { !lost.contains($0.id) }
            switch CacheRules.decide(cacheRequest, entries: usable, now: cache.now()) {
            case .use(let selection, let refreshPurpose):
                if let response = await openStored(selection) { return .use(response, refreshingFor: refreshPurpose) }
                lost.append(selection.entry.id)
            case .send(let purpose):
                return .send(for: purpose)
            case .unavailable:
                if cacheRequest.isLimitedToCache { throw Self.unavailableError(request) }
                return .unavailable
            }
        }
    }

    /// Returns the error of a request that must not be sent and has no stored response.
    static func unavailableError(_ request: TransportRequest) -> URLError {
        .make(
            .resourceUnavailable,
            url: request.url,
            reason: "Only the cache may be used for this request, and it has no response to it."
        )
    }

    /// Waits for an equal request, and returns its outcome.
    ///
    /// - Parameters:
    ///   - follower: The role of the request.
    ///   - idleBefore: The idle time of the request so far, to which the wait adds.
    /// - Returns: The outcome of the equal request.
    /// - Throws: `URLError.timedOut` if the time of the waiting request is over, or `URLError.cancelled`.
    @inline(never)
    private nonisolated(nonsending) func wait(
        as follower: CollapsedRequests.Follower,
        idleBefore: inout Duration
    ) async throws -> CollapsedRequests.Outcome {
        cache.changeStatistics { $0.collapsed += 1 }
        var waiting = request
        waiting.idleBefore = idleBefore
        context.limitTime(of: &waiting)
        let outcome = try await follower.waitForOutcome(within: TimeoutState(waiting), url: request.url)
        guard !context.isEnding else { throw URLError.cancelled(url: request.url) }
        idleBefore = follower.idleTime(after: idleBefore)
        if outcome != .stored, idleBefore > request.idleTimeout * Self.longestIdleShare {
            throw URLError.timedOut(RequestTimeoutError(kind: .idle, limit: request.idleTimeout), url: request.url)
        }
        return outcome
    }

    /// The share of the idle timeout after which a request is not sent any more.
    ///
    /// A server that has been silent so long is unlikely to respond in the rest of the time.
    private static let longestIdleShare = 0.9

    /// Whether the request may wait for an equal one, or others for it.
    ///
    /// Equal requests wait for the whole body, so its arrival must not depend on the speed of a caller that reads a stream.
    private var mayWait: Bool {
        guard cache.collapsesRequests, cacheRequest.isShareable, case .collect = context.bodyHandling else {
            return false
        }
        return true
    }

    // MARK: Stored responses

    /// Creates a response from a stored one, in the background without a body.
    ///
    /// - Parameters:
    ///   - selection: The stored response, with the freshened head if a server has just confirmed it.
    ///   - confirmed: The confirmed response, as the store has returned it.
    /// - Returns: The response; `nil` if the store cannot return its body.
    nonisolated(nonsending) func openStored(
        _ selection: StoredSelection,
        confirming confirmed: CacheEntry? = nil
    ) async -> TransportResponse? {
        let source: ResponseSource = confirmed != nil ? .revalidated : selection.isStale ? .stale : .cache
        var response = selection.makeResponse(from: source)
        if !isInBackground, let range = selection.bodyRange(for: request.method) {
            let entry = confirmed ?? selection.entry
            guard let body = await cache.openBody(of: entry, range: range.positions) else { return nil }
            response.body = body
        }
        return response
    }

    // MARK: Failures

    /// Returns a stored response in place of a request that has failed.
    ///
    /// - Throws: The error, if a stored response must not replace it.
    private nonisolated(nonsending) func substitute(
        for purpose: FetchPurpose,
        orThrow error: any Error
    ) async throws -> TransportResponse {
        guard !isEnding(with: error), CacheRules.allowsSubstitute(after: error),
            let stored = await substituteResponse(for: purpose)
        else { throw error }
        return stored
    }

    /// Returns the stored response that may be used after a failure of a request with this purpose; `nil` if there is none.
    nonisolated(nonsending) func substituteResponse(for purpose: FetchPurpose) async -> TransportResponse? {
        guard let entry = purpose.substitute,
            let selection = CacheRules.substitute(
                from: entry,
                for: cacheRequest,
                staleIfError: cache.staleIfError.inSeconds,
                now: cache.now()
            )
        else { return nil }
        return await openStored(selection)
    }

    /// Returns whether the request ends without a failure, if it has got an error: it was cancelled, or its total time is over.
    func isEnding(with error: any Error) -> Bool { context.isEnding || error.isCancellation }
}
