import Foundation
import HTTPTypes

// Requests to the server.
extension CacheResponder {
    /// Sends the request, stores its response, and reports the outcome to the requests that wait for it.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the request.
    ///   - reporter: Reports the outcome; `nil` if no request can wait.
    /// - Returns: The response, which may be a stored one.
    /// - Throws: The error of the stages below.
    nonisolated(nonsending) func fetch(
        for purpose: CacheDecision.Purpose,
        reporter: CollapsedRequests.FetchReporter?
    ) async throws -> FetchResult {
        var purpose = purpose
        var partBody: TransportBody?
        if case .completion(let part, _) = purpose {
            partBody = await cache.openBody(of: part, range: nil)
            // The store has lost the part.
            if partBody == nil { purpose = .load(fallback: nil) }
        }
        do {
            let result = try await sendAndReact(in: beginFetch(for: purpose, partBody: partBody, reporter: reporter))
            if let outcome = result.knownOutcome { reporter?.report(outcome) }
            return result
        } catch {
            reporter?.report(isCancelled(error) ? .cancelled : .notStored)
            throw error
        }
    }

    private func beginFetch(
        for purpose: CacheDecision.Purpose = .load(fallback: nil),
        partBody: TransportBody? = nil,
        reporter: CollapsedRequests.FetchReporter?
    ) -> CacheFetch {
        CacheFetch(
            in: cache,
            for: purpose,
            partBody: partBody,
            reporter: reporter,
            sentFields: recordsSentFields ? SentFields() : nil
        )
    }

    private func isCancelled(_ error: any Error) -> Bool { context.isCancelled || error.isCancellation }

    /// Performs a fetch, and another one without the cache's fields if the response to them cannot be used.
    ///
    /// - Returns: The response of the cache, or the fallback if the request fails.
    private nonisolated(nonsending) func sendAndReact(in fetch: CacheFetch) async throws -> FetchResult {
        let purpose = fetch.purpose
        var sent = request
        fetch.reporter?.addSendObserver(to: &sent)
        for field in purpose.fields { sent.headers[fields: field.name] = [field] }
        sent.headers.addCacheControl(for: cacheRequest.policy)
        var response: TransportResponse
        var context = context
        context.sentFields = fetch.sentFields
        do {
            response = try await next(sent, context)
        } catch {
            guard !isCancelled(error), CacheRules.allowsFallback(after: error),
                let stored = await fallbackResponse(from: purpose.fallback)
            else { throw error }
            return FetchResult(stored, .notStored)
        }
        // The wait counts as idle time until the server responds.
        request.idleBefore = .zero
        if CacheRules.allowsFallback(afterStatus: response.status),
            let stored = await fallbackResponse(from: purpose.fallback)
        {
            await response.dropBody()
            return FetchResult(stored, .notStored)
        }
        switch await react(to: response, in: fetch) {
        case .respond(let result):
            return result
        case .sendAgain:
            await response.dropBody()
            return try await sendAndReact(in: beginFetch(reporter: fetch.reporter))
        }
    }

    /// Sends the request for later requests, while its caller uses a stale response (RFC 5861, section 3).
    ///
    /// It does nothing if an equal request is being sent for which others wait, or in the background.
    func refreshInBackground(for purpose: CacheDecision.Purpose) {
        guard let reporter = cache.collapsedRequests.joinAsLeader(CollapsedRequests.ID(cacheRequest)) else { return }
        var request = request
        request.idleBefore = .zero
        // The caller's functions must not be called after the end of its request.
        (request.onConnect, request.onInterimResponse) = (nil, nil)
        let responder = CacheResponder(
            cache: cache,
            request: request,
            cacheRequest: cacheRequest,
            context: context.inBackground(),
            next: next,
            isInBackground: true,
            recordsSentFields: recordsSentFields
        )
        let running = context.session.runningRequests
        running.beginWork()
        Task {
            defer { running.ended() }
            try? await responder.refresh(for: purpose, reporter: reporter)
        }
    }

    /// Sends the request, and reads the body of a new response that is being stored.
    private nonisolated(nonsending) func refresh(
        for purpose: CacheDecision.Purpose,
        reporter: CollapsedRequests.FetchReporter
    ) async throws {
        let result = try await fetch(for: purpose, reporter: reporter)
        var response = result.response
        // The `CookieStage` gets only the response of the caller.
        context.session.settings.cookies.store(response, to: request, context: context.attemptScope.cookies)
        // The body is stored while it is read. Another body may be long, or have no end.
        guard let recorder = result.recorder, case .stream(let body) = response.body else {
            return await response.dropBody()
        }
        for try await _ in body {
            // The rest of a body that cannot be stored is of no use.
            guard recorder.isWriting else { return await response.dropBody() }
        }
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
