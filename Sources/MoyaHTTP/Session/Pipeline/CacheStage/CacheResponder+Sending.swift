import Foundation
import HTTPTypes

// Requests to the server.
extension CacheResponder {
    /// Sends the request, and stores its response: a streamed body while it is read, by the recorder of the result, which then reports the
    /// outcome to the requests that wait for it.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the request.
    ///   - reporter: Reports the outcome; `nil` if no request can wait.
    ///   - idleBefore: The idle time of the request before it is sent.
    /// - Returns: The response, which may be a stored one, and the outcome or the recorder.
    /// - Throws: The error of the stages below.
    nonisolated(nonsending) func fetch(
        for purpose: FetchPurpose,
        reporter: CollapsedRequests.FetchReporter?,
        idleBefore: Duration = .zero
    ) async throws -> FetchResult {
        var purpose = purpose
        var partBody: TransportBody?
        if case .completion(let part, _) = purpose {
            partBody = await cache.openBody(of: part, range: nil)
            // The store has lost the part.
            if partBody == nil { purpose = .load(substitute: nil) }
        }
        do {
            let fetch = beginFetch(for: purpose, partBody: partBody, reporter: reporter, idleBefore: idleBefore)
            let result = try await sendAndReact(in: fetch)
            if case .known(let outcome) = result.end { reporter?.report(outcome) }
            return result
        } catch {
            reporter?.report(isEnding(with: error) ? .cancelled : .notStored)
            throw error
        }
    }

    private func beginFetch(
        for purpose: FetchPurpose,
        partBody: TransportBody? = nil,
        validatedEntry: CacheEntry? = nil,
        reporter: CollapsedRequests.FetchReporter?,
        idleBefore: Duration = .zero
    ) -> CacheFetch {
        CacheFetch(
            in: cache,
            for: purpose,
            partBody: partBody,
            validatedEntry: validatedEntry,
            reporter: reporter,
            sentFields: recordsSentFields ? SentFields() : nil,
            idleBefore: idleBefore
        )
    }

    /// Performs a fetch, and another one without the cache's fields if the response to them cannot be used.
    ///
    /// - Returns: The response of the server or of the cache; the substitute if the server responds with an error.
    private nonisolated(nonsending) func sendAndReact(in fetch: CacheFetch) async throws -> FetchResult {
        let purpose = fetch.purpose
        var sent = request
        sent.idleBefore = fetch.idleBefore
        fetch.reporter?.addSendObserver(to: &sent)
        for field in purpose.fields { sent.headers[fields: field.name] = [field] }
        sent.headers.addCacheControl(for: cacheRequest.policy)
        var context = context
        context.sentFields = fetch.sentFields
        var response = try await next(sent, context)
        fetch.reporter?.recordResponse()
        // The substitute comes before the reaction, which would return the error.
        if CacheRules.allowsSubstitute(afterStatus: response.status),
            let stored = await substituteResponse(for: purpose)
        {
            await response.dropBody()
            return FetchResult(stored, .notStored)
        }
        if let result = await react(to: response, in: fetch) { return result }
        await response.dropBody()
        guard !cache.isOffline else { return FetchResult(try await respondOffline(), .notStored) }
        let load = FetchPurpose.load(substitute: purpose.substitute)
        let again = beginFetch(for: load, validatedEntry: fetch.validatedEntry, reporter: fetch.reporter)
        return try await sendAndReact(in: again)
    }

    /// Sends the request for later requests, while its caller uses a stale response (RFC 5861, section 3).
    ///
    /// It does nothing if an equal request for which others may wait is being sent, or if the cache is offline by now.
    func refreshInBackground(for purpose: FetchPurpose) {
        guard !cache.isOffline,
            let reporter = cache.collapsedRequests.joinAsLeader(CollapsedRequests.ID(cacheRequest))
        else { return }
        let responder = inBackground()
        let running = context.session.runningRequests
        running.beginWork()
        Task {
            defer { running.ended() }
            try? await responder.refresh(for: purpose, reporter: reporter)
        }
    }

    /// Sends the request, and reads the body of a new response that is being stored.
    private nonisolated(nonsending) func refresh(
        for purpose: FetchPurpose,
        reporter: CollapsedRequests.FetchReporter
    ) async throws {
        let result = try await fetch(for: purpose, reporter: reporter)
        var response = result.response
        // The caller has the stale response, which is counted already.
        if response.source == .revalidated { cache.record(response, to: nil) }
        // The `CookieStage` gets only the response of the caller.
        context.session.settings.cookies.store(response, to: request, context: context.attemptScope.cookies)
        // The body is stored while it is read. Another body may be long, or have no end.
        guard case .recorded(let recorder) = result.end, case .stream(let body) = response.body else {
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
