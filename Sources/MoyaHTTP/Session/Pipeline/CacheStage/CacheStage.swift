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
        guard request.upgrade == nil else { return try await upgrade(request, context: context, next: next) }
        guard request.method == .get || request.method == .head, request.body == nil else {
            return try await sendAndInvalidate(request, context: context, next: next)
        }
        let policy = effectivePolicy(of: request)
        let response: TransportResponse
        if isPlainLoad(request, policy: policy) {
            response = try await loadPlainly(request, policy: policy, context: context, next: next)
        } else {
            let responder = makeResponder(to: request, policy: policy, context: context, next: next)
            guard let found = try await responder.respond() else { return .noStoredResponse }
            response = found
        }
        cache.record(response, to: context.events)
        return response
    }

    /// Passes a request for an upgrade on, unless its policy does not allow a request: a stored response is no upgrade, and an upgrade is
    /// not stored.
    @inline(never)
    private nonisolated(nonsending) func upgrade(
        _ request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        guard effectivePolicy(of: request) != .returnCacheDataDontLoad else {
            throw CacheResponder.unavailableError(request)
        }
        return try await next(request, context)
    }

    /// Takes the steps of ``CacheResponder/respond()`` that remain for a plain load: sends the request, and stores its
    /// response.
    ///
    /// Most requests with the default cache (`init(replacing:)`) are plain loads, and most responses of APIs have neither a
    /// lifetime nor a validator. A `CacheResponder` would add a quarter to the session's instructions for them. The test
    /// `CacheStageTests.plainLoads` compares the results of both.
    @inline(__always)
    private nonisolated(nonsending) func loadPlainly(
        _ request: TransportRequest,
        policy: URLRequest.CachePolicy,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        let fetch = CacheFetch(in: cache)
        let response = try await next(request, context)
        guard CacheRules.hasLifetimeOrValidator(response.fields) else { return response }
        return await makeResponder(to: request, policy: policy, context: context, next: next)
            .storeResponse(response, in: fetch).response
    }

    /// Returns whether ``CacheResponder/respond()`` would only send the request unchanged, and store its response.
    private func isPlainLoad(_ request: TransportRequest, policy: URLRequest.CachePolicy) -> Bool {
        // `respond` lets no request wait for an equal one.
        !cache.collapsesRequests
            // `sendAndReact` adds no fields of the policy, and records none that a middleware changes.
            && policy == .useProtocolCachePolicy && !recordsSentFields
            // `react` updates no stored response, unlike after a HEAD.
            && request.method == .get
            // `storeResponse` stores only a response with a lifetime or a validator.
            && !cache.keepsForOfflineUse
            // `CacheRules.decide` returns a load, because no directive forbids it, and nothing is stored.
            && !CacheRequest.containsCacheFields(request.headers) && cache.isKnownToLackEntries(for: request.url)
    }

    /// Returns the policy that applies to a request.
    func effectivePolicy(of request: TransportRequest) -> URLRequest.CachePolicy {
        guard !cache.isOffline else { return .returnCacheDataDontLoad }
        let requested = request.urlRequest?.cachePolicy ?? .useProtocolCachePolicy
        return requested == .useProtocolCachePolicy ? defaultPolicy : requested
    }

    @inline(never)
    func makeResponder(
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
            isInBackground: false,
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
        guard !cache.isOffline else { throw CacheResponder.unavailableError(request) }
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

extension TransportResponse {
    /// The response to a request that may not be sent, and to which no stored response can be used (RFC 9111, section 5.2.1.7).
    static var noStoredResponse: TransportResponse {
        var response = TransportResponse(status: 504)
        response.source = .cache
        return response
    }
}

// In this folder, because the reporter of events is above the cache.
extension HTTPCache {
    /// Counts a response as a hit, a revalidation or a miss, and reports it to the monitors of its request.
    func record(_ response: borrowing TransportResponse, to events: EventReporter?) {
        let source = response.source
        changeStatistics { $0.countResponse(from: source) }
        switch source {
        case .network: events?.report(.cacheMissed)
        case .cache, .stale, .revalidated: events?.report(.cached(source))
        case .sample: break
        }
    }
}
