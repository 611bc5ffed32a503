/// The versions of HTTP that the connections to an origin offer.
///
/// A connection over TLS offers them in the handshake (ALPN, RFC 7301). Without TLS there is only HTTP/1.1.
enum OfferedProtocols: Equatable, Sendable {
    case http1
    case http2AndHTTP1

    /// Decides which versions connections offer.
    ///
    /// - Parameters:
    ///   - setting: The setting of the transport.
    ///   - isSecure: Whether the connections use TLS.
    ///   - allowsRenegotiation: Whether the server may renegotiate TLS, which HTTP/2 forbids (RFC 9113, section 9.2.1). BoringSSL
    ///     does not look at the version of HTTP.
    ///   - isHTTP1Required: Whether the origin has required HTTP/1.1 (RFC 9113, section 7).
    init(
        _ setting: TransportConfiguration.HTTPVersion,
        isSecure: Bool,
        allowsRenegotiation: Bool,
        isHTTP1Required: Bool
    ) {
        self = setting == .automatic && isSecure && !allowsRenegotiation && !isHTTP1Required ? .http2AndHTTP1 : .http1
    }

    /// The names for the handshake, the preferred one first.
    var names: [String] {
        switch self {
        case .http1: ["http/1.1"]
        case .http2AndHTTP1: [Self.http2Name, "http/1.1"]
        }
    }

    /// The name of HTTP/2 over TLS (RFC 9113, section 3.2).
    static let http2Name = "h2"
}
