import Foundation

/// How a transport connects: whom it trusts, how it makes itself known, and which ways it takes.
///
///     var configuration = TransportConfiguration()
///     configuration.connectTimeout = .seconds(5)
///     configuration.proxy = .http(host: "proxy.example.com", port: 3128)
///     let session = Session(transport: try NIOTransport(configuration: configuration))
///
/// A transport takes each setting seriously: it honours it, or its initializer throws a
/// ``TransportConfigurationError``. How long a request may be idle or take is no business of the transport's: see
/// ``TransportRequest/idleTimeout`` and ``TransportRequest/totalTimeout``.
public struct TransportConfiguration: Sendable {
    /// The version of HTTP that is spoken.
    public enum HTTPVersion: Sendable {
        /// HTTP/2 where the server agrees to it in the TLS handshake (ALPN, RFC 7301), otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.1 only.
        case http1Only
    }

    /// Whom to trust over `https`; `nil` for whom the system trusts.
    public var serverTrustManager: ServerTrustManager?
    /// What a server is shown that wants to know who its client is.
    public var clientIdentity: ClientIdentity?
    /// The oldest version of TLS that is spoken; `nil` for the transport's own minimum. That is 1.2, but for URLSession on
    /// Linux, which also speaks 1.1 and 1.0 and can't be told not to: there any minimum is refused.
    public var minimumTLSVersion: TLSVersion?
    /// The version of HTTP that is spoken.
    public var httpVersion = HTTPVersion.automatic
    /// How many HTTP/1.1 connections one host gets; further requests wait for a free one. At least one. HTTP/2 carries
    /// all requests to a host on one connection.
    public var maximumConnectionsPerHost = 6
    /// How long making a connection may take: the lookup, the proxy and the TLS handshake together. `nil` for as long as the
    /// request may. Ten seconds, unless it is set; URLSession, which has no such limit of its own, accepts that and `nil` only.
    public var connectTimeout: Duration? = TransportConfiguration.defaultConnectTimeout
    /// How long a connection without a request is kept; `nil` for as long as the engine likes.
    public var idleConnectionTimeout: Duration?
    /// A proxy that all requests go through; `nil` for none.
    public var proxy: TransportProxy?
    /// Those that a `connectionProxyDictionary` names, for requests of one scheme each.
    var proxiesByScheme: [String: TransportProxy] = [:]
    /// The path of a unix socket that all connections go to, whatever host the URL names. At most 103 bytes.
    public var unixSocketPath: String?
    /// Which address, or other host, to connect to in place of a host. The request, and the certificate it wants, are for
    /// the host in the URL all the same.
    public var dnsOverride: [String: String] = [:]

    static let defaultConnectTimeout = Duration.seconds(10)

    /// Makes a configuration in which nothing is special.
    public init() {}

    /// Makes a configuration with a manager of server trust, and otherwise nothing special.
    public init(serverTrustManager: ServerTrustManager?) { self.serverTrustManager = serverTrustManager }

    /// Finds what makes no sense on any transport.
    func validate() throws(TransportConfigurationError) {
        if let pattern = serverTrustManager?.invalidPatterns.first {
            throw .invalid(
                .serverTrustManager,
                reason: "\"\(pattern)\" is no host, no pattern like \"*.example.com\", or twice there."
            )
        }
        guard maximumConnectionsPerHost >= 1 else {
            throw .invalid(.maximumConnectionsPerHost, reason: "There must be at least one connection.")
        }
        try check(connectTimeout, .connectTimeout)
        try check(idleConnectionTimeout, .idleConnectionTimeout)
        if let proxy { try check(proxy) }
        for proxy in proxiesByScheme.values { try check(proxy) }
        if let path = unixSocketPath { try check(unixSocketPath: path) }
        for (host, target) in dnsOverride {
            for name in [host, target] where HostName.Pattern(name) == nil || name.hasPrefix("*") {
                throw .invalid(.dnsOverride, reason: "\"\(name)\" is neither a host name nor an IP address.")
            }
        }
    }

    private func check(
        _ time: Duration?,
        _ setting: TransportConfigurationError.Setting
    ) throws(TransportConfigurationError) {
        guard let time, time <= .zero else { return }
        throw .invalid(setting, reason: "A time must be longer than zero.")
    }

    private func check(_ proxy: TransportProxy) throws(TransportConfigurationError) {
        guard let host = HostName.Pattern(proxy.address.host), !host.text.hasPrefix("*") else {
            throw .invalid(.proxy, reason: "\"\(proxy.address.host)\" is neither a host name nor an IP address.")
        }
        guard (1...65_535).contains(proxy.address.port) else {
            throw .invalid(.proxy, reason: "The port \(proxy.address.port) is not between 1 and 65535.")
        }
        switch proxy {
        case .http(_, _, let credential?):
            guard !credential.user.utf8.contains(UInt8(ascii: ":")) else {
                throw .invalid(.proxy, reason: "A user name has no colon (RFC 7617, section 2).")
            }
        case .socks(_, _, let credential?):
            for text in [credential.user, credential.password] where !(1...255).contains(text.utf8.count) {
                throw .invalid(
                    .proxy,
                    reason: "SOCKS user names and passwords have 1 to 255 bytes (RFC 1929, section 2)."
                )
            }
        case .http, .socks: break
        }
    }

    /// What the system has room for, with the zero at the end, on the platform that has the least.
    private static let longestSocketPath = 103

    private func check(unixSocketPath path: String) throws(TransportConfigurationError) {
        guard (1...Self.longestSocketPath).contains(path.utf8.count), !path.utf8.contains(0) else {
            throw .invalid(.unixSocketPath, reason: "A path has 1 to \(Self.longestSocketPath) bytes.")
        }
        guard proxy == nil, proxiesByScheme.isEmpty else {
            throw .invalid(.proxy, reason: "Nothing goes through a proxy where a unix socket is used.")
        }
        guard dnsOverride.isEmpty else {
            throw .invalid(.dnsOverride, reason: "No host is looked up where a unix socket is used.")
        }
    }
}
