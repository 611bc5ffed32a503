import Foundation

/// The error of a request that has waited for a connection for too long, and has not been sent.
///
/// It is found under `NSUnderlyingErrorKey` of a `URLError.timedOut`; see `URLError.connectionWait`.
public struct ConnectionWaitError: Error, Equatable, Sendable, MaskedError {
    /// The cause of the wait.
    public enum Resource: Equatable, Sendable {
        /// All connections to the server were in use.
        case connection(of: Int)
        /// All streams that the server allows on its HTTP/2 connections were in use. The number is 0 if the server allowed none
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

    /// Returns the error of a request that has timed out while it waited for a connection.
    static func timedOut(
        _ timeout: RequestTimeoutError,
        waiting time: Duration,
        for pool: PoolStatus,
        url: URL
    ) -> URLError {
        let cause = pool.error(after: time)
        return .timedOut(timeout, url: url, reason: cause.description, cause: cause)
    }
}
