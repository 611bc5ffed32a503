import Foundation
import HTTPTypes

// Responses of the server.
extension CachedExchange {
    /// Stores the response of the server, or uses it to confirm, complete or freshen a stored one.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - fetch: The fetch of the response.
    /// - Returns: The response of the cache; `nil` if the request must be sent again without the cache's fields, because the response
    ///   to a validation or completion is about another representation, or the store has lost the body.
    @inline(never)
    nonisolated(nonsending) func react(
        to response: TransportResponse,
        in fetch: CacheFetch
    ) async -> FetchedResponse? {
        fetch.recordHead(status: response.status, in: cache)
        let times = fetch.times(until: cache.now())
        switch CacheRules.reaction(to: response.status, method: request.method, purpose: fetch.purpose) {
        case .confirm(let entry):
            return await confirm(entry, by: response, during: times)
        case .complete(let part):
            return await complete(part, with: response, during: times, of: fetch)
        case .updateStored:
            await updateStored(by: response, during: times)
            return FetchedResponse(response: response, storing: .ended(.notStored))
        case .store:
            return await storeResponse(response, during: times, of: fetch)
        }
    }

    /// Returns a stored response that a 304 confirms; `nil` if the 304 is about another one, or the body is lost.
    private nonisolated(nonsending) func confirm(
        _ entry: CacheEntry,
        by response: TransportResponse,
        during times: ExchangeTimes
    ) async -> FetchedResponse? {
        let head = CacheRules.freshened(entry.response, with: response.headers, for: cacheRequest, during: times)
        guard let head else { return nil }
        let canRemainStored = CacheRules.canRemainStored(head)
        let isReplaced = await canRemainStored ? cache.replaceHead(of: entry, with: head) : false
        let freshness = Freshness(of: head, control: CacheControl(head.headers), at: times.responseTime)
        var freshened = entry
        freshened.response = head
        let use = StoredUse(freshened, in: .whole, freshness)
        guard var confirmed = await openStored(use, confirming: entry) else { return nil }
        if !canRemainStored { await cache.removeEntry(entry) }
        confirmed.takeCookies(of: response)
        return FetchedResponse(
            response: confirmed,
            storing: .ended(isReplaced ? .stored : canRemainStored ? .notStored : .cannotBeStored)
        )
    }

    /// Joins a stored part and its rest, and stores the whole response; returns `nil` if they do not belong together.
    private nonisolated(nonsending) func complete(
        _ part: CacheFetch.Part,
        with rest: TransportResponse,
        during times: ExchangeTimes,
        of fetch: CacheFetch
    ) async -> FetchedResponse? {
        let entry = part.entry
        guard let head = CacheRules.combined(entry, with: rest, for: cacheRequest, during: times) else { return nil }
        var whole = TransportResponse(
            head,
            joining: part.body,
            of: entry.bodySize,
            with: rest,
            from: request.url
        ) { [cache] in await cache.removeEntry(entry) }
        whole.takeCookies(of: rest)
        guard CacheRules.canRemainStored(head) else {
            await cache.removeEntry(entry)
            return FetchedResponse(response: whole, storing: .ended(.cannotBeStored))
        }
        return await storeBody(of: whole, as: head, of: fetch)
    }

    /// Freshens, removes or keeps the stored response after a response to HEAD, or after a 304 to conditions of the application.
    private nonisolated(nonsending) func updateStored(
        by response: TransportResponse,
        during times: ExchangeTimes
    ) async {
        let entries = await cache.entries(for: cacheRequest.key)
        guard let entry = CacheRules.selected(for: cacheRequest, from: entries).first else { return }
        switch CacheRules.update(of: entry, by: response, for: cacheRequest, during: times) {
        case .keep: break
        case .replaceHead(let head): _ = await cache.replaceHead(of: entry, with: head)
        case .remove: await cache.removeEntry(entry)
        }
    }

    /// Returns the response to a GET, and stores it if its fields allow that.
    @inline(never)
    nonisolated(nonsending) func storeResponse(
        _ response: TransportResponse,
        during times: ExchangeTimes,
        of fetch: CacheFetch
    ) async -> FetchedResponse {
        let head = CacheRules.headToStore(
            response,
            for: cacheRequest,
            during: times,
            keepsForOfflineUse: cache.keepsForOfflineUse
        )
        guard let head else { return FetchedResponse(response: response, storing: .ended(.cannotBeStored)) }
        return await storeBody(of: response, as: head, of: fetch)
    }
}

extension TransportResponse {
    /// Takes the cookies of the server's response, in place of those of the stored head, which belong to an earlier response.
    fileprivate mutating func takeCookies(of response: TransportResponse) {
        setsCookies = response.fields.contains(.setCookie)
        // `no-cache=set-cookie` keeps them out of the head, so they are copied from the response.
        if setsCookies { headers[fields: .setCookie] = response.headers[fields: .setCookie] }
    }
}
