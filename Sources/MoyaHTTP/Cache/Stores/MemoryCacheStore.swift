import Foundation
import HTTPTypes

/// A store of cached responses in memory, which keeps the most recently used ones.
public final class MemoryCacheStore: CacheStore {
    /// The number of bytes that the entries may occupy.
    public let maximumSize: Int64

    private let state = Locked(State())

    /// Creates an empty store.
    ///
    /// - Parameter maximumSize: The number of bytes that the entries may occupy, heads included. A response that needs more than
    ///   half of it is not stored.
    public init(maximumSize: Int64 = 20 << 20) { self.maximumSize = max(0, maximumSize) }

    private struct Slot: Sendable {
        var entry: CacheEntry
        let body: Data
    }

    // A function that removes entries returns them from the closure of the lock, because releasing a large body takes long.
    private struct State: Sendable {
        var table = CacheTable<CacheKey, Slot>()
        var nextID: UInt64 = 1
    }

    /// Returns the entries for a key.
    public func entries(for key: CacheKey) async throws -> [CacheEntry] {
        state.withLock { state in state.table.ids(for: key).compactMap { state.table[$0]?.entry } }
    }

    /// Returns whether there are entries for a URL.
    func hasEntries(for url: URL) -> Bool {
        // The store is empty in many sessions, and the key takes longer than this check.
        guard state.withLock({ $0.table.size > 0 }) else { return false }
        let key = CacheKey(url)
        return state.withLock { !$0.table.ids(for: key).isEmpty }
    }

    /// Returns the body of an entry.
    public func body(of entry: CacheEntry, range: Range<Int64>?) async throws -> TransportBody? {
        let body: Data? = state.withLock { state in
            guard let body = state.table[entry.id]?.body else { return nil }
            if let range {
                guard range.lowerBound >= 0, range.upperBound <= Int64(body.count) else { return nil }
            }
            state.table.touch(entry.id)
            state.table.change(entry.id) { $0.entry.useCount += 1 }
            return body
        }
        return body.map { body in .complete(range.map { body.bytes(in: $0) } ?? body) }
    }

    /// Begins to store a response.
    public func write(
        _ head: CachedHead,
        for key: CacheKey,
        length: Int64?,
        replacing replaced: [CacheEntry.ID]
    ) async throws -> (any CacheWriter)? {
        let headCost = Self.cost(of: head, key)
        // A server may declare any length, so a sum could overflow.
        guard length ?? 0 <= maximumSize / 2 - headCost else { return nil }
        return Writer(store: self, head: head, key: key, headCost: headCost, replaced: replaced)
    }

    /// Replaces the head of an entry.
    public func update(_ entry: CacheEntry, to head: CachedHead) async throws -> Bool {
        let headCost = Self.cost(of: head, entry.key)
        let maximum = maximumSize
        let removed = state.withLock { state -> [(CacheEntry.ID, Slot)]? in
            let bodySize = state.table.change(entry.id) { slot in
                slot.entry.head = head
                return Int64(slot.body.count)
            }
            guard let bodySize else { return nil }
            state.table.setCost(headCost + bodySize, of: entry.id)
            return state.table.removeOldest(downTo: maximum)
        }
        // The longer head may have made the entry itself exceed the limit.
        return removed.map { removed in !removed.contains { $0.0 == entry.id } } ?? false
    }

    /// Removes an entry.
    public func remove(_ entry: CacheEntry) async throws { _ = state.withLock { $0.table.remove(entry.id) } }

    /// Removes all entries for a key.
    public func removeEntries(for key: CacheKey) async throws {
        _ = state.withLock { state in state.table.ids(for: key).map { state.table.remove($0) } }
    }

    /// Removes all entries.
    public func removeAll() async throws {
        _ = state.withLock { state in
            let old = state.table
            state.table = CacheTable()
            return old
        }
    }

    /// Returns all entries, the least recently used first.
    public func allEntries() async throws -> [CacheEntry] {
        state.withLock { $0.table.all.map(\.value.entry) }
    }

    /// The number of bytes that the entries occupy.
    public var size: Int64 { get async { state.withLock { $0.table.size } } }

    /// Returns the approximate number of bytes that an entry occupies besides its body.
    private static func cost(of head: CachedHead, _ key: CacheKey) -> Int64 {
        let fields = head.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + fieldOverhead }
        let selecting = head.selectingFields.reduce(0) {
            $0 + $1.key.utf8.count + ($1.value ?? "").utf8.count + fieldOverhead
        }
        return Int64(fields + selecting + key.url.utf8.count + entryOverhead)
    }

    /// The approximate size of the objects of a field, without its text, in bytes.
    private static let fieldOverhead = 64
    /// The approximate size of an entry without texts, and of its place in the table, in bytes.
    private static let entryOverhead = 512

    private func insert(
        _ head: CachedHead,
        key: CacheKey,
        body: Data,
        cost: Int64,
        replacing replaced: [CacheEntry.ID]
    ) {
        let maximum = maximumSize
        _ = state.withLock { state in
            let old = replaced.map { state.table.remove($0) }
            let id = CacheEntry.ID(rawValue: state.nextID)
            state.nextID += 1
            let entry = CacheEntry(id: id, key: key, head: head, bodySize: Int64(body.count))
            state.table.insert(id, key: key, cost: cost, Slot(entry: entry, body: body))
            return (old, state.table.removeOldest(downTo: maximum))
        }
    }

    private final class Writer: CacheWriter {
        private let store: MemoryCacheStore
        private let head: CachedHead
        private let key: CacheKey
        private let headCost: Int64
        private let replaced: [CacheEntry.ID]
        private let body = Locked<Data?>(Data())

        init(
            store: MemoryCacheStore,
            head: CachedHead,
            key: CacheKey,
            headCost: Int64,
            replaced: [CacheEntry.ID]
        ) {
            self.store = store
            self.head = head
            self.key = key
            self.headCost = headCost
            self.replaced = replaced
        }

        func append(_ data: Data) async throws -> Bool {
            body.withLock { body in
                guard let count = body?.count, headCost + Int64(count + data.count) <= store.maximumSize / 2 else {
                    body = nil
                    return false
                }
                // The first chunk, which is the only one for most bodies, is shared and not copied.
                if count == 0 { body = data } else { body?.append(data) }
                return true
            }
        }

        func finish() async throws {
            guard let body = body.withLock({ $0 }) else { return }
            store.insert(
                head,
                key: key,
                body: body,
                cost: headCost + Int64(body.count),
                replacing: replaced
            )
        }

        func discard() async { body.withLock { $0 = nil } }
    }
}
