/// A ring buffer of the last exchanges.
struct SeenRing: Sendable {
    /// The number of exchanges that are kept.
    let limit: Int
    /// The number of exchanges that were added.
    private(set) var count = 0
    /// The exchanges; the index of a number is its remainder modulo the limit.
    private var places: [SeenExchange] = []

    init(limit: Int) { self.limit = max(1, limit) }

    mutating func append(_ exchange: SeenExchange) {
        if places.count < limit { places.append(exchange) } else { places[count % limit] = exchange }
        count += 1
    }

    /// The exchanges that are kept, in order.
    var exchanges: [SeenExchange] {
        guard count > limit else { return places }
        let first = count % limit
        return Array(places[first...] + places[..<first])
    }
}
