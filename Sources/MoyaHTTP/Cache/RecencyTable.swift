/// The entries of a store by their identifiers, in the order in which they were used.
///
/// Every function but ``all`` takes constant time.
struct RecencyTable<Value: Sendable>: Sendable {
    private struct Slot: Sendable {
        var value: Value
        var older: CacheEntry.ID?
        var newer: CacheEntry.ID?
    }

    private var slots: [CacheEntry.ID: Slot] = [:]
    private(set) var oldest: CacheEntry.ID?
    private var newest: CacheEntry.ID?

    /// The value of an entry.
    subscript(id: CacheEntry.ID) -> Value? {
        get { slots[id]?.value }
        set {
            guard let newValue else { return _ = remove(id) }
            if slots[id] == nil {
                slots[id] = Slot(value: newValue)
                link(id)
            } else {
                slots[id]?.value = newValue
            }
        }
    }

    /// Makes an entry the most recently used one.
    mutating func touch(_ id: CacheEntry.ID) {
        guard newest != id, slots[id] != nil else { return }
        unlink(id)
        link(id)
    }

    /// Removes an entry, and returns its value.
    mutating func remove(_ id: CacheEntry.ID) -> Value? {
        unlink(id)
        return slots.removeValue(forKey: id)?.value
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
