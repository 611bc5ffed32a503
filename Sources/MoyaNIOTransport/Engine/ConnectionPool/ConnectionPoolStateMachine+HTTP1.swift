// The exchanges on HTTP/1.1 connections.
extension ConnectionPoolStateMachine {
    /// Handles the end of an exchange on an HTTP/1.1 connection, which can be reused.
    ///
    /// `keepAliveTime` is the time for which the server keeps it open, if it has said so.
    mutating func freed(_ id: ConnectionID, keepAliveTime: Duration? = nil, at now: Duration) -> [Action] {
        http1.takeFreed(id, keepAliveTime: keepAliveTime, at: now).map { useAgain($0, at: now) } ?? []
    }

    /// Handles an HTTP/1.1 connection that is upgraded to another protocol: it carries no more requests, and does not count any more.
    mutating func upgraded(_ id: ConnectionID, at now: Duration) -> [Action] { closed(id, at: now) }

    /// Handles an HTTP/1.1 connection that has not sent its last request, whose exchange was over.
    mutating func unused(_ id: ConnectionID, at now: Duration) -> [Action] {
        http1.takeUnused(id).map { useAgain($0, at: now) } ?? []
    }

    /// Lets a connection run the next request, or makes it idle, unless it must be closed.
    private mutating func useAgain(_ connection: HTTP1Connections.Connection, at now: Duration) -> [Action] {
        let id = connection.id
        let isExpectedToClose = !waiting.isEmpty && http1.isExpectedToClose(connection, at: now)
        if isExpectedToClose
            || (waiting.resentCount > connectAttempts.count && connectionCount >= maximumConnections - 1)
        {
            // Its place is needed for a new connection.
            return [.close(id)] + startConnectAttempts(at: now)
        }
        if let request = waiting.popFirstUnsent() {
            http1.markBusy(connection, at: now)
            return [.run(request, on: id)]
        }
        return http1.markIdle(connection, at: now) ? [] : [.close(id)]
    }

    /// Closes all idle connections, because a request on a reused HTTP/1.1 connection timed out before it got a response.
    ///
    /// The idle connections may be stale, too.
    mutating func closeIdleConnections() -> [Action] { close(http1.removeAllIdle()) }
}
