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
    ) async -> CacheFetch.Result {
        guard removals.canStore(request.key, since: fetch.position) else {
            return CacheFetch.Result(response: response, report: .now(.notStored))
        }
        let replaced = CacheRules.entriesReplaced(by: head, to: request, in: fetch.entries).map(\.id)
        let length = response.knownLength
        let opened = await perform {
            try await store.write(head, for: request.key, length: length, replacing: replaced)
        }
        // The store may be able to write the next response, for example after a full disk has got room.
        guard let opened else { return CacheFetch.Result(response: response, report: .now(.notStored)) }
        // The response is too large for the store.
        guard let writer = opened else { return CacheFetch.Result(response: response, report: .now(.notStorable)) }
        let storing = StoringBody(
            cache: self,
            key: request.key,
            fetch: fetch,
            writer: writer,
            length: head.storedLength(of: response)
        )
        switch response.body {
        case .complete(let data):
            await storing.append(data)
            await storing.finish()
            return CacheFetch.Result(response: response, report: .byBody)
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
                        await storing.discard(error.isCancellation ? .cancelled : .notStored)
                        throw error
                    }
                }
            )
            return CacheFetch.Result(response: response, report: .byBody)
        }
    }
}

/// Writes the body of a response to a store, and reports the outcome of its fetch at the end of the body.
private final class StoringBody: Sendable {
    private let cache: HTTPCache
    private let key: CacheKey
    private let position: CacheRemovals.Position
    private let leader: CollapsedRequests.Leader?
    /// The length that the body must have; `nil` if it is unknown.
    private let length: Int64?
    private let state: Locked<State>

    private struct State {
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
        position = fetch.position
        leader = fetch.leader
        self.length = length
        state = Locked(State(writer: writer))
    }

    /// Writes a chunk, or discards the body if it does not fit into the store or the store fails.
    nonisolated(nonsending) func append(_ data: Data) async {
        leader?.recordResponse()
        let writer = state.withLock { state in
            state.count += Int64(data.count)
            return state.writer
        }
        guard let writer else { return }
        let fits = await cache.perform { try await writer.append(data) }
        if fits != true { await discard(fits == nil ? .notStored : .notStorable) }
    }

    /// Stores the body if it is complete, and reports the outcome.
    nonisolated(nonsending) func finish() async {
        let count = state.withLock { $0.count }
        guard let writer = takeWriter() else { return }
        guard length == nil || count == length, canStore else {
            await writer.discard()
            leader?.finish(.notStored)
            return
        }
        var isStored = await cache.perform { try await writer.finish() } != nil
        if isStored, !canStore {
            // The entry was removed while the writer finished.
            _ = await cache.perform { try await cache.store.removeEntries(for: key) }
            isStored = false
        }
        if isStored { cache.count { $0.stored += 1 } }
        leader?.finish(isStored ? .stored : .notStored)
    }

    /// Whether no response to the request was removed after the request was sent.
    private var canStore: Bool { cache.removals.canStore(key, since: position) }

    /// Discards the body, and reports the outcome.
    nonisolated(nonsending) func discard(_ outcome: CollapsedRequests.Outcome) async {
        await takeWriter()?.discard()
        leader?.finish(outcome)
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
