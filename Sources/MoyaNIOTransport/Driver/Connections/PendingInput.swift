#if NIO && !canImport(Darwin)
import NIOCore

/// The check of a connection that has been idle, before a request is sent on it.
///
/// The server may have closed the connection, although the event loop has not read that yet. A request that is sent then is
/// lost, and cannot be sent again unless its method is idempotent (RFC 9110, section 9.2.2). The check is one system call. It
/// is left out for requests that can be sent again, if the connection was used just before.
enum PendingInput {
    /// The idle time up to which requests that can be sent again are sent without a check.
    static let uncheckedTime = TimeAmount.milliseconds(5)
    /// The time after which a connection with pending input is checked again for the first time.
    static let readTime = TimeAmount(TimeoutState.readTime)
    /// The maximum time between two checks.
    static let longestReadTime = TimeAmount.milliseconds(64)

    /// Returns whether unread bytes, or the unread end of the connection, wait in the socket of an idle connection.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - isReused: Whether the connection has carried a request.
    ///   - idleSince: The time since which the connection is idle.
    ///   - socket: The socket of the connection.
    /// - Returns: False also if the check is left out.
    static func exists(
        before request: OutboundRequest,
        isReused: Bool,
        idleSince: NIODeadline,
        _ socket: ConnectionSocket?
    ) -> Bool {
        guard isReused && !request.canBeResent || .now() - idleSince > uncheckedTime else { return false }
        return socket?.hasPendingInput ?? false
    }
}
#endif
