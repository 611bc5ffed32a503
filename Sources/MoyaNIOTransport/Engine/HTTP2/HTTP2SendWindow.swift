#if NIO && !canImport(Darwin)
/// The send window of a stream or of a connection (RFC 9113, section 6.9).
struct HTTP2SendWindow: Equatable {
    static let initial = 65_535
    static let maximum = 0x7fff_ffff

    /// The number of bytes that may be sent; that of a stream may be negative (RFC 9113, section 6.9.2).
    private(set) var size: Int
    /// Whether an error ends the stream or the connection.
    private let scope: HTTP2Error.Scope

    /// Creates the window of a stream or of the connection.
    init(of scope: HTTP2Error.Scope, size: Int = initial) { (self.scope, self.size) = (scope, size) }

    /// Counts the bytes of a DATA frame that is sent.
    mutating func countSent(_ count: Int) { size -= count }

    /// Enlarges the window by a WINDOW_UPDATE of the server.
    mutating func enlarge(by increment: UInt32) throws(HTTP2Error) {
        guard increment > 0 else { throw error(.protocolError, "A window is enlarged by 0.") }
        size += Int(increment)
        guard size <= Self.maximum else { throw error(.flowControlError, "A window is larger than allowed.") }
    }

    /// Changes the window with the initial window of the server's settings (RFC 9113, section 6.9.2).
    mutating func change(by difference: Int) throws(HTTP2Error) {
        size += difference
        guard size <= Self.maximum else {
            throw .connection(.flowControlError, "The initial window makes a stream's window too large.")
        }
    }

    private func error(_ code: HTTP2ErrorCode, _ reason: String) -> HTTP2Error {
        scope == .stream ? .stream(code, reason) : .connection(code, reason)
    }
}
#endif
