import Foundation
import HTTPTypes

/// Returns stored responses, validates them, and stores new ones (RFC 9111).
///
/// It is below authentication and cookies, because their fields select stored responses, and above the application's exchange
/// middleware, which gets only requests that are sent to a server.
struct CacheStage: ExchangeStage {
    let cache: HTTPCache
    /// The policy of requests that do not set one.
    let policy: URLRequest.CachePolicy

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        var policy = request.urlRequest?.cachePolicy ?? .useProtocolCachePolicy
        if policy == .useProtocolCachePolicy { policy = self.policy }
        let isOffline = cache.isOffline
        if isOffline { policy = .returnCacheDataDontLoad }
        guard request.method == .get || request.method == .head, request.body == nil else {
            guard !isOffline else { throw Self.offlineError(request) }
            let response = try await next(request, context)
            await invalidate(by: request, response: response)
            return response
        }
        let lookup = cache.memory?.lookUp(request.url)
        guard lookup?.hasEntries == false, isSentUnchanged(request, policy: policy) else {
            let key = lookup?.key ?? CacheKey(request.url)
            return try await makeExchange(for: request, key: key, policy: policy, context: context, next: next)
                .response()
        }
        // The usual request to an API finds nothing stored, and its response has neither a lifetime nor a validator.
        cache.count { $0.misses += 1 }
        var fetch = CacheFetch(from: cache)
        let response = try await next(request, context)
        guard response.status != 304, CacheRules.hasLifetimeOrValidator(response.headers) else { return response }
        fetch.times.response = cache.now()
        return await makeExchange(
            for: request,
            key: CacheKey(request.url),
            policy: policy,
            context: context,
            next: next
        ).storeIfAllowed(response, in: fetch).response
    }

    // Not taken by most requests with the default cache (`init(replacing:)`): see PipelineStage.swift.
    @inline(never)
    private func makeExchange(
        for request: TransportRequest,
        key: CacheKey,
        policy: URLRequest.CachePolicy,
        context: RequestContext,
        next: ExchangeHandler
    ) -> CachedExchange {
        CachedExchange(
            cache: cache,
            request: request,
            cacheRequest: CacheRequest(method: request.method, key: key, headers: request.headers, policy: policy),
            context: context,
            next: next
        )
    }

    /// Removes the stored responses that a successful unsafe request invalidates (RFC 9111, section 4.4).
    // Not taken by a GET or HEAD: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func invalidate(
        by request: TransportRequest,
        response: TransportResponse
    ) async {
        let keys = CacheRules.keysInvalidated(
            by: request.method,
            url: request.url,
            status: response.status,
            headers: response.headers
        )
        for key in keys { _ = await cache.perform { try await cache.removeEntries(for: key) } }
    }

    /// Returns whether a request without a stored response is sent unchanged and alone.
    private func isSentUnchanged(_ request: TransportRequest, policy: URLRequest.CachePolicy) -> Bool {
        request.method == .get && policy == .useProtocolCachePolicy && !cache.collapsesRequests
            && !cache.keepsForOfflineUse && !CacheRequest.hasRelevantFields(request.headers)
    }

    static func offlineError(_ request: TransportRequest) -> URLError {
        .make(
            .resourceUnavailable,
            url: request.url,
            reason: "Only the cache may be used for this request, and it has no response to it."
        )
    }
}
