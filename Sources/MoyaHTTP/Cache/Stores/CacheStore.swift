import Foundation

/// A storage of cached responses, such as ``MemoryCacheStore``, ``DiskCacheStore`` or a custom type.
///
/// A store keeps responses and finds them by their key. It has no rules: an ``HTTPCache`` decides which responses are stored,
/// used, changed and removed. Several responses may have the same key (RFC 9111, section 4.1); each has a separate entry.
///
/// The functions may be called concurrently. An error that they throw does not fail a request: the cache counts it
/// (``CacheStatistics/storeErrors``), and acts as if nothing were stored. An error of a streamed body, which the cache has returned
/// already, is counted and fails its reader.
public protocol CacheStore: Sendable {
    /// Returns the entries for a key, in any order.
    ///
    /// It does not count as a use of the entries.
    func entries(for key: CacheKey) async throws -> [CacheEntry]

    /// Returns the body of an entry and counts a use of the entry.
    ///
    /// The body remains readable after the removal of its entry.
    ///
    /// - Parameters:
    ///   - entry: An entry that ``entries(for:)`` has returned.
    ///   - range: The range of bytes to return; `nil` for all.
    /// - Returns: The body; `nil` if the entry has been removed or replaced, or is damaged. The store removes a damaged entry.
    /// - Throws: Any error.
    func body(of entry: CacheEntry, range: Range<Int64>?) async throws -> TransportBody?

    /// Begins to store a response.
    ///
    /// The entry becomes visible when its writer has finished.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - key: The key of the entry.
    ///   - length: The length of the body in bytes, if it is known.
    ///   - replaced: The entries that the new one replaces. They are removed when it becomes visible. Entries that do not exist
    ///     any more are ignored.
    /// - Returns: A writer for the body; `nil` if the response is too large for the store.
    /// - Throws: Any error.
    func write(
        _ head: CachedHead,
        for key: CacheKey,
        length: Int64?,
        replacing replaced: [CacheEntry.ID]
    ) async throws -> (any CacheWriter)?

    /// Replaces the head of an entry and keeps its body.
    ///
    /// - Returns: Whether the head was replaced; `false` if the entry has been removed.
    /// - Throws: Any error.
    func update(_ entry: CacheEntry, to head: CachedHead) async throws -> Bool

    /// Removes an entry, if it exists.
    func remove(_ entry: CacheEntry) async throws

    /// Removes all entries for a key.
    func removeEntries(for key: CacheKey) async throws

    /// Removes all entries.
    func removeAll() async throws

    /// Returns all entries, the least recently used first.
    ///
    /// It does not count as a use of the entries.
    func allEntries() async throws -> [CacheEntry]

    /// The number of bytes that the entries occupy, heads included.
    var size: Int64 { get async }
}

/// A writer of the body of one cached response.
///
/// Its functions are called one after the other. A writer that is released without ``finish()`` discards the entry.
public protocol CacheWriter: Sendable {
    /// Appends to the body.
    ///
    /// - Returns: Whether the body still fits into the store; otherwise it has been discarded.
    func append(_ data: Data) async throws -> Bool

    /// Makes the entry visible, with the body that has been appended.
    func finish() async throws

    /// Discards the entry.
    func discard() async
}
