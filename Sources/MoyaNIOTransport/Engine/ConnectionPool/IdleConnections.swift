/// The idle connections of a transport in the order of their last use, and the limit of their number.
///
/// A connection has a place as long as it is open. Each operation takes constant time, whatever the number of hosts.
struct IdleConnections<Owner: Sendable>: Sendable {
    /// The place of an open connection.
    typealias Place = Int

    private struct Node: Sendable {
        var owner: Owner?
        var isIdle = false
        /// The idle connection that was used before this one.
        var older: Place?
        /// The idle connection that was used after this one.
        var newer: Place?
    }

    /// The maximum number of idle connections.
    let limit: Int
    /// The number of idle connections.
    private(set) var count = 0
    private var nodes: [Node] = []
    private var free: [Place] = []
    private var oldest: Place?
    private var newest: Place?

    /// Creates a list without connections.
    init(limit: Int) { self.limit = limit }

    /// Adds an open connection, which is in use, and returns its place.
    mutating func add(_ owner: Owner) -> Place {
        if let place = free.popLast() {
            nodes[place].owner = owner
            return place
        }
        nodes.append(Node(owner: owner))
        return nodes.count - 1
    }

    /// Removes a connection, idle or not.
    mutating func remove(_ place: Place) {
        markUsed(place)
        nodes[place].owner = nil
        free.append(place)
    }

    /// Marks a connection as the one that became idle last.
    ///
    /// - Returns: The least recently used connection if there are more than the limit. It counts as used from then on, and
    ///   must be closed.
    mutating func markIdle(_ place: Place) -> Owner? {
        markUsed(place)
        nodes[place].isIdle = true
        nodes[place].older = newest
        if let newest { nodes[newest].newer = place } else { oldest = place }
        newest = place
        count += 1
        return count > limit ? takeOldest() : nil
    }

    /// Marks a connection as used; does nothing if it is not idle.
    mutating func markUsed(_ place: Place) {
        guard nodes[place].isIdle else { return }
        let (older, newer) = (nodes[place].older, nodes[place].newer)
        if let older { nodes[older].newer = newer } else { oldest = newer }
        if let newer { nodes[newer].older = older } else { newest = older }
        nodes[place].isIdle = false
        (nodes[place].older, nodes[place].newer) = (nil, nil)
        count -= 1
    }

    /// Marks all idle connections as used, and returns them, the least recently used one first.
    mutating func takeAll() -> [Owner] {
        var owners: [Owner] = []
        while let owner = takeOldest() { owners.append(owner) }
        return owners
    }

    private mutating func takeOldest() -> Owner? {
        guard let place = oldest else { return nil }
        markUsed(place)
        return nodes[place].owner
    }
}
