import Foundation
import HTTPTypes

// Responses of the server.
extension CacheResponder {
    /// The next step after a response of the server.
    enum NextStep {
        /// Return this response.
        case respond(FetchResult)
        /// Send the request again without the cache's fields: the response to a validation or completion is about another
        /// representation, or the store has lost the body.
        case sendAgain
    }

    /// Stores the response of the server, or uses it to confirm, complete or freshen a stored one.
    @inline(never)
    nonisolated(nonsending) func react(
        to response: TransportResponse,
        in fetch: CacheFetch
    ) async -> NextStep {
        if fetch.purpose.isValidation, response.status != 304 { cache.changeStatistics { $0.misses += 1 } }
        fetch.reporter?.recordResponse()
        let times = fetch.times(until: cache.now())
        switch CacheRules.reaction(to: response.status, method: request.method, purpose: fetch.purpose) {
        case .confirm(let entry):
            return await confirm(entry, by: response, during: times, in: fetch)
        case .complete(let part):
            return await complete(part, with: response, during: times, in: fetch)
        case .updateStored:
            await updateStored(by: response, during: times, in: fetch)
            return .respond(FetchResult(response, .notStored))
        case .store:
            let result = await storeResponse(response, during: times, in: fetch)
            // A full response shows that the validated one is outdated, even if it cannot be stored (RFC 9111, section 4.3.3).
            if case .validation(let entry, _) = fetch.purpose, response.status < 500,
                result.knownOutcome == .cannotBeStored
            {
                await cache.removeEntry(entry)
            }
            return .respond(result)
        }
    }

    /// Responds with a stored response that a 304 confirms.
    private nonisolated(nonsending) func confirm(
        _ entry: CacheEntry,
        by response: TransportResponse,
        during times: ExchangeTimes,
        in fetch: CacheFetch
    ) async -> NextStep {
        let confirmation = CacheRules.confirmation(of: entry, by: response, for: cacheRequest, during: times)
        guard let (selection, isAllowed) = confirmation else { return .sendAgain }
        let head = selection.entry.head
        let canRemainStored = isAllowed && fetch.canStore(head, for: cacheRequest)
        let isReplaced = await canRemainStored ? cache.replaceHead(of: entry, with: head) : false
        guard var confirmed = await openStored(selection, confirming: entry) else { return .sendAgain }
        if !canRemainStored { await cache.removeEntry(entry) }
        confirmed.takeCookies(of: response)
        return .respond(
            FetchResult(confirmed, isReplaced ? .stored : canRemainStored ? .notStored : .cannotBeStored)
        )
    }

    /// Responds with a stored part and its rest, and stores the whole response.
    private nonisolated(nonsending) func complete(
        _ part: CacheEntry,
        with rest: TransportResponse,
        during times: ExchangeTimes,
        in fetch: CacheFetch
    ) async -> NextStep {
        guard let body = fetch.partBody,
            let head = CacheRules.combined(part, with: rest, for: cacheRequest, during: times)
        else {
            // The next request for the rest would fail, too.
            await cache.removeEntry(part)
            return .sendAgain
        }
        var whole = TransportResponse(
            head,
            joining: body,
            of: part.bodySize,
            with: rest,
            from: request.url
        ) { [cache] in await cache.removeEntry(part) }
        whole.takeCookies(of: rest)
        guard CacheRules.canRemainStored(head), fetch.canStore(head, for: cacheRequest) else {
            await cache.removeEntry(part)
            return .respond(FetchResult(whole, .cannotBeStored))
        }
        return .respond(await storeBody(of: whole, as: head, in: fetch))
    }

    /// Freshens, removes or keeps the stored response after a response to HEAD, or after a 304 to conditions of the application.
    private nonisolated(nonsending) func updateStored(
        by response: TransportResponse,
        during times: ExchangeTimes,
        in fetch: CacheFetch
    ) async {
        let entries = await cache.entries(for: cacheRequest.key)
        guard let entry = CacheRules.selected(for: cacheRequest, from: entries).first else { return }
        switch CacheRules.update(of: entry, by: response, for: cacheRequest, during: times) {
        case .keep: break
        case .replaceHead(let head) where fetch.canStore(head, for: cacheRequest):
            _ = await cache.replaceHead(of: entry, with: head)
        case .replaceHead, .remove: await cache.removeEntry(entry)
        }
    }

    /// Returns the response to a GET, and stores it if its fields allow that.
    @inline(never)
    nonisolated(nonsending) func storeResponse(
        _ response: TransportResponse,
        during times: ExchangeTimes,
        in fetch: CacheFetch
    ) async -> FetchResult {
        let head = CacheRules.headToStore(
            response,
            for: cacheRequest,
            during: times,
            keepsForOfflineUse: cache.keepsForOfflineUse
        )
        guard let head, fetch.canStore(head, for: cacheRequest) else { return FetchResult(response, .cannotBeStored) }
        return await storeBody(of: response, as: head, in: fetch)
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
