import Foundation

// The operations of the store. Each error but a cancellation is counted. The public functions, `makeWriter`, the writer and the stream of
// a body throw it; the other functions return as if nothing were stored.
extension HTTPCache {
    /// The number of bytes that the stored responses occupy.
    public var size: Int64 { get async { await store.size } }

    /// Returns the stored responses, the least recently used first.
    public func entries() async throws -> [CacheEntry] {
        try await performCountingErrors { try await store.allEntries() }
    }

    /// Removes the responses that are stored for a URL.
    ///
    /// Responses to requests that are being sent will not be stored.
    public func remove(_ url: URL) async throws { try await removeEntries(for: CacheKey(url)) }

    /// Removes all responses.
    ///
    /// Responses to requests that are being sent will not be stored.
    public func removeAll() async throws {
        removals.recordRemoval(of: nil)
        try await performCountingErrors { try await store.removeAll() }
    }

    /// Returns whether the cache knows, without waiting for the store, that it has no entry for a URL.
    func isKnownToLackEntries(for url: URL) -> Bool { memoryStore?.hasEntries(for: url) == false }

    /// Returns the entries for a key.
    nonisolated(nonsending) func entries(for key: CacheKey) async -> [CacheEntry] {
        (try? await performCountingErrors { try await store.entries(for: key) }) ?? []
    }

    /// Opens the body of an entry; `nil` if the store cannot return it.
    ///
    /// Errors of a streamed body are counted, too.
    nonisolated(nonsending) func openBody(of entry: CacheEntry, range: Range<Int64>?) async -> TransportBody? {
        let body = try? await performCountingErrors { try await store.body(of: entry, range: range) }
        guard case .stream(let stream)? = body else { return body }
        return .stream(stream.wrapped { [self] next in try await performCountingErrors { try await next() } })
    }

    /// Replaces the head of an entry, and returns whether the store has done so.
    nonisolated(nonsending) func update(_ entry: CacheEntry, to head: CachedHead) async -> Bool {
        (try? await performCountingErrors { try await store.update(entry, to: head) }) ?? false
    }

    /// Removes an entry.
    nonisolated(nonsending) func removeEntry(_ entry: CacheEntry) async {
        try? await performCountingErrors { try await store.remove(entry) }
    }

    /// Removes the entries for a key whose requests were sent until a time; all of them if the store cannot return them.
    nonisolated(nonsending) func removeEntries(for key: CacheKey, requestedUntil time: Double) async {
        do {
            try await performCountingErrors {
                for entry in try await store.entries(for: key) where entry.head.requestTime <= time {
                    try await store.remove(entry)
                }
            }
        } catch {
            try? await performCountingErrors { try await store.removeEntries(for: key) }
        }
    }

    /// Removes the entries for keys, which a request has invalidated.
    nonisolated(nonsending) func invalidate(_ keys: [CacheKey]) async {
        for key in keys { try? await removeEntries(for: key) }
    }

    private nonisolated(nonsending) func removeEntries(for key: CacheKey) async throws {
        removals.recordRemoval(of: key)
        try await performCountingErrors { try await store.removeEntries(for: key) }
    }

    /// Begins to store a response, as ``CacheStore/write(_:for:length:replacing:)`` does.
    nonisolated(nonsending) func makeWriter(
        for key: CacheKey,
        head: CachedHead,
        length: Int64?,
        replacing replaced: [CacheEntry.ID]
    ) async throws -> EntryWriter? {
        let writer = try await performCountingErrors {
            try await store.write(head, for: key, length: length, replacing: replaced)
        }
        return writer.map { EntryWriter(cache: self, writer: $0) }
    }

    /// A writer of the store, whose errors are counted.
    struct EntryWriter: Sendable {
        fileprivate let cache: HTTPCache
        fileprivate let writer: any CacheWriter

        nonisolated(nonsending) func append(_ data: Data) async throws -> Bool {
            try await cache.performCountingErrors { try await writer.append(data) }
        }

        nonisolated(nonsending) func finish() async throws {
            try await cache.performCountingErrors { try await writer.finish() }
        }

        nonisolated(nonsending) func discard() async { await writer.discard() }
    }

    /// Performs an operation of the store, and counts its error; a cancellation is none.
    private nonisolated(nonsending) func performCountingErrors<R>(
        _ operation: nonisolated(nonsending) () async throws -> R
    ) async throws -> R {
        do {
            return try await operation()
        } catch {
            if !error.isCancellation { changeStatistics { $0.storeErrors += 1 } }
            throw error
        }
    }
}
