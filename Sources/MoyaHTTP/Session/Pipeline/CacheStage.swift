import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers requests from the cache, validates stored responses, and stores new ones (RFC 9111).
///
/// It is below authentication and cookies, whose fields it must know, and above the application's exchange middleware, which sees
/// what is sent to a server.
struct CacheStage: ExchangeStage {
    let cache: HTTPCache
    /// The policy of requests that have none of their own.
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
            await invalidate(request, response)
            return response
        }
        let known = cache.memory?.lookUp(request.url)
        if let known, !known.hasEntries, isPlain(request, policy) {
            return try await passOn(request, context, next)
        }
        let exchange = CachedExchange(
            cache: cache,
            request: request,
            cached: CacheRequest(
                method: request.method,
                key: known?.key ?? CacheKey(request.url),
                headers: request.headers,
                policy: policy
            ),
            context: context,
            next: next
        )
        return try await exchange.respond()
    }

    /// Removes what a successful request with another method makes invalid.
    // A function of its own: each value that is kept while a request runs takes room in the usual case, too.
    @inline(never)
    private nonisolated(nonsending) func invalidate(
        _ request: TransportRequest,
        _ response: TransportResponse
    ) async {
        let keys = CacheRules.invalidated(
            by: request.method,
            url: request.url,
            status: response.status,
            headers: response.headers
        )
        for key in keys { _ = await cache.attempt { try await cache.removeEntries(for: key) } }
    }

    /// Whether a request for which nothing is stored is simply sent.
    private func isPlain(_ request: TransportRequest, _ policy: URLRequest.CachePolicy) -> Bool {
        request.method == .get && policy == .useProtocolCachePolicy && !cache.collapsesRequests
            && !cache.keepsForOfflineUse && !CacheRequest.hasRelevantFields(request.headers)
    }

    /// Sends a request for which nothing is stored, and stores its response if that may be.
    // The usual case of an API, whose responses say nothing about caching. It must cost nothing.
    private nonisolated(nonsending) func passOn(
        _ request: TransportRequest,
        _ context: RequestContext,
        _ next: ExchangeHandler
    ) async throws -> TransportResponse {
        cache.count { $0.misses += 1 }
        let requestTime = cache.now()
        let position = cache.removals.position
        let response = try await next(request, context)
        guard response.status != 304, CacheRules.hasFieldsForCaches(response.headers) else { return response }
        let times = (request: requestTime, response: cache.now())
        return await keep(response, to: request, context, next, times, since: position)
    }

    @inline(never)
    private nonisolated(nonsending) func keep(
        _ response: TransportResponse,
        to request: TransportRequest,
        _ context: RequestContext,
        _ next: ExchangeHandler,
        _ times: (request: Double, response: Double),
        since position: CacheRemovals.Position
    ) async -> TransportResponse {
        let exchange = CachedExchange(
            cache: cache,
            request: request,
            cached: CacheRequest(method: request.method, key: CacheKey(request.url), headers: request.headers),
            context: context,
            next: next
        )
        return await exchange.keeping(response, times, replacing: [], nil, since: position)
    }

    fileprivate static func offlineError(_ request: TransportRequest) -> URLError {
        .make(
            .resourceUnavailable,
            url: request.url,
            reason: "Only the cache may be used for this request, and it has no response to it."
        )
    }
}

/// One GET or HEAD, and what the cache does with it.
// A class, since its values are large, and each asynchronous call of a structure copies them.
private final class CachedExchange: Sendable {
    private let cache: HTTPCache
    private let request: TransportRequest
    private let cached: CacheRequest
    private let context: RequestContext
    private let next: ExchangeHandler

    init(
        cache: HTTPCache,
        request: TransportRequest,
        cached: CacheRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) {
        self.cache = cache
        self.request = request
        self.cached = cached
        self.context = context
        self.next = next
    }

    @inline(never)
    nonisolated(nonsending) func respond() async throws -> TransportResponse {
        var hasWaited = false
        // For how long the request has waited for others whose server sent nothing.
        var idleBefore = Duration.zero
        // Entries that the store has lost.
        var lost: [CacheEntry.ID] = []
        while true {
            var entries = await cache.attempt { try await cache.store.entries(for: cached.key) } ?? []
            if !lost.isEmpty { entries.removeAll { lost.contains($0.id) } }
            let decision = CacheRules.decide(cached, entries: entries, now: cache.now())
            switch decision {
            case .use(let use), .useAndRevalidate(let use):
                guard let response = await stored(use, from: use.isStale ? .stale : .cache) else {
                    lost.append(use.entry.id)
                    continue
                }
                if case .useAndRevalidate = decision { revalidateInBackground(use.entry) }
                return response
            case .notStored:
                guard cached.isOnlyStored else { return TransportResponse(status: 504) }
                throw CacheStage.offlineError(request)
            case .fetch, .revalidate, .complete:
                guard !hasWaited, isCollapsible else { return try await fetch(decision, entries, nil, idleBefore) }
                switch cache.fetches.join(CacheFetches.ID(cached)) {
                case .leads(let lead):
                    return try await fetch(decision, entries, lead, idleBefore)
                case .isAlone:
                    return try await fetch(decision, entries, nil, idleBefore)
                case .waits(let wait):
                    hasWaited = try await self.wait(wait, &idleBefore) != .cancelled
                }
            }
        }
    }

    /// Waits for an equal request, and returns how that has ended.
    ///
    /// - Throws: `URLError`: the time that the request itself would have had for a response is over, or it was cancelled.
    @inline(never)
    private nonisolated(nonsending) func wait(
        _ wait: CacheFetches.Wait,
        _ idleBefore: inout Duration
    ) async throws -> CacheFetches.Outcome {
        cache.count { $0.collapsed += 1 }
        do {
            let outcome = try await wait.outcome(
                idle: min(request.idleTimeout, .longestTimeout),
                total: min(request.totalTimeout, .longestTimeout) - (.now - context.exchanges.started),
                idleBefore: idleBefore
            )
            guard !context.isCancelled else { throw URLError.cancelled(url: request.url) }
            idleBefore = wait.idleTime(after: idleBefore)
            // In the rest of the time a server that was silent until now would hardly respond.
            if outcome != .stored, idleBefore > request.idleTimeout * 0.9 {
                throw CacheFetches.Expired(verdict: .idleTooLong)
            }
            return outcome
        } catch let expired as CacheFetches.Expired {
            throw URLError.timedOut(expired.verdict, url: request.url)
        }
    }

    /// Whether the request may wait for an equal one, or others for it.
    ///
    /// Others wait for the whole body, so that it must not depend on how fast a caller reads it.
    private var isCollapsible: Bool {
        guard cache.collapsesRequests, request.method == .get, !cached.isReload, !cached.control.noStore,
            !cached.wantsValidation, !cached.hasConditions, !cached.hasServerConditions,
            cached.range == nil, case .collect = context.bodyHandling
        else { return false }
        return cached.policy != .reloadRevalidatingCacheData
    }

    // MARK: Stored responses

    /// Creates a response of a stored one; `nil` if the store has it no more.
    private nonisolated(nonsending) func stored(
        _ use: StoredUse,
        from source: ResponseSource
    ) async -> TransportResponse? {
        let entry = use.entry
        var response = TransportResponse(status: entry.response.status, headers: entry.response.headers)
        response.headers[.age] = String(Int64(min(max(0, use.age), DeltaSeconds.maximum)))
        switch use.form {
        case .notModified:
            response.status = 304
            response.headers = HTTPFields(response.headers.filter { !Self.fieldsOfContent.contains($0.name) })
        case .whole where request.method == .head:
            break
        case .whole:
            guard let body = await body(of: entry, nil) else { return nil }
            response.body = body
        case .part(let positions):
            let start = entry.response.part?.start ?? 0
            let range = positions.lowerBound - start..<positions.upperBound - start
            guard let body = await body(of: entry, range) else { return nil }
            let length = entry.response.part.map { $0.completeLength } ?? entry.bodySize
            response.status = 206
            response.headers[.contentRange] =
                "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(length.map { "\($0)" } ?? "*")"
            response.headers[.contentLength] = "\(positions.count)"
            response.body = body
        }
        response.isDecoded = entry.response.isDecoded
        response.source = source
        response.setsCookies = false
        cache.count { statistics in
            switch source {
            case .revalidated: statistics.revalidations += 1
            case .stale:
                statistics.hits += 1
                statistics.staleHits += 1
            case .cache, .network: statistics.hits += 1
            }
        }
        context.events?.report(.cached(source))
        return response
    }

    private static let fieldsOfContent: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentType, .contentRange,
    ]

    private nonisolated(nonsending) func body(of entry: CacheEntry, _ range: Range<Int64>?) async -> TransportBody? {
        await cache.attempt { try await cache.store.body(of: entry, range: range) }
    }

    /// Validates a stored response for later requests (RFC 5861, section 3).
    private func revalidateInBackground(_ entry: CacheEntry) {
        guard let lead = cache.fetches.begin(CacheFetches.ID(cached)) else { return }
        let fields = CacheRules.conditions(for: entry.response)
        let decision = fields.map { CacheDecision.revalidate(entry, adding: $0) } ?? .fetch(fallback: nil)
        // The request ends before, and monitors get no events after its end.
        let exchange = CachedExchange(
            cache: cache,
            request: request,
            cached: cached,
            context: context.inBackground(),
            next: next
        )
        Task {
            guard let response = try? await exchange.fetch(decision, [entry], lead) else { return }
            // Cookies are handled above, for the response that the caller gets.
            if request.urlRequest?.httpShouldHandleCookies ?? true {
                context.session.policies.cookies.store(response, from: request.url, context: context.exchanges.cookies)
            }
            if case .stream(let body) = response.body { for try await _ in body {} }
        }
    }

    // MARK: Requests

    /// Sends a request, and stores its response.
    ///
    /// - Parameters:
    ///   - decision: What the rules say.
    ///   - entries: The entries for the request's key.
    ///   - lead: Reports the end to the requests that wait for this one; `nil` if none does.
    ///   - idleBefore: The time that the request has waited for others whose server sent nothing.
    /// - Returns: The response, which may be a stored one.
    /// - Throws: What the stages below throw.
    private nonisolated(nonsending) func fetch(
        _ decision: CacheDecision,
        _ entries: [CacheEntry],
        _ lead: CacheFetches.Lead?,
        _ idleBefore: Duration = .zero
    ) async throws -> TransportResponse {
        var sent = request
        sent.idleBefore = idleBefore
        if let lead { lead.observe(&sent) }
        var validated: CacheEntry?
        var beginning: (entry: CacheEntry, body: TransportBody)?
        var fallback: CacheEntry?
        switch decision {
        case .revalidate(let entry, let fields):
            (validated, fallback) = (entry, entry)
            for field in fields { sent.headers[fields: field.name] = [field] }
        case .complete(let entry, let fields):
            if let body = await body(of: entry, nil) {
                beginning = (entry, body)
                for field in fields { sent.headers[fields: field.name] = [field] }
            }
        case .fetch(let entry): fallback = entry
        case .use, .useAndRevalidate, .notStored: break
        }
        sent.headers.ask(for: cached.policy)
        cache.count { if validated == nil { $0.misses += 1 } }
        let requestTime = cache.now()
        let position = cache.removals.position
        let response: TransportResponse
        do {
            response = try await next(sent, context)
        } catch {
            let isCancelled = context.isCancelled || error.isCancellation
            lead?.ended(isCancelled ? .cancelled : .failed)
            if !isCancelled, let stale = await stale(insteadOfError: fallback) { return stale }
            throw error
        }
        lead?.received()
        let times = (request: requestTime, response: cache.now())
        if [500, 502, 503, 504].contains(response.status), let stale = await stale(insteadOfError: fallback) {
            lead?.ended(.failed)
            return stale
        }
        if response.status == 304, let validated {
            if let confirmed = await confirmed(validated, by: response, times) {
                lead?.ended(.stored)
                return confirmed
            }
            // It is about another representation, or what is stored is lost.
            return try await fetch(.fetch(fallback: nil), entries, lead)
        }
        if let beginning, [206, 304, 416].contains(response.status) {
            let head = CacheRules.combined(
                beginning.entry,
                with: response,
                to: cached,
                requestTime: times.request,
                responseTime: times.response
            )
            guard let head else { return try await fetch(.fetch(fallback: nil), entries, lead) }
            let whole = joined(beginning.body, of: beginning.entry, with: response, as: head)
            guard CacheRules.mayStay(head) else {
                lead?.ended(.notStored)
                return whole
            }
            return await storing(whole, as: head, replacing: entries, lead, since: position)
        }
        if request.method == .head || response.status == 304 {
            await update(CacheRules.matching(cached, entries).first, by: response, times)
            lead?.ended(.failed)
            return response
        }
        return await keeping(response, times, replacing: entries, lead, since: position)
    }

    /// Returns the response to a GET, and stores it if that may be.
    @inline(never)
    nonisolated(nonsending) func keeping(
        _ response: TransportResponse,
        _ times: (request: Double, response: Double),
        replacing entries: [CacheEntry],
        _ lead: CacheFetches.Lead?,
        since position: CacheRemovals.Position
    ) async -> TransportResponse {
        let head = CacheRules.stored(
            response,
            to: cached,
            requestTime: times.request,
            responseTime: times.response,
            keepsAll: cache.keepsForOfflineUse
        )
        guard let head else {
            lead?.ended(.notStored)
            return response
        }
        if lead == nil, isCollapsible { cache.fetches.mayBeShared(CacheFetches.ID(cached)) }
        return await storing(response, as: head, replacing: entries, lead, since: position)
    }

    private nonisolated(nonsending) func stale(insteadOfError entry: CacheEntry?) async -> TransportResponse? {
        guard let entry,
            let use = CacheRules.mayUse(
                entry,
                insteadOfErrorFor: cached,
                staleIfError: cache.staleIfError.inSeconds,
                now: cache.now()
            )
        else { return nil }
        return await stored(use, from: use.isStale ? .stale : .cache)
    }

    /// Returns a stored response that a 304 has confirmed.
    private nonisolated(nonsending) func confirmed(
        _ entry: CacheEntry,
        by response: TransportResponse,
        _ times: (request: Double, response: Double)
    ) async -> TransportResponse? {
        let head = CacheRules.updated(
            entry.response,
            with: response.headers,
            to: cached,
            requestTime: times.request,
            responseTime: times.response
        )
        guard let head else { return nil }
        let mayStay = CacheRules.mayStay(head)
        if mayStay { await update(entry, to: head) }
        let freshness = Freshness(of: head, control: CacheControl(head.headers), at: times.response)
        var updated = entry
        updated.response = head
        let use = StoredUse(entry: updated, form: .whole, age: freshness.age, isStale: !freshness.isFresh)
        guard var confirmed = await stored(use, from: .revalidated) else { return nil }
        // Its body is read for this request only.
        if !mayStay { await update(entry, to: head) }
        // The cookies of the 304 are in the head.
        confirmed.setsCookies = response.headers.contains(.setCookie)
        return confirmed
    }

    /// Updates what is stored by the response to HEAD, or by a 304 to conditions of the application.
    private nonisolated(nonsending) func update(
        _ entry: CacheEntry?,
        by response: TransportResponse,
        _ times: (request: Double, response: Double)
    ) async {
        guard let entry, !cached.control.noStore else { return }
        if response.status == 304 {
            guard response.headers.contains(.eTag) || response.headers.contains(.lastModified),
                let head = CacheRules.updated(
                    entry.response,
                    with: response.headers,
                    to: cached,
                    requestTime: times.request,
                    responseTime: times.response
                )
            else { return }
            return await update(entry, to: head)
        }
        let effect = CacheRules.effect(
            ofHead: response.headers,
            status: response.status,
            on: entry,
            to: cached,
            requestTime: times.request,
            responseTime: times.response
        )
        switch effect {
        case .none: break
        case .update(let head): await update(entry, to: head)
        case .remove: await remove(entry)
        }
    }

    /// Replaces the head of an entry, or removes the entry if it may not be stored with it.
    private nonisolated(nonsending) func update(_ entry: CacheEntry, to head: CachedResponse) async {
        guard CacheRules.mayStay(head) else { return await remove(entry) }
        _ = await cache.attempt { try await cache.store.update(entry, to: head) }
    }

    private nonisolated(nonsending) func remove(_ entry: CacheEntry) async {
        _ = await cache.attempt { try await cache.store.remove(entry) }
    }

    // MARK: Storing

    /// Returns the response, whose body is stored as it is read.
    private nonisolated(nonsending) func storing(
        _ response: TransportResponse,
        as head: CachedResponse,
        replacing entries: [CacheEntry],
        _ lead: CacheFetches.Lead?,
        since position: CacheRemovals.Position
    ) async -> TransportResponse {
        guard cache.removals.mayStore(cached.key, since: position) else {
            lead?.ended(.failed)
            return response
        }
        let replaced = CacheRules.replaced(by: head, to: cached, in: entries).map(\.id)
        let length = response.knownLength
        let writer = await cache.attempt {
            try await cache.store.write(head, for: cached.key, length: length, replacing: replaced)
        }
        guard let writer else {
            lead?.ended(.notStored)
            return response
        }
        let storing = StoringBody(
            cache: cache,
            key: cached.key,
            position: position,
            writer: writer,
            length: head.storedLength(of: response),
            lead: lead
        )
        switch response.body {
        case .complete(let data):
            await storing.append(data)
            await storing.finish()
            return response
        case .stream(let stream):
            var response = response
            let iterator = Locked(stream.makeAsyncIterator())
            response.body = .stream(
                stream.replacingChunks {
                    var reader = iterator.withLock { $0 }
                    do {
                        guard let chunk = try await reader.next() else {
                            await storing.finish()
                            return nil
                        }
                        await storing.append(chunk)
                        return chunk
                    } catch {
                        await storing.discard(error)
                        throw error
                    }
                }
            )
            return response
        }
    }

    /// Returns a response with a stored part before its body.
    ///
    /// Where the rest is not as long as its `Content-Range` says, reading the body fails, and the part is removed: with it, the next
    /// request would fail, too.
    private func joined(
        _ beginning: TransportBody,
        of entry: CacheEntry,
        with rest: TransportResponse,
        as head: CachedResponse
    ) -> TransportResponse {
        let first = Locked<TransportBodyStream.Iterator?>(TransportBodyStream(beginning).makeAsyncIterator())
        let source = TransportBodyStream(of: rest)
        let second = Locked(source.makeAsyncIterator())
        let missing = Locked(head.headers[.contentLength].flatMap { Int64($0) }.map { $0 - entry.bodySize } ?? 0)
        var whole = TransportResponse(status: head.status, headers: head.headers)
        whole.body = .stream(
            source.replacingChunks { [self] in
                if var reader = first.withLock({ $0 }) {
                    if let chunk = try await reader.next() { return chunk }
                    first.withLock { $0 = nil }
                }
                var reader = second.withLock { $0 }
                let chunk = try await reader.next()
                let left = missing.withLock { missing in
                    missing -= Int64(chunk?.count ?? 0)
                    return missing
                }
                guard chunk == nil ? left == 0 : left >= 0 else {
                    await remove(entry)
                    throw URLError.make(
                        .badServerResponse,
                        url: request.url,
                        reason: "The rest of a stored part is not as long as its Content-Range says."
                    )
                }
                return chunk
            }
        )
        whole.isDecoded = rest.isDecoded
        return whole
    }
}

extension CacheFetches.Lead {
    /// Reports when a request is sent.
    fileprivate func observe(_ request: inout TransportRequest) {
        let onConnect = request.onConnect
        request.onConnect = { [weak self] in
            onConnect?()
            self?.sent()
        }
    }
}

extension HTTPFields {
    /// Asks the caches on the way for what a policy wants.
    fileprivate mutating func ask(for policy: URLRequest.CachePolicy) {
        guard !contains(.cacheControl) else { return }
        switch policy {
        case .reloadIgnoringLocalAndRemoteCacheData:
            self[.cacheControl] = "no-cache"
            if !contains(.pragma) { self[.pragma] = "no-cache" }
        case .reloadRevalidatingCacheData: self[.cacheControl] = "max-age=0"
        default: break
        }
    }
}
