/// The progress of a fetch, which its reporter records and its followers read.
final class FetchProgress: Sendable {
    struct State: Sendable {
        /// The last time at which the request was sent or a part of its response was received; `nil` while the request waits
        /// for a connection.
        var lastActivity: Duration?
        var hasResponse = false
    }

    private let locked = Locked(State())

    var state: State { locked.withLock { $0 } }

    func recordActivity(at time: Duration, isResponse: Bool) {
        locked.withLock { state in
            state.lastActivity = time
            if isResponse { state.hasResponse = true }
        }
    }
}
