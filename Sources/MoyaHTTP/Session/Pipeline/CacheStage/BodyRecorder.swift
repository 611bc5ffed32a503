import Foundation

/// Writes the body of a response to a store, and reports the outcome of its fetch at the end of the body.
final class BodyRecorder: Sendable {
    private let cache: HTTPCache
    private let record: RequestRecord
    private let deadline: RequestDeadline?
    private let request: CacheRequest
    private let head: CachedHead
    private let fetch: CacheFetch
    /// The length that the stored body must have; `nil` if it is unknown.
    private let storedLength: Int64?
    private let state: InlineLocked<State>

    private struct State {
        /// The writer, until the body is stored or discarded.
        var writer: HTTPCache.EntryWriter?
        var count: Int64 = 0
    }

    init(
        cache: HTTPCache,
        record: RequestRecord,
        deadline: RequestDeadline?,
        request: CacheRequest,
        head: CachedHead,
        fetch: CacheFetch,
        writer: HTTPCache.EntryWriter,
        storedLength: Int64?
    ) {
        self.cache = cache
        self.record = record
        self.deadline = deadline
        self.request = request
        self.head = head
        self.fetch = fetch
        self.storedLength = storedLength
        state = InlineLocked(State(writer: writer))
    }

    // The report has no effect after that of the end. A reader that releases the body before its end was cancelled, or rejects the
    // response, for example because it is too long.
    deinit { fetch.reporter?.report(record.isCancelled || Task.isCancelled || isOverdue ? .cancelled : .notStored) }

    /// Whether the request has no time left, which ends it like a cancellation.
    private var isOverdue: Bool { deadline?.isOver ?? false }

    /// Whether the rest of the body is written to the store.
    var isWriting: Bool { state.withLock { $0.writer != nil } }

    /// Returns a stream with the same chunks, which writes them while it is read.
    func recording(_ stream: TransportBodyStream) -> TransportBodyStream {
        stream.wrapped { next in
            let chunk = try await next()
            if let chunk { await self.append(chunk) } else { await self.finish() }
            return chunk
        } mapError: { error in
            await self.discard(error.isCancellation || self.isOverdue ? .cancelled : .notStored)
            return error
        }
    }

    /// Writes a chunk; if it does not fit into the store, or the store fails, discards the body, and removes the superseded entry.
    nonisolated(nonsending) func append(_ data: Data) async {
        fetch.reporter?.recordResponse()
        let writer = state.withLock { state in
            state.count += Int64(data.count)
            return state.writer
        }
        guard let writer else { return }
        let outcome: CollapsedRequests.Outcome
        do {
            guard try await !writer.append(data) else { return }
            outcome = .cannotBeStored
        } catch {
            outcome = .notStored
        }
        // Before the report, after which the followers search the store.
        await removeSupersededEntry()
        await discard(outcome)
    }

    /// Ends the body, and reports whether it was stored.
    nonisolated(nonsending) func finish() async {
        guard let writer = takeWriter() else { return }
        // Before the report: an optional chain does not evaluate its argument without a reporter.
        let isStored = await finishWriting(by: writer)
        fetch.reporter?.report(isStored ? fetch.outcome(ofStored: head, for: request, now: cache.now()) : .notStored)
    }

    /// Stores the body if it is complete, and returns whether it was stored.
    private nonisolated(nonsending) func finishWriting(by writer: HTTPCache.EntryWriter) async -> Bool {
        let count = state.withLock { $0.count }
        guard storedLength == nil || count == storedLength, !isOlderThanRemoval else {
            await writer.discard()
            return false
        }
        do { try await writer.finish() } catch {
            await removeSupersededEntry()
            return false
        }
        guard !isOlderThanRemoval else {
            // A fetch that began later may have stored its response already.
            await cache.removeEntries(for: request.key, requestedUntil: head.requestTime)
            return false
        }
        cache.changeStatistics { $0.stored += 1 }
        return await removeCopies()
    }

    /// Removes the stored response that the new one supersedes, because the new one cannot be stored.
    ///
    /// It remains if the new one was cut off or cancelled, because there is then no full response.
    private nonisolated(nonsending) func removeSupersededEntry() async {
        if let superseded = fetch.supersededEntry(byStatus: head.status) { await cache.removeEntry(superseded) }
    }

    /// Keeps one of the copies that equal requests have stored: ``CacheRules/copies(of:for:in:)``.
    ///
    /// - Returns: Whether the one that this recorder has stored remains.
    private nonisolated(nonsending) func removeCopies() async -> Bool {
        let entries = await cache.entries(for: request.key)
        let copies = CacheRules.copies(of: head, for: request, in: entries)
        for copy in copies { await cache.removeEntry(copy) }
        return !copies.contains { $0.head == head }
    }

    /// Whether the responses to the request were removed after it was sent, so that this one must not be stored.
    private var isOlderThanRemoval: Bool { fetch.isOlderThanRemoval(of: request.key) }

    /// Discards the body, and reports the outcome.
    private nonisolated(nonsending) func discard(_ outcome: CollapsedRequests.Outcome) async {
        await takeWriter()?.discard()
        fetch.reporter?.report(outcome)
    }

    private func takeWriter() -> HTTPCache.EntryWriter? {
        state.withLock { state in
            defer { state.writer = nil }
            return state.writer
        }
    }
}
