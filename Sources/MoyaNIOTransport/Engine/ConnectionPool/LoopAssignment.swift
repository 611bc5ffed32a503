/// The assignment of an origin's connections to event loops: an event loop serves several connections before the next one
/// gets any.
///
/// With few connections, all requests to an origin wake the same thread; with many, they use all processors. A connection for a caller
/// on an event loop is on this event loop.
struct LoopAssignment: Sendable {
    /// The number of connections that one event loop serves before the next one gets any.
    static let connectionsPerLoop = 8

    private var counts: [Int]

    /// Creates an assignment to a number of event loops, without any connection.
    init(loops: Int) { counts = Array(repeating: 0, count: max(1, loops)) }

    /// Adds a connection, on the caller's event loop if the caller has one, and returns the index of its event loop.
    mutating func add(for caller: Int? = nil) -> Int {
        if let caller, counts.indices.contains(caller) {
            counts[caller] += 1
            return caller
        }
        let level = (counts.min() ?? 0) / Self.connectionsPerLoop
        let index = counts.firstIndex { $0 < (level + 1) * Self.connectionsPerLoop } ?? 0
        counts[index] += 1
        return index
    }

    /// Returns whether an event loop has a connection.
    func hasConnection(on index: Int) -> Bool { counts.indices.contains(index) && counts[index] > 0 }

    /// Removes a connection from an event loop.
    mutating func remove(from index: Int) {
        if counts.indices.contains(index), counts[index] > 0 { counts[index] -= 1 }
    }
}
