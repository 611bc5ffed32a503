/// A receiver of the changes of a transport's connections, for metrics.
///
/// It is called on any thread, without a lock of the transport, and must not block.
package protocol ConnectionObserver: AnyObject, Sendable {
    /// Handles a change of the number of a server's connections.
    func connectionsChanged(_ counts: ConnectionCounts)

    /// Handles the end of a connection that was opened so long ago.
    func connectionClosed(_ connection: ObservedConnection, after age: Duration)
}

/// A transport that reports the changes of its connections.
package protocol ObservableTransport: HTTPTransport {
    /// Adds an observer, unless it has been added already.
    ///
    /// It gets the current number of each server's connections.
    func addConnectionObserver(_ observer: any ConnectionObserver)
}

/// The server and the version of HTTP of a connection.
package struct ObservedConnection: Hashable, Sendable {
    package let server: Origin
    /// Whether the connection uses HTTP/2.
    package let isHTTP2: Bool

    package init(server: Origin, isHTTP2: Bool) { (self.server, self.isHTTP2) = (server, isHTTP2) }
}

/// The number of a server's connections in each state.
package struct ConnectionCounts: Equatable, Sendable {
    /// The number of connections with and without a request.
    package struct States: Equatable, Sendable {
        package var active: Int
        package var idle: Int

        package init(active: Int = 0, idle: Int = 0) { (self.active, self.idle) = (active, idle) }
    }

    package let server: Origin
    /// The number of the pool in the process: a server may have a new one when the earlier one has ended.
    package let pool: Int
    /// The number of the report: of two reports of a pool that arrive in the wrong order, the higher one counts.
    package let number: Int
    package let http1: States
    package let http2: States

    package init(server: Origin, pool: Int, number: Int, http1: States, http2: States) {
        (self.server, self.pool, self.number, self.http1, self.http2) = (server, pool, number, http1, http2)
    }
}
