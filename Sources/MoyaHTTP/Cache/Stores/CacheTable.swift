/// The entries of a store by identifier and by key, ordered by their use, with the number of bytes that they occupy.
///
/// Except ``all``, a function takes a time that depends only on the number of entries with the same key, for each entry that it
/// changes or removes.
struct CacheTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot: Sendable {
        let key: Key
        var value: Value
        var cost: Int64
        var older: CacheEntry.ID?
        var newer: CacheEntry.ID?
    }

    private var slots: [CacheEntry.ID: Slot] = [:]
    private var idsByKey: [Key: [CacheEntry.ID]] = [:]
    private var oldest: CacheEntry.ID?
    private var newest: CacheEntry.ID?
    /// The number of bytes that the entries occupy.
    private(set) var size: Int64 = 0

    /// The value of an entry.
    subscript(id: CacheEntry.ID) -> Value? { slots[id]?.value }

    /// Returns the identifiers of the entries with a key.
    func ids(for key: Key) -> [CacheEntry.ID] { idsByKey[key] ?? [] }

    /// Inserts a new entry as the most recently used one.
    mutating func insert(_ id: CacheEntry.ID, key: Key, cost: Int64, _ value: Value) {
        slots[id] = Slot(key: key, value: value, cost: cost)
        idsByKey[key, default: []].append(id)
        size += cost
        link(id)
    }

    /// Changes the value of an entry; returns `nil` if there is no such entry.
    mutating func change<Result>(_ id: CacheEntry.ID, _ body: (inout Value) -> Result) -> Result? {
        guard let index = slots.index(forKey: id) else { return nil }
        return body(&slots.values[index].value)
    }

    /// Sets the number of bytes that an entry occupies.
    mutating func setCost(_ cost: Int64, of id: CacheEntry.ID) {
        guard let old = slots[id]?.cost else { return }
        size += cost - old
        slots[id]?.cost = cost
    }

    /// Makes an entry the most recently used one.
    mutating func touch(_ id: CacheEntry.ID) {
        guard newest != id, slots[id] != nil else { return }
        unlink(id)
        link(id)
    }

    /// Makes an entry the least recently used one.
    mutating func demote(_ id: CacheEntry.ID) {
        guard oldest != id, slots[id] != nil else { return }
        unlink(id)
        slots[id]?.older = nil
        slots[id]?.newer = oldest
        if let oldest { slots[oldest]?.older = id } else { newest = id }
        oldest = id
    }

    /// Removes an entry, and returns its value.
    mutating func remove(_ id: CacheEntry.ID) -> Value? {
        unlink(id)
        guard let slot = slots.removeValue(forKey: id) else { return nil }
        size -= slot.cost
        idsByKey[slot.key]?.removeAll { $0 == id }
        if idsByKey[slot.key]?.isEmpty == true { idsByKey[slot.key] = nil }
        return slot.value
    }

    /// Removes the least recently used entries until the others occupy at most a size, and returns the removed ones.
    mutating func removeOldest(downTo maximumSize: Int64) -> [(id: CacheEntry.ID, value: Value)] {
        var removed: [(CacheEntry.ID, Value)] = []
        while size > maximumSize, let id = oldest, let value = remove(id) { removed.append((id, value)) }
        return removed
    }

    /// The values, the least recently used first.
    var all: [(id: CacheEntry.ID, value: Value)] {
        var all: [(CacheEntry.ID, Value)] = []
        all.reserveCapacity(slots.count)
        var next = oldest
        while let id = next, let slot = slots[id] {
            all.append((id, slot.value))
            next = slot.newer
        }
        return all
    }

    private mutating func link(_ id: CacheEntry.ID) {
        slots[id]?.older = newest
        slots[id]?.newer = nil
        if let newest { slots[newest]?.newer = id } else { oldest = id }
        newest = id
    }

    private mutating func unlink(_ id: CacheEntry.ID) {
        guard let slot = slots[id] else { return }
        if let older = slot.older { slots[older]?.newer = slot.newer } else { oldest = slot.newer }
        if let newer = slot.newer { slots[newer]?.older = slot.older } else { newest = slot.older }
    }
}
