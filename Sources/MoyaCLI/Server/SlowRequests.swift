/// What client and server have seen of the requests to `/slow`.
struct SlowRequests: Sendable {
    enum Event: Sendable {
        /// The client is about to send one.
        case sent
        /// The server has got one. Only the embedded server tells this, and the next.
        case arrived
        /// The client went before it had an answer.
        case left
    }

    private let events: AsyncStream<Event>
    private let newEvents: AsyncStream<Event>.Continuation

    init() { (events, newEvents) = AsyncStream.makeStream() }

    func note(_ event: Event) { newEvents.yield(event) }

    /// Waits for an event, passing over others. False if it does not come within a time that is long enough anywhere.
    func see(_ event: Event, within limit: Duration = .seconds(60)) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await events.contains(event) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            let isSeen = await group.next() ?? false
            group.cancelAll()
            return isSeen
        }
    }
}
