/// The error of a connection that was lost before the response began.
package protocol ConnectionLoss: Error {
    /// Whether the connection had, or may have, been used before.
    var isFromReusedConnection: Bool { get }
}
