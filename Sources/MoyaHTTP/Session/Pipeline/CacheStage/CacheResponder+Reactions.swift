import Foundation
import HTTPTypes

// The reactions to responses of the server, and the storing of responses.
extension CacheResponder {
    /// Stores the response of the server, or uses it to confirm, complete or freshen a stored one.
    ///
    /// - Returns: The result; `nil` if the request must be sent again without the cache's fields, because the response to a validation or
    ///   completion is about another representation, or the store has lost the body.
    @inline(never)
    nonisolated(nonsending) func react(
        to response: TransportResponse,
        in fetch: CacheFetch
    ) async -> FetchResult? {
        switch CacheRules.reaction(to: response.status, method: request.method, purpose: fetch.purpose) {
        case .confirm(let entry):
            return await confirm(entry, by: response, in: fetch)
        case .complete(let part):
            return await complete(part, with: response, in: fetch)
        case .updateStored:
            await updateStored(by: response, in: fetch)
            return FetchResult(response, .notStored)
        case .store:
            let result = await storeResponse(response, in: fetch)
            // A recorder removes the superseded entry itself: only it knows whether the new response is complete.
            if case .known = result.end, let superseded = fetch.supersededEntry(byStatus: response.status) {
                await cache.removeEntry(superseded)
            }
            return result
        }
    }

    /// Responds with a stored response that a 304 confirms.
    private nonisolated(nonsending) func confirm(
        _ entry: CacheEntry,
        by response: TransportResponse,
        in fetch: CacheFetch
    ) async -> FetchResult? {
        let times = fetch.times(of: response, until: cache.now())
        let confirmation = CacheRules.confirmation(of: entry, by: response, for: cacheRequest, during: times)
        guard let (selection, canRemainStored) = confirmation else { return nil }
        // The body is opened before the head is replaced: a longer head may make the store remove the least recently used entries.
        guard var confirmed = await openStored(selection, confirming: entry) else { return nil }
        var notModified = response
        await notModified.dropBody()
        let head = selection.entry.head
        let canStore = canRemainStored && fetch.canStore(head, for: cacheRequest)
        let isUpdated = await canStore ? cache.update(entry, to: head) : false
        if !canStore { await cache.removeEntry(entry) }
        confirmed.takeCookies(of: response)
        guard isUpdated else {
            return FetchResult(confirmed, canStore ? .notStored : .cannotBeStored)
        }
        return FetchResult(confirmed, fetch.outcome(ofStored: head, for: cacheRequest, now: cache.now()))
    }

    /// Responds with a stored part and its rest, and stores the whole response.
    private nonisolated(nonsending) func complete(
        _ part: CacheEntry,
        with rest: TransportResponse,
        in fetch: CacheFetch
    ) async -> FetchResult? {
        let times = fetch.times(of: rest, until: cache.now())
        guard let body = fetch.partBody,
            let head = CacheRules.combined(part, with: rest, for: cacheRequest, during: times)
        else {
            // The next request for the rest would fail, too.
            await cache.removeEntry(part)
            return nil
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
            return FetchResult(whole, .cannotBeStored)
        }
        return await storeBody(of: whole, as: head, in: fetch)
    }

    /// Freshens, removes or keeps the stored response after a response to HEAD, or after a 304 to conditions of the application.
    private nonisolated(nonsending) func updateStored(
        by response: TransportResponse,
        in fetch: CacheFetch
    ) async {
        let times = fetch.times(of: response, until: cache.now())
        let entries = await cache.entries(for: cacheRequest.key)
        guard let entry = CacheRules.selected(for: cacheRequest, from: entries).first else { return }
        switch CacheRules.update(of: entry, by: response, for: cacheRequest, during: times) {
        case .keep: break
        case .update(let head) where fetch.canStore(head, for: cacheRequest):
            _ = await cache.update(entry, to: head)
        case .update, .remove: await cache.removeEntry(entry)
        }
    }

    /// Returns the response to a GET, and stores it if its fields allow that.
    @inline(never)
    nonisolated(nonsending) func storeResponse(
        _ response: TransportResponse,
        in fetch: CacheFetch
    ) async -> FetchResult {
        let head = CacheRules.headToStore(
            response,
            for: cacheRequest,
            during: fetch.times(of: response, until: cache.now()),
            keepsForOfflineUse: cache.keepsForOfflineUse
        )
        guard let head, fetch.canStore(head, for: cacheRequest) else { return FetchResult(response, .cannotBeStored) }
        return await storeBody(of: response, as: head, in: fetch)
    }

    /// Stores the response to a GET: immediately if its body is in memory, and otherwise while the body is read.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - head: The head that is stored.
    ///   - fetch: The fetch of the response.
    /// - Returns: The response with its outcome, or with the recorder that writes a streamed body to the store while it is read.
    private nonisolated(nonsending) func storeBody(
        of response: TransportResponse,
        as head: CachedHead,
        in fetch: CacheFetch
    ) async -> FetchResult {
        guard !fetch.isOlderThanRemoval(of: cacheRequest.key) else {
            return FetchResult(response, .notStored)
        }
        // The entries may have changed since the request was sent.
        let entries = await cache.entries(for: cacheRequest.key)
        guard let replaced = CacheRules.entriesReplaced(by: head, for: cacheRequest, in: entries)?.map(\.id) else {
            return FetchResult(response, .notStored)
        }
        let writer: HTTPCache.EntryWriter?
        do {
            writer = try await cache.makeWriter(
                for: cacheRequest.key,
                head: head,
                length: response.knownLength,
                replacing: replaced
            )
        } catch {
            // The store may be able to write the next response, for example after a full disk has got room.
            return FetchResult(response, .notStored)
        }
        // The response is too large for the store.
        guard let writer else { return FetchResult(response, .cannotBeStored) }
        let recorder = BodyRecorder(
            cache: cache,
            record: context.record,
            deadline: context.deadline,
            request: cacheRequest,
            head: head,
            fetch: fetch,
            writer: writer,
            storedLength: head.storedLength(of: response)
        )
        var response = response
        switch response.body {
        case .complete(let data):
            await recorder.append(data)
            await recorder.finish()
        case .stream(let stream):
            response.body = .stream(recorder.recording(stream))
        }
        return FetchResult(response, recordedBy: recorder)
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

extension CachedHead {
    /// Returns the length that the body of a response must have; `nil` if it is unknown.
    fileprivate func storedLength(of response: TransportResponse) -> Int64? {
        if part != nil, let positions = headers[.contentRange].flatMap({ ContentRange($0) })?.positions {
            return Int64(positions.count)
        }
        return response.isDecoded && headers.isCoded ? nil : headers[.contentLength].flatMap { Int64($0) }
    }
}
