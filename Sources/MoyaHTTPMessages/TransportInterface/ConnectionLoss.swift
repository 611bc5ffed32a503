/// The error of a connection that was lost before the response began.
package protocol ConnectionLoss: Error {
    /// Whether an idempotent request may be sent again: the connection had, or may have, been used before, or the server requires
    /// HTTP/1.1.
    var allowsResend: Bool { get }
}
