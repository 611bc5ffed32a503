#if NIO && !canImport(Darwin)
    import NIOCore

    @testable import MoyaHTTP

    extension ConnectionPool {
        /// Creates the only pool in a table.
        convenience init(_ connector: NIOConnector, on loops: [any EventLoop]) {
            self.init(
                connector,
                key: .origin(connector.origin),
                in: ConnectionPoolTable(maximumIdleConnections: 256),
                on: loops
            )
        }
    }
#endif
