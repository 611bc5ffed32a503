#if NIO && !canImport(Darwin)
    import NIOCore

    /// A connection that runs requests.
    ///
    /// It must be used on its event loop only.
    protocol HTTPConnection: AnyObject {
        /// Sends a request.
        func run(_ request: OutboundRequest)
        /// Cancels a running request.
        func cancel(_ exchange: Exchange)
        /// Fails all running requests, and closes the connection immediately.
        func shutDown()
        /// Closes a connection without running requests.
        func close()
    }

    extension Exchange.Carrier {
        /// Creates the carrier of all exchanges on a connection, which checks their timeouts itself.
        ///
        /// It does not keep the connection alive, since the connection owns it.
        init(of connection: any HTTPConnection, on loop: any EventLoop) {
            let bound = NIOLoopBound(WeakConnection(connection: connection), eventLoop: loop)
            self.init(
                cancel: { exchange in
                    let cancel: @Sendable () -> Void = { bound.value.connection?.cancel(exchange) }
                    if bound.eventLoop.inEventLoop { cancel() } else { bound.eventLoop.execute(cancel) }
                },
                schedule: nil
            )
        }
    }

    private struct WeakConnection {
        weak var connection: (any HTTPConnection)?
    }
#endif
