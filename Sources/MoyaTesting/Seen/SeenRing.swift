/// The last exchanges, and how many there were. Pure.
struct SeenRing: Sendable {
    /// How many are kept.
    let limit: Int
    /// How many there were.
    private(set) var count = 0
    /// Goes round: the place of a number is what is left when it is divided by the limit.
    private var places: [SeenExchange] = []

    init(limit: Int) { self.limit = max(1, limit) }

    mutating func append(_ exchange: SeenExchange) {
        if places.count < limit { places.append(exchange) } else { places[count % limit] = exchange }
        count += 1
    }

    /// Those that are kept, in their order.
    var exchanges: [SeenExchange] {
        guard count > limit else { return places }
        let first = count % limit
        return Array(places[first...] + places[..<first])
    }
}
