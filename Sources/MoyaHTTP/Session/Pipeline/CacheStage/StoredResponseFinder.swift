import Foundation

/// Finds the stored response to a request that has failed, and sends nothing.
struct StoredResponseFinder: Sendable {
    let cacheStage: CacheStage
    /// The stages that add the fields by which the cache selects a response.
    let selectingStages: [any ExchangeStage]

    /// Returns the most recent stored response to one of several requests that differ in their URLs.
    ///
    /// - Parameters:
    ///   - requests: The requests, as adapters and plugins have made them.
    ///   - context: The context of the failed request.
    /// - Returns: The response, with its body unread, and the URL under which it is stored; `nil` for none.
    @inline(never)
    nonisolated(nonsending) func newestResponse(
        to requests: [UncheckedRequest],
        _ context: RequestContext
    ) async -> (response: TransportResponse, url: URL)? {
        var found: [(responder: CacheResponder, selection: StoredSelection)] = []
        for request in requests {
            guard let selecting = await addSelectingFields(to: request, context) else { continue }
            let responder = cacheStage.makeResponder(
                to: selecting,
                policy: cacheStage.effectivePolicy(of: selecting),
                context: context,
                next: .end
            )
            let entries = await cacheStage.cache.entries(for: responder.cacheRequest.key)
            let selections = CacheRules.storedResponses(
                for: responder.cacheRequest,
                from: entries,
                now: cacheStage.cache.now()
            )
            // The target of a stored redirect would have to be sent.
            found += selections.filter { !(300..<400).contains($0.entry.head.status) || $0.form == .notModified }
                .map { (responder, $0) }
        }
        while let newest = found.indices.max(by: { Self.isNewer(found[$1].selection, than: found[$0].selection) }) {
            let (responder, selection) = found.remove(at: newest)
            // The store may have lost the body.
            guard let response = await responder.openStored(selection) else { continue }
            cacheStage.cache.record(response, to: context.events)
            return (response, responder.request.url)
        }
        return nil
    }

    private static func isNewer(_ one: StoredSelection, than other: StoredSelection) -> Bool {
        one.entry.head.responseTime > other.entry.head.responseTime
    }

    /// Returns the request as the cache would get it; `nil` for one whose responses are not stored, or that is invalid.
    private nonisolated(nonsending) func addSelectingFields(
        to request: UncheckedRequest,
        _ context: RequestContext
    ) async -> TransportRequest? {
        guard var checked = try? TransportRequest(checking: request, context),
            checked.method == .get || checked.method == .head, checked.body == nil
        else { return nil }
        checked.url = context.session.settings.secured(checked.url)
        let capture = RequestCapture()
        let handler = selectingStages.handler(endingWith: ExchangeHandler(capture))
        _ = try? await handler(checked, context.with(AttemptScope()))
        return capture.request
    }
}

/// Keeps the request that it gets, and sends nothing.
private final class RequestCapture: ExchangeStage {
    private let captured = Locked<TransportRequest?>(nil)

    var request: TransportRequest? { captured.withLock { $0 } }

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        captured.withLock { $0 = request }
        // By its source, no server has accepted the credential of the request.
        return .noStoredResponse
    }
}
