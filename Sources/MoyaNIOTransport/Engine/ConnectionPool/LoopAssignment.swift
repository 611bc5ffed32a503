/// The assignment of an origin's connections to event loops: an event loop serves several HTTP/1.1 connections before the next one
/// gets any, and each HTTP/2 connection gets the event loop with the fewest.
///
/// With few connections, all requests to an origin wake the same thread; with many, they use all processors. A further HTTP/2
/// connection is a sign of many requests. An HTTP/1.1 connection, or the first one, for a caller on an event loop is on this event loop.
struct LoopAssignment: Sendable {
    /// The number of HTTP/1.1 connections that one event loop serves before the next one gets any.
    static let connectionsPerLoop = 8

    private var counts: [Int]

    /// Creates an assignment to a number of event loops, without any connection.
    init(loops: Int) { counts = Array(repeating: 0, count: max(1, loops)) }

    /// Adds a connection.
    ///
    /// - Parameters:
    ///   - isFurther: Whether it is a further HTTP/2 connection: another one is usable.
    ///   - caller: The event loop of the caller, if the caller is on one.
    /// - Returns: The index of the connection's event loop.
    mutating func add(isFurther: Bool = false, for caller: Int? = nil) -> Int {
        if let caller, !isFurther, counts.indices.contains(caller) {
            counts[caller] += 1
            return caller
        }
        let step = isFurther ? 1 : Self.connectionsPerLoop
        let level = (counts.min() ?? 0) / step
        let index = counts.firstIndex { $0 < (level + 1) * step } ?? 0
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
