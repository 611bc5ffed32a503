import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state of a connection pool for a request that waits for a connection.
package struct ConnectionWait: Sendable {
    /// The maximum time to wait; `nil` for no limit.
    let timeout: Duration?
    /// Whether connection attempts have a time limit.
    let isConnectLimited: Bool
    /// The time for which the pool has had no connection, whether or not it has attempts; `nil` if it has one.
    let disconnected: Duration?
    /// The number of connections, or of streams, one of which has to become free.
    let capacity: Int
    /// Whether requests wait for streams of an HTTP/2 connection, which may allow none at the moment.
    let isForStreams: Bool
    /// The server.
    let server: String

    /// Returns the error of a request that has waited for too long.
    func error(after time: Duration) -> ConnectionWaitError {
        ConnectionWaitError(
            waited: time,
            server: server,
            resource: isForStreams ? .stream(of: capacity) : disconnected != nil ? .attempt : .connection(of: capacity)
        )
    }
}

/// The error of a request that has waited for a connection for too long, and has not been sent.
///
/// It is found under `NSUnderlyingErrorKey` of a `URLError.timedOut`; see `URLError.connectionWait`.
public struct ConnectionWaitError: Error, Equatable, Sendable, MaskedError {
    /// The cause of the wait.
    public enum Resource: Equatable, Sendable {
        /// All connections to the server were in use.
        case connection(of: Int)
        /// All streams that the server allows on its HTTP/2 connection were in use. The number is 0 if the server allowed none
        /// (SETTINGS_MAX_CONCURRENT_STREAMS).
        case stream(of: Int)
        /// No connection had been established.
        case attempt
    }

    /// The time that the request has waited.
    public let waited: Duration
    /// The scheme, host and port of the server, with the proxy of its tunnel, or those of the proxy.
    public let server: String
    /// The cause of the wait.
    public let resource: Resource

    /// Creates an error.
    public init(waited: Duration, server: String, resource: Resource) {
        (self.waited, self.server, self.resource) = (waited, server, resource)
    }

    /// A sentence with the time, the cause and the server.
    public var errorDescription: String? {
        if resource == .stream(of: 0) {
            return "The request waited \(waited.text) for a stream of the HTTP/2 connection to \(server), whose"
                + " server allows 0 at once, and was not sent."
        }
        let subject =
            switch resource {
            case .connection(of: 1): "the only connection"
            case .connection(of: let count): "one of \(count) connections"
            case .stream(of: 1): "the only stream"
            case .stream(of: let count): "one of \(count) streams"
            case .attempt: "a first connection"
            }
        return "The request waited \(waited.text) for \(subject) to \(server), and was not sent."
    }
}

extension URLError {
    /// The reason why a request has timed out before it was sent: it waited for a connection; `nil` for other errors.
    public var connectionWait: ConnectionWaitError? { userInfo[NSUnderlyingErrorKey] as? ConnectionWaitError }

    /// Returns the error of a request that has waited for a connection for too long.
    static func timedOut(_ wait: ConnectionWait, after time: Duration, url: URL) -> URLError {
        let cause = wait.error(after: time)
        return .make(.timedOut, url: url, reason: cause.description, cause: cause)
    }
}
