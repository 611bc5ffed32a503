// Further HTTP/2 connections, while others are usable.
extension ConnectionPoolStateMachine {
    /// The connections that the server has refused, one after another, while an HTTP/2 connection was usable.
    struct RefusedConnections: Sendable {
        private var count = 0
        private var last: ConnectionID = 0
        /// The time before which no further connection is opened.
        private(set) var pauseEnd = Duration.zero

        /// Records a refused connection, or a failed connect attempt.
        mutating func record(_ id: ConnectionID, at now: Duration) {
            count += 1
            last = id
            pauseEnd = now + Self.pause(after: count)
        }

        /// Records a complete response: one on a later connection ends the pause.
        mutating func recordResponse(on id: ConnectionID) {
            if count > 0, id > last { self = Self() }
        }

        /// Returns the pause after a number of refused connections: one second after the first one, at most a minute.
        private static func pause(after count: Int) -> Duration { min(.seconds(1 << min(count - 1, 6)), .seconds(60)) }
    }

    /// The earliest time at which a connection should be opened although others are usable; `nil` if none is needed.
    ///
    /// One is needed if requests wait, all usable connections are full, and the server does not refuse all requests. There is one
    /// connect attempt at a time, and its connection receives the server's limit before the next one, so that a burst of requests
    /// opens no more connections than it fills.
    var timeOfFurtherConnect: Duration? {
        guard connectAttempts.isEmpty, refusals == 0, connectionCount < maximumConnections,
            http2Connections.allSatisfy({ !$0.isUsable || $0.isFull })
        else { return nil }
        return refusedConnections.pauseEnd
    }

    /// Returns whether an HTTP/2 connection other than this one accepts requests, now or later.
    func hasUsableConnection(besides id: ConnectionID? = nil) -> Bool {
        http2Connections.contains { $0.isUsable && $0.id != id }
    }
}
