#if NIO && !canImport(Darwin)
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

    /// The size up to which chunks of a body in one read are joined, and delivered with the head.
    static var longestJoined: Int { 64 * 1024 }
}
#endif
