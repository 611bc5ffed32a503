/// The assignment of an origin's connections to event loops: an event loop serves several HTTP/1.1 connections before the next one
/// gets any, and each HTTP/2 connection gets the event loop with the fewest.
///
/// With few connections, all requests to an origin wake the same thread; with many, they use all processors. A further HTTP/2
/// connection is a sign of many requests.
struct LoopAssignment: Sendable {
    /// The number of HTTP/1.1 connections that one event loop serves before the next one gets any.
    static let connectionsPerLoop = 8

    private var counts: [Int]

    /// Creates an assignment to a number of event loops, without any connection.
    init(loops: Int) { counts = Array(repeating: 0, count: max(1, loops)) }

    /// Adds a connection, and returns the index of its event loop.
    mutating func add(isHTTP2: Bool = false) -> Int {
        let step = isHTTP2 ? 1 : Self.connectionsPerLoop
        let level = (counts.min() ?? 0) / step
        let index = counts.firstIndex { $0 < (level + 1) * step } ?? 0
        counts[index] += 1
        return index
    }

    /// Removes a connection from an event loop.
    mutating func remove(from index: Int) {
        if counts.indices.contains(index), counts[index] > 0 { counts[index] -= 1 }
    }
}
