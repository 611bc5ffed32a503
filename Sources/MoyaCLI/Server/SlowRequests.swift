/// The events of requests to `/slow` in the client and the server.
struct SlowRequests: Sendable {
    enum Event: Sendable {
        /// The client is about to send a request.
        case sent
        /// The server has received a request; only the embedded server reports this and the next event.
        case arrived
        /// The client disconnected before the response.
        case left
    }

    private let events: AsyncStream<Event>
    private let newEvents: AsyncStream<Event>.Continuation

    init() { (events, newEvents) = AsyncStream.makeStream() }

    func record(_ event: Event) { newEvents.yield(event) }

    /// Waits for an event, ignoring other events; returns false after the time limit.
    func wait(for event: Event, within limit: Duration = .seconds(60)) async -> Bool {
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
