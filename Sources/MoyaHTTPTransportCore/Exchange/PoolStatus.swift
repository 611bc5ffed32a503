/// The state of a connection pool for a request that waits for a connection.
package struct PoolStatus: Sendable {
    /// The maximum time to wait; `nil` for no limit.
    package let timeout: Duration?
    /// Whether connect attempts have a time limit.
    package let isConnectLimited: Bool
    /// The time for which the pool has had no connection, whether or not it has connect attempts; `nil` if it has one.
    package let disconnected: Duration?
    /// The number of connections, or of streams, one of which has to become free.
    package let capacity: Int
    /// Whether requests wait for streams of HTTP/2 connections, which may allow none at the moment.
    package let isForStreams: Bool
    /// The server.
    package let server: String

    package init(
        timeout: Duration?,
        isConnectLimited: Bool,
        disconnected: Duration?,
        capacity: Int,
        isForStreams: Bool,
        server: String
    ) {
        self.timeout = timeout
        self.isConnectLimited = isConnectLimited
        self.disconnected = disconnected
        self.capacity = capacity
        self.isForStreams = isForStreams
        self.server = server
    }

    /// Returns the error of a request that has waited for too long.
    func error(after time: Duration) -> ConnectionWaitError {
        ConnectionWaitError(
            waited: time,
            server: server,
            resource: isForStreams ? .stream(of: capacity) : disconnected != nil ? .attempt : .connection(of: capacity)
        )
    }
}
