/// A ring buffer of the last entries of a log.
struct RequestRingBuffer: Sendable {
    /// The number of entries that are kept.
    let limit: Int
    /// The number of entries that were added.
    private(set) var count = 0
    /// The entries; the index of an entry is its number modulo the limit.
    private var places: [RequestLogEntry] = []

    init(limit: Int) { self.limit = max(1, limit) }

    mutating func append(_ entry: RequestLogEntry) {
        if places.count < limit { places.append(entry) } else { places[count % limit] = entry }
        count += 1
    }

    /// The entries that are kept, in order.
    var entries: [RequestLogEntry] {
        guard count > limit else { return places }
        let first = count % limit
        return Array(places[first...] + places[..<first])
    }
}
