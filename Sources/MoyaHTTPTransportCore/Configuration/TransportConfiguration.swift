import Foundation
import MoyaPublicSuffixList

/// The configuration of a transport's connections: server trust, client identity, proxies and limits.
///
///     var connection = TransportConfiguration()
///     connection.connectTimeout = .seconds(5)
///     connection.proxy = .http(host: "proxy.example.com", port: 3128)
///     let session = Session(transport: try NIOTransport(connection: connection))
///
/// No setting is ignored: a transport supports it, or its initializer throws a ``TransportConfigurationError``. The
/// timeouts of requests are not part of the configuration; see ``TransportRequest/idleTimeout`` and
/// ``TransportRequest/exchangeTimeout``.
public struct TransportConfiguration: Sendable {
    /// The versions of HTTP that may be used.
    public enum HTTPVersion: Sendable {
        /// HTTP/2 if the server negotiates it in the TLS handshake (ALPN, RFC 7301), otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.1 only.
        case http1Only
    }

    /// The server trust rules for `https`; `nil` to trust the servers that the system trusts.
    public var serverTrustManager: ServerTrustManager?
    /// The identity for servers that request a client certificate.
    public var clientIdentity: ClientIdentity?
    /// The minimum version of TLS; `nil` for the minimum of the transport.
    ///
    /// That minimum is 1.2, except for URLSession on Linux, which also supports 1.1 and 1.0 and cannot be
    /// configured; there any minimum is rejected. On Apple's platforms a higher `tlsMinimumSupportedProtocolVersion` of the
    /// `URLSessionConfiguration` is kept.
    public var minimumTLSVersion: TLSVersion?
    /// Whether a body that ends with the connection is an error if the TLS close alert is missing (`close_notify`; RFC
    /// 8446, section 6.1).
    ///
    /// The default is false: many servers do not send the alert, and other clients accept such a body. If it is true,
    /// `URLError.networkConnectionLost` tells that the body may have been truncated, by an attacker, too (RFC 9112,
    /// section 9.8). Bodies with a length or in chunks do not need the alert: they are always checked. URLSession has
    /// no such setting.
    public var requiresCloseNotify = false
    /// Whether a server may renegotiate TLS 1.2 on a connection, once, usually to ask for a client certificate when it has
    /// seen the request (RFC 5246, section 7.4.1.1; RFC 5746).
    ///
    /// The default is false: the request fails with `URLError.secureConnectionFailed`. If it is true, connections are over
    /// HTTP/1.1 only, since HTTP/2 forbids renegotiation (RFC 9113, section 9.2.1). `NIOTransport` supports it.
    public var allowsRenegotiation = false
    /// The versions of HTTP that may be used.
    public var httpVersion = HTTPVersion.automatic
    /// Whether requests over `https` use the alternatives for HTTP/2 that servers name in `Alt-Svc` (RFC 7838): another port,
    /// or another host.
    ///
    /// The certificate must still be one for the host in the URL. If no connection to the alternative can be made within two
    /// seconds, or if the alternative does not serve the host (421), the request is sent to the host in the URL, and the
    /// alternative is not used for five minutes. Nor is an alternative at which a request has timed out.
    ///
    /// Alternatives are in memory, for this transport only, until they expire; `persist` is ignored, because changes of the
    /// network are not observed. They are not used through a proxy, and not for a body that cannot be sent again.
    ///
    /// The default is false. `NIOTransport` supports it.
    public var usesAlternativeServices = false
    /// The maximum number of connections to a host, at least 1.
    ///
    /// Further requests wait for a free connection. HTTP/2 uses one connection for all requests to a host, and opens a further one
    /// while requests wait because all streams that the server allows are in use. A connection that accepts no more requests, and
    /// one whose server is in doubt, do not count, because they need a replacement.
    ///
    /// The default is the `httpMaximumConnectionsPerHost` of the `URLSessionConfiguration`, if the transport is created with
    /// one, and otherwise 6.
    public var maximumConnectionsPerHost: Int {
        get { chosenConnectionsPerHost ?? Self.defaultMaximumConnectionsPerHost }
        set { chosenConnectionsPerHost = newValue }
    }
    /// The ``maximumConnectionsPerHost`` if it was set.
    package var chosenConnectionsPerHost: Int?
    /// The maximum number of idle connections to all hosts together, at least 0.
    ///
    /// Beyond it, the least recently used ones are closed. The default of 256 leaves room for connections in use and files of a
    /// process that may open 1024. If the process has no file descriptors left, all idle connections are closed, and the
    /// connection that could not be opened is opened once more. ``NIOTransport`` supports it.
    public var maximumIdleConnections = TransportConfiguration.defaultMaximumIdleConnections
    /// The maximum time that a request waits for a connection, including the time to establish it; `nil` for no limit other
    /// than ``TransportRequest/exchangeTimeout``.
    ///
    /// A request waits if the ``maximumConnectionsPerHost`` are in use or, over HTTP/2, all streams that the server allows on them.
    /// It then fails with a ``ConnectionWaitError``, without having been sent. The ``TransportRequest/idleTimeout`` does not
    /// include this wait. The default is `nil`. ``NIOTransport`` supports it.
    public var connectionPoolTimeout: Duration?
    /// The maximum time to establish a connection, including the DNS lookup, the proxy and the TLS handshake; `nil`
    /// for no limit other than that of the request.
    ///
    /// The default is ten seconds. URLSession has no such limit, and accepts only the default and `nil`.
    public var connectTimeout: Duration? = TransportConfiguration.defaultConnectTimeout
    /// The time after which an idle connection is closed; `nil` for the default of the transport.
    public var idleConnectionTimeout: Duration?
    /// The size in bytes of a request body, at least 1, from which the request has `Expect: 100-continue` (RFC 9110,
    /// section 10.1.1); `nil` for none.
    ///
    /// Such a body is sent when the server agrees (100), or after the ``expectContinueTimeout``, and not at all if the server
    /// refuses the request. A body of unknown length counts as large. A request that has the field is sent in this way, whatever
    /// the size of its body. After a 417, the request is sent once more without the field.
    ///
    /// The default is `nil`, since a server that does not know the field costs each such request the whole timeout.
    /// ``NIOTransport`` supports it, over HTTP/1.1 and HTTP/2.
    public var expectContinueSize: Int64?
    /// The maximum time to wait for a server's agreement to a body, after which it is sent anyway.
    public var expectContinueTimeout = TransportConfiguration.defaultExpectContinueTimeout
    /// The proxy for all requests; `nil` for those of the system, if ``usesSystemProxies`` is true, or none.
    public var proxy: TransportProxy?
    /// Whether the system's proxies are used if ``proxy`` is `nil`.
    ///
    /// The default is true, as with URLSession. For `NIOTransport` the system's proxies are those of the environment variables
    /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, with the rules of curl: the last three may also be in upper case,
    /// and `localhost` is no exception. They are read when the transport is created. They are not used with a ``unixSocketPath``.
    /// A variable that is not a proxy, or one of a type that is not supported, fails the requests that need it.
    ///
    /// URLSession uses the same variables on Linux, where that cannot be changed, and the system's settings on Apple
    /// platforms.
    public var usesSystemProxies = true
    /// Whether URLSession responds to challenges by NTLM and Negotiate (Kerberos) with the ticket of the user who is logged in
    /// to the system.
    ///
    /// The default is false: any server could request it. Servers then get no credentials for these schemes, and a response
    /// has the status 401. Proxies get the credential of ``proxy`` or of the configuration's `urlCredentialStorage`. URLSession
    /// on Apple's platforms supports it.
    public var usesSystemCredentials = false
    /// The proxies of a `connectionProxyDictionary`, which replace those of the system.
    package var dictionaryProxies: ProxyRules?
    /// The storage with credentials for HTTP proxies, by protection space.
    package var credentialStorage: URLCredentialStorage?
    /// The IPv4 or IPv6 address that connections are made from; `nil` for the system's choice.
    ///
    /// Servers and proxies must have an address of the same version of IP.
    public var localAddress: String?
    /// The path of a Unix domain socket for all connections, whatever the host of the URL.
    ///
    /// It has at most 103 bytes.
    public var unixSocketPath: String?
    /// Addresses, or other hosts, to connect to instead of a host.
    ///
    /// The request and the expected certificate are still those for the host in the URL.
    public var dnsOverride: [String: String] = [:]
    /// The resolver of host names, of servers and proxies; `nil` for that of the system, ``SystemHostResolver``.
    ///
    /// A SOCKS proxy, and an HTTP proxy with a tunnel, resolve the server's name themselves. ``NIOTransport`` supports it.
    public var hostResolver: (any HostResolver)?
    /// The times for which resolved names are reused; `nil` to resolve each name anew.
    ///
    /// Transports with the resolver of the system share the results; each ``hostResolver`` has results for its transport
    /// only. ``NIOTransport`` supports it.
    public var hostCachePolicy: HostCachePolicy? = HostCachePolicy()

    /// Whether a pool starts a second connection attempt while the first one takes long.
    ///
    /// Tests that count connections turn it off.
    package var startsSecondAttempt = true

    static let defaultMaximumConnectionsPerHost = 6
    package static let defaultMaximumIdleConnections = 256
    package static let defaultConnectTimeout = Duration.seconds(10)
    package static let defaultExpectContinueTimeout = Duration.seconds(1)

    /// Creates a configuration with default settings.
    public init() {}

    /// Creates a configuration with server trust rules and otherwise default settings.
    public init(serverTrustManager: ServerTrustManager?) { self.serverTrustManager = serverTrustManager }

    /// Throws if a setting is invalid for any transport.
    package func validate() throws(TransportConfigurationError) {
        if let pattern = serverTrustManager?.invalidPatterns.first {
            throw .invalid(
                .serverTrustManager,
                reason: "\"\(pattern)\" is not a host or a pattern like \"*.example.com\", or is a duplicate."
            )
        }
        if usesAlternativeServices, httpVersion == .http1Only || allowsRenegotiation || unixSocketPath != nil {
            throw .invalid(
                .usesAlternativeServices,
                reason: "Alternatives need HTTP/2, and cannot be combined with a Unix socket or with renegotiation."
            )
        }
        guard maximumConnectionsPerHost >= 1 else {
            throw .invalid(.maximumConnectionsPerHost, reason: "There must be at least one connection.")
        }
        guard maximumIdleConnections >= 0 else {
            throw .invalid(.maximumIdleConnections, reason: "The number must not be negative.")
        }
        try check(connectionPoolTimeout, .connectionPoolTimeout)
        try check(connectTimeout, .connectTimeout)
        try check(idleConnectionTimeout, .idleConnectionTimeout)
        try check(expectContinueTimeout, .expectContinueTimeout)
        guard expectContinueSize ?? 1 >= 1 else {
            throw .invalid(.expectContinueSize, reason: "Only a body of at least one byte can wait.")
        }
        try proxy?.validate()
        for case .success(let proxy)? in ["http", "https"].map({ dictionaryProxies?.proxies[$0] }) {
            try proxy.validate()
        }
        if let localAddress, IPAddress(localAddress) == nil {
            throw .invalid(.localAddress, reason: "\"\(localAddress)\" is not an IP address.")
        }
        if let path = unixSocketPath { try check(unixSocketPath: path) }
        for (host, target) in dnsOverride {
            for name in [host, target] where HostName.Pattern(name) == nil || name.hasPrefix("*") {
                throw .invalid(.dnsOverride, reason: "\"\(name)\" is neither a host name nor an IP address.")
            }
        }
        if let policy = hostCachePolicy, min(policy.addressLifetime, policy.notFoundLifetime) < .zero {
            throw .invalid(.hostCachePolicy, reason: "A lifetime must not be negative.")
        }
    }

    private func check(
        _ time: Duration?,
        _ setting: TransportConfigurationError.Setting
    ) throws(TransportConfigurationError) {
        guard let time, time <= .zero else { return }
        throw .invalid(setting, reason: "The time must be positive.")
    }

    /// The maximum length of a socket path without the terminating NUL, on the platform with the lowest limit.
    private static let longestSocketPath = 103

    private func check(unixSocketPath path: String) throws(TransportConfigurationError) {
        guard (1...Self.longestSocketPath).contains(path.utf8.count), !path.utf8.contains(0) else {
            throw .invalid(.unixSocketPath, reason: "The path must have 1 to \(Self.longestSocketPath) bytes.")
        }
        guard proxy == nil, dictionaryProxies?.proxies.isEmpty ?? true else {
            throw .invalid(.proxy, reason: "A proxy cannot be combined with a Unix socket.")
        }
        guard localAddress == nil else {
            throw .invalid(.localAddress, reason: "A local address cannot be combined with a Unix socket.")
        }
        guard dnsOverride.isEmpty else {
            throw .invalid(.dnsOverride, reason: "DNS overrides cannot be combined with a Unix socket.")
        }
        guard hostResolver == nil else {
            throw .invalid(.hostResolver, reason: "A resolver cannot be combined with a Unix socket.")
        }
        guard hostCachePolicy == HostCachePolicy() else {
            throw .invalid(.hostCachePolicy, reason: "No host names are resolved for a Unix socket.")
        }
    }
}

/// A version of TLS.
public enum TLSVersion: Int, Comparable, CaseIterable, Sendable {
    /// TLS 1.0 (RFC 2246), which is deprecated (RFC 8996).
    case tls10
    /// TLS 1.1 (RFC 4346), which is deprecated (RFC 8996).
    case tls11
    /// TLS 1.2 (RFC 5246).
    case tls12
    /// TLS 1.3 (RFC 8446).
    case tls13

    /// Returns whether a version is older than another.
    public static func < (one: TLSVersion, other: TLSVersion) -> Bool { one.rawValue < other.rawValue }
}
