#if NIO && !canImport(Darwin)
import NIOCore

/// A connection that runs requests.
///
/// It must be used on its event loop only.
protocol HTTPConnection: AnyObject {
    /// Sends a request.
    func run(_ request: OutboundRequest)
    /// Stops the work on a running request, whose exchange is over.
    func stop(_ exchange: Exchange)
    /// Fails all running requests, and closes the connection immediately.
    func shutDown()
    /// Closes a connection without running requests: shuts it down, unless the version of HTTP has a message for it.
    func close()
}

extension HTTPConnection {
    func close() { shutDown() }
}

extension Exchange.Carrier {
    /// Creates the carrier of all exchanges on a connection, which checks their timeouts itself.
    ///
    /// It does not keep the connection alive, since the connection owns it.
    init(of connection: any HTTPConnection, on loop: any EventLoop) {
        let bound = NIOLoopBound(WeakConnection(connection: connection), eventLoop: loop)
        self.init(stop: { exchange in loop.runOnLoop { bound.value.connection?.stop(exchange) } }, schedule: nil)
    }
}

private struct WeakConnection {
    weak var connection: (any HTTPConnection)?
}
#endif
