import Foundation
import HTTPTypes

/// Returns a stored response to one GET or HEAD, or sends the request and stores the response.
// A class, because its values are large, and each asynchronous call of a structure copies them.
final class CachedExchange: Sendable {
    private let cache: HTTPCache
    private let request: TransportRequest
    private let cacheRequest: CacheRequest
    private let context: RequestContext
    private let next: ExchangeHandler

    init(
        cache: HTTPCache,
        request: TransportRequest,
        cacheRequest: CacheRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) {
        self.cache = cache
        self.request = request
        self.cacheRequest = cacheRequest
        self.context = context
        self.next = next
    }

    /// Returns the response, as the rules decide.
    ///
    /// - Throws: The error of the stages below, or of a request that requires a stored response.
    // Not taken by most requests with the default cache (`init(replacing:)`): see PipelineStage.swift.
    @inline(never)
    nonisolated(nonsending) func response() async throws -> TransportResponse {
        // A request waits for an equal one only once, unless that was cancelled. Then it uses the stored response, or is sent alone.
        var canJoin = canCollapse
        // The time during which the request has waited for an equal one and the server sent nothing.
        var idleBefore = Duration.zero
        // The entries whose bodies the store could not return.
        var lost: [CacheEntry.ID] = []
        while true {
            let entries = await cache.countingStoreErrors { try await cache.store.entries(for: cacheRequest.key) } ?? []
            let usable = lost.isEmpty ? entries : entries.filter { !lost.contains($0.id) }
            let decision = CacheRules.decide(cacheRequest, entries: usable, now: cache.now())
            switch decision {
            case .use(let use), .useAndValidate(let use):
                guard let response = await openStored(use, source: use.isStale ? .stale : .cache) else {
                    lost.append(use.entry.id)
                    continue
                }
                if case .useAndValidate = decision { validateInBackground(use.entry) }
                return response
            case .unavailable:
                guard cacheRequest.isLimitedToCache else { return TransportResponse(status: 504) }
                throw CacheStage.offlineError(request)
            case .send(let purpose):
                var leader: CollapsedRequests.Leader?
                if canJoin {
                    switch cache.collapsedRequests.join(CollapsedRequests.ID(cacheRequest)) {
                    case .leader(let new): leader = new
                    case .follower(let follower):
                        canJoin = try await wait(as: follower, idleBefore: &idleBefore) == .cancelled
                        continue
                    }
                }
                return try await fetch(for: purpose, entries: entries, leader: leader, idleBefore: idleBefore)
            }
        }
    }

    /// Waits for an equal request, and returns its outcome.
    ///
    /// - Throws: `URLError.timedOut` if the time of the waiting request is over, or `URLError.cancelled`.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func wait(
        as follower: CollapsedRequests.Follower,
        idleBefore: inout Duration
    ) async throws -> CollapsedRequests.Outcome {
        cache.count { $0.collapsed += 1 }
        let outcome: CollapsedRequests.Outcome
        do {
            outcome = try await follower.waitForOutcome(
                idle: min(request.idleTimeout, .longestTimeout),
                total: context.attempt.timeLeft(of: min(request.totalTimeout, .longestTimeout)),
                idleBefore: idleBefore
            )
        } catch {
            throw URLError.timedOut(error.verdict, url: request.url)
        }
        guard !context.isCancelled else { throw URLError.cancelled(url: request.url) }
        idleBefore = follower.idleTime(after: idleBefore)
        if outcome != .stored, idleBefore > request.idleTimeout * Self.longestIdleShare {
            throw URLError.timedOut(.idleTooLong, url: request.url)
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
    private var canCollapse: Bool {
        guard cache.collapsesRequests, cacheRequest.isCollapsible, case .collect = context.settings.bodyHandling else {
            return false
        }
        return true
    }

    // MARK: Stored responses

    /// Creates a response from a stored one, and reports its use; `nil` if the store cannot return its body.
    private nonisolated(nonsending) func openStored(
        _ use: StoredUse,
        source: ResponseSource
    ) async -> TransportResponse? {
        var response = use.makeResponse(from: source)
        if let range = use.bodyRange(for: request.method) {
            guard let body = await body(of: use.entry, range: range.positions) else { return nil }
            response.body = body
        }
        cache.count { $0.recordUse(from: source) }
        context.events?.report(.cached(source))
        return response
    }

    private nonisolated(nonsending) func body(of entry: CacheEntry, range: Range<Int64>?) async -> TransportBody? {
        await cache.countingStoreErrors { try await cache.store.body(of: entry, range: range) } ?? nil
    }

    /// Validates a stored response for later requests (RFC 5861, section 3).
    private func validateInBackground(_ entry: CacheEntry) {
        guard let leader = cache.collapsedRequests.lead(CollapsedRequests.ID(cacheRequest)) else { return }
        let fields = CacheRules.conditions(for: entry.response)
        let purpose = fields.map { CacheDecision.Purpose.validation(entry, adding: $0) } ?? .miss(fallback: nil)
        // The validation outlives the request, and monitors get no events after the end of a request.
        let exchange = CachedExchange(
            cache: cache,
            request: request,
            cacheRequest: cacheRequest,
            context: context.withoutEvents(),
            next: next
        )
        Task {
            guard let response = try? await exchange.fetch(for: purpose, entries: [entry], leader: leader) else {
                return
            }
            // The `CookieStage` gets only the response of the caller.
            if request.urlRequest?.httpShouldHandleCookies ?? true {
                context.session.policies.cookies.store(response, from: request.url, context: context.attempt.cookies)
            }
            if case .stream(let body) = response.body { for try await _ in body {} }
        }
    }

    // MARK: Requests to the server

    /// Sends a request, stores its response, and reports the outcome to the requests that wait for it.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the request.
    ///   - entries: The entries for the request's key.
    ///   - leader: Reports the outcome; `nil` if no request can wait.
    ///   - idleBefore: The time during which the request has waited for an equal one and the server sent nothing.
    /// - Returns: The response, which may be a stored one.
    /// - Throws: The error of the stages below.
    private nonisolated(nonsending) func fetch(
        for purpose: CacheDecision.Purpose,
        entries: [CacheEntry],
        leader: CollapsedRequests.Leader?,
        idleBefore: Duration = .zero
    ) async throws -> TransportResponse {
        var purpose = purpose
        var part: TransportBody?
        if case .completion(let entry, _) = purpose {
            part = await body(of: entry, range: nil)
            // The store has lost the part.
            if part == nil { purpose = .miss(fallback: nil) }
        }
        let fetch = CacheFetch(from: cache, for: purpose, completing: part, entries: entries, leader: leader)
        do {
            let result = try await send(fetch, idleBefore: idleBefore)
            if case .now(let outcome) = result.report { leader?.finish(outcome) }
            return result.response
        } catch {
            leader?.finish(isCancelled(error) ? .cancelled : .notStored)
            throw error
        }
    }

    private func isCancelled(_ error: any Error) -> Bool { context.isCancelled || error.isCancellation }

    /// Sends the request, and returns the cache's reaction to the response, or the fallback if the request fails.
    private nonisolated(nonsending) func send(
        _ fetch: CacheFetch,
        idleBefore: Duration
    ) async throws -> CacheFetch.Result {
        let purpose = fetch.purpose
        var sent = request
        sent.idleBefore = idleBefore
        fetch.leader?.addSendObserver(to: &sent)
        for field in purpose.fields { sent.headers[fields: field.name] = [field] }
        sent.headers.addCacheControl(for: cacheRequest.policy)
        if !purpose.isValidation { cache.count { $0.misses += 1 } }
        let response: TransportResponse
        do {
            response = try await next(sent, context)
        } catch {
            guard !isCancelled(error), let stored = await fallbackResponse(from: purpose.fallback) else {
                throw error
            }
            return CacheFetch.Result(response: stored, report: .now(.notStored))
        }
        fetch.leader?.recordResponse()
        var fetch = fetch
        fetch.times.response = cache.now()
        if CacheRules.isFailure(response.status), let stored = await fallbackResponse(from: purpose.fallback) {
            return CacheFetch.Result(response: stored, report: .now(.notStored))
        }
        return try await react(to: response, in: fetch)
    }

    /// Returns a stored response in place of a failed one; `nil` if it must not be used.
    private nonisolated(nonsending) func fallbackResponse(from entry: CacheEntry?) async -> TransportResponse? {
        guard let entry,
            let use = CacheRules.fallbackUse(
                of: entry,
                for: cacheRequest,
                staleIfError: cache.staleIfError.inSeconds,
                now: cache.now()
            )
        else { return nil }
        return await openStored(use, source: use.isStale ? .stale : .cache)
    }

    // MARK: Responses of the server

    /// Stores the response of the server, or uses it to confirm, complete or freshen a stored one.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - fetch: The fetch of the response.
    /// - Returns: The response of the cache.
    /// - Throws: The error of another request, which is sent if the response does not belong to the stored one.
    private nonisolated(nonsending) func react(
        to response: TransportResponse,
        in fetch: CacheFetch
    ) async throws -> CacheFetch.Result {
        if fetch.purpose.isValidation, response.status != 304 { cache.count { $0.misses += 1 } }
        switch CacheRules.reaction(to: response.status, method: request.method, purpose: fetch.purpose) {
        case .confirm(let entry):
            if let confirmed = await confirm(entry, by: response, in: fetch) {
                return CacheFetch.Result(response: confirmed, report: .now(.stored))
            }
        case .complete(let entry):
            if let whole = await complete(entry, with: response, in: fetch) { return whole }
        case .freshen:
            await freshen(by: response, in: fetch)
            return CacheFetch.Result(response: response, report: .now(.notStored))
        case .store:
            return await storeIfAllowed(response, in: fetch)
        }
        // The response belongs to another representation, or the store cannot return the body.
        return try await send(
            CacheFetch(from: cache, entries: fetch.entries, leader: fetch.leader),
            idleBefore: .zero
        )
    }

    /// Returns a stored response that a 304 confirms; `nil` if the 304 is about another one, or the body is lost.
    private nonisolated(nonsending) func confirm(
        _ entry: CacheEntry,
        by response: TransportResponse,
        in fetch: CacheFetch
    ) async -> TransportResponse? {
        let head = CacheRules.freshened(entry.response, with: response.headers, to: cacheRequest, at: fetch.times)
        guard let head else { return nil }
        let canRemainStored = CacheRules.canRemainStored(head)
        if canRemainStored { await replaceHead(of: entry, with: head) }
        let freshness = Freshness(of: head, control: CacheControl(head.headers), at: fetch.times.response)
        var freshened = entry
        freshened.response = head
        let use = StoredUse(entry: freshened, form: .whole, age: freshness.age, isStale: !freshness.isFresh)
        guard var confirmed = await openStored(use, source: .revalidated) else { return nil }
        // The removal does not affect the body, which has been opened.
        if !canRemainStored { await remove(entry) }
        // The head has the cookies of the 304 or, if that has none, of an earlier response.
        confirmed.setsCookies = response.headers.contains(.setCookie)
        return confirmed
    }

    /// Joins a stored part and its rest, and stores the whole response; returns `nil` if they do not belong together.
    private nonisolated(nonsending) func complete(
        _ entry: CacheEntry,
        with rest: TransportResponse,
        in fetch: CacheFetch
    ) async -> CacheFetch.Result? {
        guard let part = fetch.part,
            let head = CacheRules.combined(entry, with: rest, to: cacheRequest, at: fetch.times)
        else { return nil }
        let whole = TransportResponse(
            head,
            joining: part,
            of: entry.bodySize,
            with: rest,
            from: request.url
        ) { [self] in await remove(entry) }
        guard CacheRules.canRemainStored(head) else {
            return CacheFetch.Result(response: whole, report: .now(.notStorable))
        }
        return await cache.storeBody(of: whole, as: head, to: cacheRequest, in: fetch)
    }

    /// Freshens or removes the stored response after a response to HEAD, or after a 304 to conditions of the application.
    private nonisolated(nonsending) func freshen(by response: TransportResponse, in fetch: CacheFetch) async {
        guard let entry = CacheRules.selected(by: cacheRequest, from: fetch.entries).first else { return }
        switch CacheRules.effect(of: response, on: entry, to: cacheRequest, at: fetch.times) {
        case .none: break
        case .freshen(let head): await replaceHead(of: entry, with: head)
        case .remove: await remove(entry)
        }
    }

    /// Returns the response to a GET, and stores it if its fields allow that.
    // Not taken by most requests with the default cache (`init(replacing:)`): see PipelineStage.swift.
    @inline(never)
    nonisolated(nonsending) func storeIfAllowed(
        _ response: TransportResponse,
        in fetch: CacheFetch
    ) async -> CacheFetch.Result {
        let head = CacheRules.headToStore(
            response,
            to: cacheRequest,
            at: fetch.times,
            keepsForOfflineUse: cache.keepsForOfflineUse
        )
        guard let head else { return CacheFetch.Result(response: response, report: .now(.notStorable)) }
        return await cache.storeBody(of: response, as: head, to: cacheRequest, in: fetch)
    }

    /// Replaces the head of an entry, or removes the entry if the new head may not be stored.
    private nonisolated(nonsending) func replaceHead(of entry: CacheEntry, with head: CachedResponse) async {
        guard CacheRules.canRemainStored(head) else { return await remove(entry) }
        _ = await cache.countingStoreErrors { try await cache.store.update(entry, to: head) }
    }

    private nonisolated(nonsending) func remove(_ entry: CacheEntry) async {
        _ = await cache.countingStoreErrors { try await cache.store.remove(entry) }
    }
}

extension CollapsedRequests.Leader {
    /// Adds an observer to a request that is about to be sent: it records the time at which the request gets a connection.
    fileprivate func addSendObserver(to request: inout TransportRequest) {
        let onConnect = request.onConnect
        request.onConnect = { [weak self] in
            onConnect?()
            self?.recordSend()
        }
    }
}
