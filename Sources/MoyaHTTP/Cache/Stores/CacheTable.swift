/// The entries of a store by identifier and by key, ordered by their use, with the number of bytes that they occupy.
///
/// Except ``all``, a function takes a time that depends only on the number of entries with the same key, for each entry that it
/// changes or removes.
struct CacheTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node: Sendable {
        let key: Key
        var value: Value
        var cost: Int64
        var older: CacheEntry.ID?
        var newer: CacheEntry.ID?
    }

    private var nodes: [CacheEntry.ID: Node] = [:]
    private var idsByKey: [Key: [CacheEntry.ID]] = [:]
    private var oldest: CacheEntry.ID?
    private var newest: CacheEntry.ID?
    /// The number of bytes that the entries occupy.
    private(set) var size: Int64 = 0

    /// The value of an entry.
    subscript(id: CacheEntry.ID) -> Value? { nodes[id]?.value }

    /// Returns the identifiers of the entries with a key.
    func ids(for key: Key) -> [CacheEntry.ID] { idsByKey[key] ?? [] }

    /// Inserts a new entry as the most recently used one.
    mutating func insert(_ id: CacheEntry.ID, key: Key, cost: Int64, _ value: Value) {
        nodes[id] = Node(key: key, value: value, cost: cost)
        idsByKey[key, default: []].append(id)
        size += cost
        link(id)
    }

    /// Changes the value of an entry; returns `nil` if there is no such entry.
    mutating func change<Result>(_ id: CacheEntry.ID, _ body: (inout Value) -> Result) -> Result? {
        guard let index = nodes.index(forKey: id) else { return nil }
        return body(&nodes.values[index].value)
    }

    /// Sets the number of bytes that an entry occupies.
    mutating func setCost(_ cost: Int64, of id: CacheEntry.ID) {
        guard let old = nodes[id]?.cost else { return }
        size += cost - old
        nodes[id]?.cost = cost
    }

    /// Makes an entry the most recently used one.
    mutating func touch(_ id: CacheEntry.ID) {
        guard newest != id, nodes[id] != nil else { return }
        unlink(id)
        link(id)
    }

    /// Makes an entry the least recently used one.
    mutating func demote(_ id: CacheEntry.ID) {
        guard oldest != id, nodes[id] != nil else { return }
        unlink(id)
        nodes[id]?.older = nil
        nodes[id]?.newer = oldest
        if let oldest { nodes[oldest]?.older = id } else { newest = id }
        oldest = id
    }

    /// Removes an entry, and returns its value.
    mutating func remove(_ id: CacheEntry.ID) -> Value? {
        unlink(id)
        guard let node = nodes.removeValue(forKey: id) else { return nil }
        size -= node.cost
        idsByKey[node.key]?.removeAll { $0 == id }
        if idsByKey[node.key]?.isEmpty == true { idsByKey[node.key] = nil }
        return node.value
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
        all.reserveCapacity(nodes.count)
        var next = oldest
        while let id = next, let node = nodes[id] {
            all.append((id, node.value))
            next = node.newer
        }
        return all
    }

    private mutating func link(_ id: CacheEntry.ID) {
        nodes[id]?.older = newest
        nodes[id]?.newer = nil
        if let newest { nodes[newest]?.newer = id } else { oldest = id }
        newest = id
    }

    private mutating func unlink(_ id: CacheEntry.ID) {
        guard let node = nodes[id] else { return }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
    }
}
