import Foundation
import HTTPTypes

extension HTTPCache {
    /// Stores the response to a GET: immediately if its body is in memory, and otherwise while the body is read.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - head: The head that is stored.
    ///   - request: The request.
    ///   - fetch: The fetch of the response.
    /// - Returns: The response. Reading a streamed body writes it to the store.
    nonisolated(nonsending) func storeBody(
        of response: TransportResponse,
        as head: CachedResponse,
        to request: CacheRequest,
        in fetch: CacheFetch
    ) async -> FetchedResponse {
        guard !removals.hasRemoved(request.key, since: fetch.start) else {
            return FetchedResponse(response: response, outcome: .failedToStore)
        }
        let replaced = CacheRules.entriesReplaced(by: head, to: request, in: fetch.entries).map(\.id)
        let length = response.knownLength
        let writer: (any CacheWriter)?
        do {
            writer = try await countingStoreErrors {
                try await store.write(head, for: request.key, length: length, replacing: replaced)
            }
        } catch {
            // The store may be able to write the next response, for example after a full disk has got room.
            return FetchedResponse(response: response, outcome: .failedToStore)
        }
        // The response is too large for the store.
        guard let writer else { return FetchedResponse(response: response, outcome: .cannotBeStored) }
        let recorder = BodyRecorder(
            cache: self,
            key: request.key,
            fetch: fetch,
            writer: writer,
            length: head.storedLength(of: response)
        )
        var response = response
        switch response.body {
        case .complete(let data):
            await recorder.append(data)
            await recorder.finish()
        case .stream(let stream):
            response.body = .stream(recorder.recording(stream))
        }
        return FetchedResponse(response: response, outcome: nil)
    }
}

/// Writes the body of a response to a store, and reports the outcome of its fetch at the end of the body.
private final class BodyRecorder: Sendable {
    private let cache: HTTPCache
    private let key: CacheKey
    private let requestTime: Double
    private let start: CacheRemovals.Moment
    private let reporter: CollapsedRequests.FetchReporter?
    /// The length that the body must have; `nil` if it is unknown.
    private let length: Int64?
    private let state: Locked<State>

    private struct State {
        /// The writer, until the body is stored or discarded.
        var writer: (any CacheWriter)?
        var count: Int64 = 0
    }

    init(
        cache: HTTPCache,
        key: CacheKey,
        fetch: CacheFetch,
        writer: any CacheWriter,
        length: Int64?
    ) {
        self.cache = cache
        self.key = key
        requestTime = fetch.requestTime
        start = fetch.start
        reporter = fetch.reporter
        self.length = length
        state = Locked(State(writer: writer))
    }

    /// Returns a stream with the same chunks, which writes them while it is read.
    func recording(_ stream: TransportBodyStream) -> TransportBodyStream {
        let source = Locked(stream.makeAsyncIterator())
        return stream.replacingChunks { [self] in
            var iterator = source.withLock { $0 }
            do {
                guard let chunk = try await iterator.next() else {
                    await finish()
                    return nil
                }
                await append(chunk)
                return chunk
            } catch {
                await discard(error.isCancellation ? .cancelled : .failedToStore)
                throw error
            }
        }
    }

    /// Writes a chunk, or discards the body if it does not fit into the store or the store fails.
    nonisolated(nonsending) func append(_ data: Data) async {
        reporter?.recordResponse()
        let writer = state.withLock { state in
            state.count += Int64(data.count)
            return state.writer
        }
        guard let writer else { return }
        do {
            let fits = try await cache.countingStoreErrors { try await writer.append(data) }
            if !fits { await discard(.cannotBeStored) }
        } catch {
            await discard(.failedToStore)
        }
    }

    /// Ends the body, and reports whether it was stored.
    nonisolated(nonsending) func finish() async {
        guard let writer = takeWriter() else { return }
        // Before the report: an optional chain does not evaluate its argument without a reporter.
        let isStored = await store(by: writer)
        reporter?.report(isStored ? .stored : .failedToStore)
    }

    /// Stores the body if it is complete, and returns whether it was stored.
    private nonisolated(nonsending) func store(by writer: any CacheWriter) async -> Bool {
        let count = state.withLock { $0.count }
        guard length == nil || count == length, !isRemoved else {
            await writer.discard()
            return false
        }
        do { try await cache.countingStoreErrors { try await writer.finish() } } catch { return false }
        guard !isRemoved else {
            await removeStored()
            return false
        }
        cache.count { $0.stored += 1 }
        return true
    }

    /// Removes the entry of the body, because its key was removed while the writer finished.
    private nonisolated(nonsending) func removeStored() async {
        do {
            try await cache.countingStoreErrors {
                // A fetch that began later may have stored its response already.
                for entry in try await cache.store.entries(for: key) where entry.response.requestTime <= requestTime {
                    try await cache.store.remove(entry)
                }
            }
        } catch {
            try? await cache.countingStoreErrors { try await cache.store.removeEntries(for: key) }
        }
    }

    /// Whether the responses to the request were removed after it was sent, so that this one must not be stored.
    private var isRemoved: Bool { cache.removals.hasRemoved(key, since: start) }

    /// Discards the body, and reports the outcome.
    private nonisolated(nonsending) func discard(_ outcome: CollapsedRequests.Outcome) async {
        await takeWriter()?.discard()
        reporter?.report(outcome)
    }

    private func takeWriter() -> (any CacheWriter)? {
        state.withLock { state in
            defer { state.writer = nil }
            return state.writer
        }
    }
}

extension CachedResponse {
    /// Returns the length that the body of a response must have; `nil` if it is unknown.
    fileprivate func storedLength(of response: TransportResponse) -> Int64? {
        if part != nil, let text = headers[.contentRange], let range = ContentRange(text)?.range {
            return Int64(range.count)
        }
        return response.isDecoded && headers.contains(.contentEncoding)
            ? nil : headers[.contentLength].flatMap { Int64($0) }
    }
}
