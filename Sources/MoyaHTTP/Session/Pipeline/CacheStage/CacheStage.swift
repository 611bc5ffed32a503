import Foundation
import HTTPTypes

/// Returns stored responses, validates them, and stores new ones (RFC 9111).
struct CacheStage: ExchangeStage {
    let cache: HTTPCache
    /// The policy of requests that do not set one.
    let defaultPolicy: URLRequest.CachePolicy
    /// Whether a middleware below may change the fields of requests, so that a ``SentFieldsStage`` records them.
    let recordsSentFields: Bool

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        guard request.method == .get || request.method == .head, request.body == nil else {
            return try await sendAndInvalidate(request, context: context, next: next)
        }
        let policy = policy(of: request)
        guard canSendDirectly(request, policy: policy) else {
            return try await makeResponder(to: request, policy: policy, context: context, next: next).respond()
        }
        return try await sendDirectly(request, policy: policy, context: context, next: next)
    }

    /// Sends a request without a `CacheResponder`, which is created only for a response that may be stored.
    ///
    /// Most requests with the default cache (`init(replacing:)`) are sent here, and most responses of APIs have neither a lifetime
    /// nor a validator.
    @inline(__always)
    private nonisolated(nonsending) func sendDirectly(
        _ request: TransportRequest,
        policy: URLRequest.CachePolicy,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        cache.changeStatistics { $0.misses += 1 }
        let fetch = CacheFetch(in: cache)
        let response = try await next(request, context)
        guard CacheRules.hasLifetimeOrValidator(response.fields) else { return response }
        return await makeResponder(to: request, policy: policy, context: context, next: next)
            .storeResponse(response, during: fetch.times(until: cache.now()), in: fetch).response
    }

    /// Returns the policy that applies to a request.
    private func policy(of request: TransportRequest) -> URLRequest.CachePolicy {
        guard !cache.isOffline else { return .returnCacheDataDontLoad }
        let requested = request.urlRequest?.cachePolicy ?? .useProtocolCachePolicy
        return requested == .useProtocolCachePolicy ? defaultPolicy : requested
    }

    /// Returns whether a request can be sent without a decision of the rules.
    private func canSendDirectly(_ request: TransportRequest, policy: URLRequest.CachePolicy) -> Bool {
        // A HEAD is rare.
        request.method == .get
            // The fields that are sent are compared with those of the request.
            && !recordsSentFields
            // Other policies add fields to the request, or forbid sending it.
            && policy == .useProtocolCachePolicy
            // The request may have to wait for an equal one, or others for it.
            && !cache.collapsesRequests
            // A response without a lifetime and a validator may be stored, too.
            && !cache.keepsForOfflineUse
            // Directives may forbid sending the request.
            && !CacheRequest.containsCacheFields(request.headers)
            && cache.hasNoEntries(for: request.url)
    }

    @inline(never)
    private func makeResponder(
        to request: TransportRequest,
        policy: URLRequest.CachePolicy,
        context: RequestContext,
        next: ExchangeHandler
    ) -> CacheResponder {
        let key = CacheKey(request.url)
        return CacheResponder(
            cache: cache,
            request: request,
            cacheRequest: CacheRequest(
                method: request.method,
                key: key,
                headers: request.headers,
                user: request.serverUser,
                policy: policy
            ),
            context: context,
            next: next,
            recordsSentFields: recordsSentFields
        )
    }

    /// Sends a request that the cache does not store, and removes the stored responses that it invalidates (RFC 9111, section 4.4).
    @inline(never)
    private nonisolated(nonsending) func sendAndInvalidate(
        _ request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        guard !cache.isOffline else { throw CacheResponder.offlineError(request) }
        let response = try await next(request, context)
        let invalidated = CacheRules.keysInvalidated(
            by: request.method,
            url: request.url,
            status: response.status,
            fields: response.fields
        )
        await cache.invalidate(invalidated)
        return response
    }
}
