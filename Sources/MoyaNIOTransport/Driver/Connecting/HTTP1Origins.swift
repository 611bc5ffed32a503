/// The origins that require HTTP/1.1 (RFC 9113, section 7), of which the most recent ones are remembered.
final class HTTP1Origins: Sendable {
    /// The maximum number of origins to remember.
    static let maximumCount = 1_000

    private struct State: Sendable {
        var origins: Set<Origin> = []
        /// The origins in the order of insertion; a ring buffer once it is full.
        var order: [Origin] = []
        var oldest = 0
    }

    private let state = Locked(State())

    func insert(_ origin: Origin) {
        state.withLock { state in
            guard state.origins.insert(origin).inserted else { return }
            guard state.order.count == Self.maximumCount else { return state.order.append(origin) }
            state.origins.remove(state.order[state.oldest])
            state.order[state.oldest] = origin
            state.oldest = (state.oldest + 1) % Self.maximumCount
        }
    }

    func contains(_ origin: Origin) -> Bool { state.withLock { $0.origins.contains(origin) } }
}
