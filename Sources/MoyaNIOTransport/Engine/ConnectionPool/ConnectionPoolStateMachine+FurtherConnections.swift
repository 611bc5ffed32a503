// Further HTTP/2 connections, while others are usable.
extension ConnectionPoolStateMachine {
    /// The earliest time at which a connection should be opened although others are usable; `nil` if none is needed.
    ///
    /// One is needed if requests wait, all usable connections are full, and the server does not refuse all requests. There is one
    /// connect attempt at a time, and its connection receives the server's limit before the next one, so that a burst of requests
    /// opens no more connections than it fills.
    var timeOfFurtherConnect: Duration? {
        guard connectAttempts.isEmpty, !memory.hasRefusal, connectionCount < maximumConnections,
            http2Connections.allSatisfy({ !$0.isUsable || $0.isFull })
        else { return nil }
        return memory.furtherPauseEnd
    }
}
