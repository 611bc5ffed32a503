/// The phase of a session or a transport between its creation and the end of its shutdown.
public enum ServicePhase: String, Sendable, CaseIterable {
    /// New requests are accepted.
    case open
    /// New requests are refused, and earlier ones are still running.
    case draining
    /// New requests are refused, and no request is running.
    case closed
}

/// The state of a transport at one moment, for health checks and dashboards.
public struct TransportStatus: Sendable, Equatable {
    /// The connections to one server, or to one proxy that gets requests in absolute form, and the requests that wait for them.
    public struct Server: Sendable, Equatable {
        /// The scheme of the URLs: `http` or `https`.
        public var scheme: String
        /// The host of the server or the proxy.
        public var host: String
        /// The port.
        public var port: Int
        /// The number of connections with a running request.
        public var activeConnections: Int
        /// The number of open connections without a request.
        public var idleConnections: Int
        /// The number of connections that are being opened.
        public var connectAttempts: Int
        /// The number of requests that wait for a connection.
        public var waitingRequests: Int

        /// Creates the state of a server's connections.
        public init(
            scheme: String,
            host: String,
            port: Int,
            activeConnections: Int = 0,
            idleConnections: Int = 0,
            connectAttempts: Int = 0,
            waitingRequests: Int = 0
        ) {
            (self.scheme, self.host, self.port) = (scheme, host, port)
            (self.activeConnections, self.idleConnections) = (activeConnections, idleConnections)
            (self.connectAttempts, self.waitingRequests) = (connectAttempts, waitingRequests)
        }
    }

    /// Whether the transport accepts requests.
    public var phase: ServicePhase
    /// The number of running exchanges, including those that wait for a connection, and of bodies that have not arrived completely.
    public var runningExchanges: Int
    /// The servers to which there are connections, or for which requests wait; empty if the transport does not know its connections.
    public var servers: [Server]

    /// Creates a state.
    public init(phase: ServicePhase, runningExchanges: Int, servers: [Server] = []) {
        (self.phase, self.runningExchanges, self.servers) = (phase, runningExchanges, servers)
    }

    /// The number of connections with a running request.
    public var activeConnections: Int { servers.reduce(0) { $0 + $1.activeConnections } }
    /// The number of open connections without a request.
    public var idleConnections: Int { servers.reduce(0) { $0 + $1.idleConnections } }
    /// The number of connections that are being opened.
    public var connectAttempts: Int { servers.reduce(0) { $0 + $1.connectAttempts } }
    /// The number of requests that wait for a connection.
    public var waitingRequests: Int { servers.reduce(0) { $0 + $1.waitingRequests } }
}
