/// The side of a connection, which decides whether its frames are masked (RFC 6455, section 5.1).
package enum WebSocketRole: Sendable {
    /// The side that has requested the connection; it masks its frames.
    case client
    /// The side that has accepted the connection, and that does not mask its frames.
    case server
}
