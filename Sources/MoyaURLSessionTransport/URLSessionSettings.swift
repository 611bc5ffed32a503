import Foundation

#if canImport(Security)
import Security
#endif

/// The settings of a ``TransportConfiguration`` for URLSession, which supports many on Apple platforms, and few on
/// Linux.
struct URLSessionSettings: Sendable {
    #if canImport(Security)
    let serverTrustManager: ServerTrustManager?
    let clientCredential: URLSessionCredential?
    let proxyCredential: TransportProxy.Credential?
    /// The storage of the application's configuration, which the session uses for servers, and URLSession for proxies.
    let credentialStorage: URLCredentialStorage?
    let usesSystemCredentials: Bool
    #endif

    /// Creates the default settings, and applies them to the configuration of URLSession.
    ///
    /// - Parameters:
    ///   - original: The application's configuration.
    ///   - configuration: The copy of it that URLSession gets.
    init(of original: URLSessionConfiguration, writingTo configuration: URLSessionConfiguration) {
        #if canImport(Security)
        (serverTrustManager, clientCredential, proxyCredential) = (nil, nil, nil)
        (credentialStorage, usesSystemCredentials) = (original.urlCredentialStorage, false)
        configuration.raiseMinimumTLSVersion(to: nil)
        #endif
    }

    /// Applies the supported settings to the configuration of URLSession, and throws for unsupported ones.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - original: The application's configuration.
    ///   - configuration: The copy of it that URLSession gets.
    /// - Throws: ``TransportConfigurationError``.
    init(
        _ settings: TransportConfiguration,
        of original: URLSessionConfiguration,
        writingTo configuration: URLSessionConfiguration
    ) throws(TransportConfigurationError) {
        try settings.validate()
        func refuse(
            _ setting: TransportConfigurationError.Setting,
            if isSet: Bool,
            because reason: String
        ) throws(TransportConfigurationError) {
            guard isSet else { return }
            throw .unsupported(setting, transport: "URLSessionTransport", reason: reason)
        }
        try refuse(
            .httpVersion,
            if: settings.httpVersion == .http1Only,
            because: "It selects the version of HTTP itself."
        )
        try refuse(
            .allowsRenegotiation,
            if: settings.allowsRenegotiation,
            because: "It decides itself about renegotiation."
        )
        try refuse(
            .usesAlternativeServices,
            if: settings.usesAlternativeServices,
            because: "It decides itself about alternatives of servers."
        )
        try refuse(
            .maximumIdleConnections,
            if: settings.maximumIdleConnections != TransportConfiguration.defaultMaximumIdleConnections,
            because: "It decides itself which idle connections it keeps."
        )
        try refuse(
            .connectionPoolTimeout,
            if: settings.connectionPoolTimeout != nil,
            because: "It has no timeout for the wait for a connection."
        )
        try refuse(
            .requiresCloseNotify,
            if: settings.requiresCloseNotify,
            because: "It decides itself how a body without a length ends."
        )
        try refuse(
            .connectTimeout,
            if: ![nil, TransportConfiguration.defaultConnectTimeout].contains(settings.connectTimeout),
            because: "It has no connect timeout."
        )
        try refuse(
            .idleConnectionTimeout,
            if: settings.idleConnectionTimeout != nil,
            because: "It has no timeout for idle connections."
        )
        try refuse(
            .expectContinueSize,
            if: settings.expectContinueSize != nil,
            because: "It decides itself when a body is sent."
        )
        try refuse(
            .expectContinueTimeout,
            if: settings.expectContinueTimeout != TransportConfiguration.defaultExpectContinueTimeout,
            because: "It decides itself when a body is sent."
        )
        try refuse(.unixSocketPath, if: settings.unixSocketPath != nil, because: "It connects to network hosts only.")
        try refuse(.dnsOverride, if: !settings.dnsOverride.isEmpty, because: "It resolves host names itself.")
        try refuse(.hostResolver, if: settings.hostResolver != nil, because: "It resolves host names itself.")
        try refuse(
            .hostCachePolicy,
            if: settings.hostCachePolicy != HostCachePolicy(),
            because: "It resolves host names itself."
        )
        try refuse(.localAddress, if: settings.localAddress != nil, because: "It selects the local address itself.")
        if let limit = settings.chosenConnectionsPerHost { configuration.httpMaximumConnectionsPerHost = limit }
        #if canImport(Security)
        serverTrustManager = settings.serverTrustManager
        clientCredential = try settings.clientIdentity.map(URLSessionCredential.init)
        proxyCredential = settings.proxy?.credential
        credentialStorage = original.urlCredentialStorage
        usesSystemCredentials = settings.usesSystemCredentials
        configuration.raiseMinimumTLSVersion(to: settings.minimumTLSVersion)
        if let proxy = settings.proxy {
            try Self.write(proxy, to: configuration)
        } else if !settings.usesSystemProxies, configuration.connectionProxyDictionary == nil {
            // An empty dictionary means no proxy.
            configuration.connectionProxyDictionary = [:]
        }
        #else
        let reason = "URLSession on Linux has no such setting, or ignores it. Use NIOTransport."
        try refuse(.serverTrustManager, if: settings.serverTrustManager != nil, because: reason)
        try refuse(.clientIdentity, if: settings.clientIdentity != nil, because: reason)
        try refuse(.minimumTLSVersion, if: settings.minimumTLSVersion != nil, because: reason)
        try refuse(.proxy, if: settings.proxy != nil, because: reason)
        try refuse(.usesSystemCredentials, if: settings.usesSystemCredentials, because: reason)
        try refuse(.usesSystemProxies, if: !settings.usesSystemProxies, because: reason)
        #endif
    }

    #if canImport(Security)
    // Compiled against stubs on Linux; not tested on Apple platforms.
    private static func write(
        _ proxy: TransportProxy,
        to configuration: URLSessionConfiguration
    ) throws(TransportConfigurationError) {
        let (host, port) = proxy.address
        switch proxy {
        case .http:
            // The constants for HTTPS are not available on iOS, but their values are supported.
            configuration.connectionProxyDictionary = [
                "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
                "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
            ]
        case .socks(_, _, .none):
            configuration.connectionProxyDictionary = [
                "SOCKSEnable": 1, "SOCKSProxy": host, "SOCKSPort": port,
            ]
        case .socks(_, _, let credential?):
            guard configuration.useSOCKSProxy(host: host, port: port, credential) else {
                throw .unsupported(
                    .proxy,
                    transport: "URLSessionTransport",
                    reason:
                        "It logs in to a SOCKS proxy on macOS 14, iOS 17, tvOS 17 and watchOS 10 or later. Use a "
                        + "proxy without credentials, or an HTTP proxy."
                )
            }
        }
    }
    #endif
}

extension TLSVersion {
    /// The number of the version in the protocol (RFC 8446, section 4.1.2), which is the raw value of
    /// `tls_protocol_version_t`.
    ///
    /// Security's constants for 1.0 and 1.1 are deprecated.
    private var protocolNumber: UInt16 {
        switch self {
        case .tls10: 0x0301
        case .tls11: 0x0302
        case .tls12: 0x0303
        case .tls13: 0x0304
        }
    }

    /// Returns the minimum version of TLS for URLSession: the higher of the configuration's minimum and the transport's, which is
    /// 1.2 unless it is set.
    ///
    /// - Parameters:
    ///   - configured: The number of the minimum in a `URLSessionConfiguration`.
    ///   - version: ``TransportConfiguration/minimumTLSVersion``.
    /// - Returns: The number of the minimum.
    static func minimumNumber(configured: UInt16, _ version: TLSVersion?) -> UInt16 {
        max(configured, (version ?? .tls12).protocolNumber)
    }
}

#if canImport(Security)
extension URLSessionConfiguration {
    /// Raises the minimum version of TLS to a version, or to 1.2 if it is `nil`; a higher minimum is kept.
    fileprivate func raiseMinimumTLSVersion(to version: TLSVersion?) {
        let configured = tlsMinimumSupportedProtocolVersion.rawValue
        let number = TLSVersion.minimumNumber(configured: configured, version)
        guard number > configured, let minimum = tls_protocol_version_t(rawValue: number) else { return }
        tlsMinimumSupportedProtocolVersion = minimum
    }
}
#endif
