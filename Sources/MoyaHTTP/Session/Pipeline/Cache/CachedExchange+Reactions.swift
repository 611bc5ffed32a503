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
    // Not called for most requests with the default cache (`init(replacing:)`): see PipelineStage.swift.
    @inline(never)
    nonisolated(nonsending) func react(
        to response: TransportResponse,
        in fetch: CacheFetch
    ) async -> FetchedResponse? {
        let times = fetch.receivedHead(status: response.status, in: cache)
        switch CacheRules.reaction(to: response.status, method: request.method, purpose: fetch.purpose) {
        case .confirm(let entry):
            return await confirm(entry, by: response, at: times)
        case .complete(let entry):
            return await complete(entry, with: response, at: times, in: fetch)
        case .freshen:
            await freshen(by: response, at: times)
            return FetchedResponse(response: response, outcome: .notStored)
        case .store:
            return await storeIfAllowed(response, at: times, in: fetch)
        }
    }

    /// Returns a stored response that a 304 confirms; `nil` if the 304 is about another one, or the body is lost.
    private nonisolated(nonsending) func confirm(
        _ entry: CacheEntry,
        by response: TransportResponse,
        at times: ExchangeTimes
    ) async -> FetchedResponse? {
        let head = CacheRules.freshened(entry.response, with: response.headers, to: cacheRequest, at: times)
        guard let head else { return nil }
        let canRemainStored = CacheRules.canRemainStored(head)
        if canRemainStored { await replaceHead(of: entry, with: head) }
        let freshness = Freshness(of: head, control: CacheControl(head.headers), at: times.response)
        var freshened = entry
        freshened.response = head
        let use = StoredUse(entry: freshened, form: .whole, age: freshness.age, isStale: !freshness.isFresh)
        guard var confirmed = await openStored(use, isConfirmed: true) else { return nil }
        // The removal does not affect the body, which has been opened.
        if !canRemainStored { await cache.removeEntry(entry) }
        confirmed.takeCookies(of: response)
        return FetchedResponse(response: confirmed, outcome: canRemainStored ? .stored : .cannotBeStored)
    }

    /// Joins a stored part and its rest, and stores the whole response; returns `nil` if they do not belong together.
    private nonisolated(nonsending) func complete(
        _ entry: CacheEntry,
        with rest: TransportResponse,
        at times: ExchangeTimes,
        in fetch: CacheFetch
    ) async -> FetchedResponse? {
        guard let partBody = fetch.partBody,
            let head = CacheRules.combined(entry, with: rest, to: cacheRequest, at: times)
        else { return nil }
        var whole = TransportResponse(
            head,
            joining: partBody,
            of: entry.bodySize,
            with: rest,
            from: request.url
        ) { [cache] in await cache.removeEntry(entry) }
        whole.takeCookies(of: rest)
        guard CacheRules.canRemainStored(head) else {
            // The removal does not affect the body, which has been opened.
            await cache.removeEntry(entry)
            return FetchedResponse(response: whole, outcome: .cannotBeStored)
        }
        return await storeBody(of: whole, as: head, in: fetch)
    }

    /// Freshens or removes the stored response after a response to HEAD, or after a 304 to conditions of the application.
    private nonisolated(nonsending) func freshen(
        by response: TransportResponse,
        at times: ExchangeTimes
    ) async {
        let entries = await cache.entries(for: cacheRequest.key)
        guard let entry = CacheRules.selected(by: cacheRequest, from: entries).first else { return }
        switch CacheRules.effect(of: response, on: entry, to: cacheRequest, at: times) {
        case .none: break
        case .freshen(let head): await replaceHead(of: entry, with: head)
        case .remove: await cache.removeEntry(entry)
        }
    }

    /// Returns the response to a GET, and stores it if its fields allow that.
    private nonisolated(nonsending) func storeIfAllowed(
        _ response: TransportResponse,
        at times: ExchangeTimes,
        in fetch: CacheFetch
    ) async -> FetchedResponse {
        let head = CacheRules.headToStore(
            response,
            to: cacheRequest,
            at: times,
            keepsForOfflineUse: cache.keepsForOfflineUse
        )
        guard let head else { return FetchedResponse(response: response, outcome: .cannotBeStored) }
        return await storeBody(of: response, as: head, in: fetch)
    }

    /// Replaces the head of an entry; an error of the store is counted.
    private nonisolated(nonsending) func replaceHead(of entry: CacheEntry, with head: CachedResponse) async {
        try? await cache.countingStoreErrors { try await cache.store.update(entry, to: head) }
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
