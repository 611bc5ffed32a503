import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
            _ isSet: Bool,
            _ reason: String
        ) throws(TransportConfigurationError) {
            guard isSet else { return }
            throw .unsupported(setting, transport: "URLSessionTransport", reason: reason)
        }
        try refuse(.httpVersion, settings.httpVersion == .http1Only, "It selects the version of HTTP itself.")
        try refuse(.allowsRenegotiation, settings.allowsRenegotiation, "It decides itself about renegotiation.")
        try refuse(
            .maximumIdleConnections,
            settings.maximumIdleConnections != TransportConfiguration.defaultMaximumIdleConnections,
            "It decides itself which idle connections it keeps."
        )
        try refuse(
            .connectionPoolTimeout,
            settings.connectionPoolTimeout != nil,
            "It has no timeout for the wait for a connection."
        )
        try refuse(
            .requiresCloseNotify,
            settings.requiresCloseNotify,
            "It decides itself how a body without a length ends."
        )
        try refuse(
            .connectTimeout,
            ![nil, TransportConfiguration.defaultConnectTimeout].contains(settings.connectTimeout),
            "It has no connect timeout."
        )
        try refuse(
            .idleConnectionTimeout,
            settings.idleConnectionTimeout != nil,
            "It has no timeout for idle connections."
        )
        try refuse(.expectContinueSize, settings.expectContinueSize != nil, "It decides itself when a body is sent.")
        try refuse(
            .expectContinueTimeout,
            settings.expectContinueTimeout != TransportConfiguration.defaultExpectContinueTimeout,
            "It decides itself when a body is sent."
        )
        try refuse(.unixSocketPath, settings.unixSocketPath != nil, "It connects to network hosts only.")
        try refuse(.dnsOverride, !settings.dnsOverride.isEmpty, "It resolves host names itself.")
        try refuse(.hostResolver, settings.hostResolver != nil, "It resolves host names itself.")
        try refuse(
            .hostCachePolicy,
            settings.hostCachePolicy != HostCachePolicy(),
            "It resolves host names itself."
        )
        try refuse(.localAddress, settings.localAddress != nil, "It selects the local address itself.")
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
            try refuse(.serverTrustManager, settings.serverTrustManager != nil, reason)
            try refuse(.clientIdentity, settings.clientIdentity != nil, reason)
            try refuse(.minimumTLSVersion, settings.minimumTLSVersion != nil, reason)
            try refuse(.proxy, settings.proxy != nil, reason)
            try refuse(.usesSystemCredentials, settings.usesSystemCredentials, reason)
            try refuse(.usesSystemProxies, !settings.usesSystemProxies, reason)
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

    /// Returns the minimum for URLSession: the higher one of the configuration's and the transport's, which is 1.2 unless it
    /// is set.
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
        /// Raises the minimum version of TLS to this one, or to 1.2; a higher minimum is kept.
        fileprivate func raiseMinimumTLSVersion(to version: TLSVersion?) {
            let configured = tlsMinimumSupportedProtocolVersion.rawValue
            let number = TLSVersion.minimumNumber(configured: configured, version)
            guard number > configured, let minimum = tls_protocol_version_t(rawValue: number) else { return }
            tlsMinimumSupportedProtocolVersion = minimum
        }
    }
#endif
