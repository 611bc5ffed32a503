import Foundation
import HTTPTypes

// Requests to the server.
extension CachedExchange {
    /// Sends the request, stores its response, and reports the outcome to the requests that wait for it.
    ///
    /// If the server's response to the fields of the cache cannot be used, the request is sent once more without them.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the request.
    ///   - reporter: Reports the outcome; `nil` if no request can wait.
    /// - Returns: The response, which may be a stored one.
    /// - Throws: The error of the stages below.
    nonisolated(nonsending) func send(
        for purpose: CacheDecision.Purpose<CacheEntry>,
        reporter: CollapsedRequests.FetchReporter?
    ) async throws -> FetchedResponse {
        let opened: CacheFetch.Purpose
        switch purpose {
        case .load(let fallback): opened = .load(fallback: fallback)
        case .validation(let entry, let fields): opened = .validation(entry, adding: fields)
        case .completion(let entry, let fields):
            let body = await cache.openBody(of: entry, range: nil)
            // Without a body, the store has lost the part.
            let part = body.map { CacheFetch.Part(entry: entry, body: $0) }
            opened = part.map { .completion($0, adding: fields) } ?? .load(fallback: nil)
        }
        var fetch = CacheFetch.begin(in: cache, for: opened, reporter: reporter)
        do {
            while true {
                if let fetched = try await sendOnce(fetch) {
                    if case .ended(let outcome) = fetched.storing { reporter?.report(outcome) }
                    return fetched
                }
                // A load always gets a response, so the loop ends.
                fetch = .begin(in: cache, reporter: reporter)
            }
        } catch {
            reporter?.report(isCancelled(error) ? .cancelled : .notStored)
            throw error
        }
    }

    private func isCancelled(_ error: any Error) -> Bool { context.isCancelled || error.isCancellation }

    /// Sends the request for a fetch, and returns the response of the cache, or the fallback if the request fails.
    ///
    /// - Returns: The response; `nil` if the request must be sent again, as ``react(to:in:)`` describes.
    private nonisolated(nonsending) func sendOnce(_ fetch: CacheFetch) async throws -> FetchedResponse? {
        let purpose = fetch.purpose
        var sent = request
        fetch.reporter?.addSendObserver(to: &sent)
        for field in purpose.fields { sent.headers[fields: field.name] = [field] }
        sent.headers.addCacheControl(for: cacheRequest.policy)
        var response: TransportResponse
        do {
            response = try await next(sent, context)
        } catch {
            guard !isCancelled(error), CacheRules.allowsFallback(after: error),
                let stored = await fallbackResponse(from: purpose.fallback)
            else { throw error }
            return FetchedResponse(response: stored, storing: .ended(.notStored))
        }
        // The wait counts as idle time until the server responds.
        request.idleBefore = .zero
        if CacheRules.allowsFallback(response.status), let stored = await fallbackResponse(from: purpose.fallback) {
            await response.dropBody()
            return FetchedResponse(response: stored, storing: .ended(.notStored))
        }
        let fetched = await react(to: response, in: fetch)
        // The next request may need the connection of a body that is not read.
        if fetched == nil { await response.dropBody() }
        return fetched
    }

    /// Sends the request for later requests, while its caller uses a stale response (RFC 5861, section 3).
    ///
    /// It does nothing if an equal request is being sent for which others wait, or in the background.
    func refreshInBackground(for purpose: CacheDecision.Purpose<CacheEntry>) {
        guard let reporter = cache.collapsedRequests.joinAsLeader(CollapsedRequests.ID(cacheRequest)) else { return }
        var request = request
        request.idleBefore = .zero
        let exchange = CachedExchange(
            cache: cache,
            request: request,
            cacheRequest: cacheRequest,
            context: context.inBackground(),
            next: next,
            isInBackground: true
        )
        let running = context.session.running
        running.beginWork()
        Task {
            defer { running.ended() }
            try? await exchange.refresh(for: purpose, reporter: reporter)
        }
    }

    /// Sends the request, and reads the body of a new response that is being stored.
    private nonisolated(nonsending) func refresh(
        for purpose: CacheDecision.Purpose<CacheEntry>,
        reporter: CollapsedRequests.FetchReporter
    ) async throws {
        let fetched = try await send(for: purpose, reporter: reporter)
        var response = fetched.response
        // The `CookieStage` gets only the response of the caller.
        context.session.settings.cookies.store(response, to: request, context: context.attemptScope.cookies)
        // The body is stored while it is read. Another body may be long, or have no end.
        guard fetched.storing == .recording, case .stream(let body) = response.body else {
            return await response.dropBody()
        }
        for try await _ in body {}
    }
}

extension CollapsedRequests.FetchReporter {
    /// Adds an observer to a request that is about to be sent: it records the time at which the request gets a connection.
    fileprivate func addSendObserver(to request: inout TransportRequest) {
        let onConnect = request.onConnect
        request.onConnect = { [weak self] in
            onConnect?()
            self?.recordSend()
        }
    }
}

extension HTTPFields {
    /// Asks the caches between here and the server for the response that a policy wants.
    fileprivate mutating func addCacheControl(for policy: URLRequest.CachePolicy) {
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
