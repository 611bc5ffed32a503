import Foundation

/// The facts of a connection in URLSession's metrics.
struct URLSessionConnectionFacts: Equatable, Sendable {
    /// The version and the addresses.
    var connection = ResponseInfo.Connection()
    /// Whether the connection had been used before.
    var isReused = false

    init() {}

    /// Creates the facts from the properties of `URLSessionTaskTransactionMetrics`.
    ///
    /// - Parameters:
    ///   - protocolName: The protocol's name in ALPN (RFC 7301, section 6): `http/1.1`, `h2` or `h3`.
    ///   - remote: The server's address and port.
    ///   - local: The local address and port.
    ///   - isReused: Whether the connection had been used before.
    init(
        protocolName: String?,
        remote: (address: String?, port: Int?),
        local: (address: String?, port: Int?),
        isReused: Bool
    ) {
        connection = ResponseInfo.Connection(
            httpVersion: protocolName.flatMap { Self.version($0) },
            remoteAddress: Self.address(remote),
            localAddress: Self.address(local)
        )
        self.isReused = isReused
    }

    private static func version(_ name: String) -> String? {
        switch name.lowercased() {
        case "h2", "h2c": "HTTP/2"
        case "h3": "HTTP/3"
        case let name where name.hasPrefix("h3-"): "HTTP/3"
        case let name where name.hasPrefix("http/"): name.uppercased()
        default: nil
        }
    }

    private static func address(_ end: (address: String?, port: Int?)) -> ResponseInfo.Address? {
        guard let address = end.address, let port = end.port else { return nil }
        return ResponseInfo.Address(ipAddress: address, port: port)
    }

    /// Returns the error of a task, marked if the connection of the task had been used before.
    ///
    /// After a marked error, the session sends the request again if it may be sent twice (RFC 9112, section 9.3.1).
    func error(_ error: URLError) -> URLError {
        guard isReused, error.code == .networkConnectionLost else { return error }
        var info = error.userInfo
        info[NSUnderlyingErrorKey] = ReusedConnectionLost(cause: info[NSUnderlyingErrorKey] as? any Error)
        return URLError(error.code, userInfo: info)
    }

    /// The loss of a connection that had been used before.
    private struct ReusedConnectionLost: ConnectionLoss, CustomStringConvertible {
        let cause: (any Error)?

        var allowsResend: Bool { true }

        var description: String { "A reused connection was lost" + (cause.map { ": \($0)" } ?? ".") }
    }
}
