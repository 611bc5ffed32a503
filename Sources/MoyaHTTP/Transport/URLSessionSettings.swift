import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a ``TransportConfiguration`` comes to in URLSession: much on Apple's platforms, little on Linux.
struct URLSessionSettings: Sendable {
    #if canImport(Security)
        let serverTrustManager: ServerTrustManager?
        let clientCredential: URLSessionCredential?
        let proxyCredential: TransportProxy.Credential?
    #endif

    /// What holds where nothing is configured.
    init() {
        #if canImport(Security)
            (serverTrustManager, clientCredential, proxyCredential) = (nil, nil, nil)
        #endif
    }

    /// Finds what URLSession can't do, and writes into its configuration what it can.
    init(
        _ settings: TransportConfiguration,
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
        try refuse(.httpVersion, settings.httpVersion == .http1Only, "It chooses the version of HTTP by itself.")
        try refuse(
            .connectTimeout,
            ![nil, TransportConfiguration.defaultConnectTimeout].contains(settings.connectTimeout),
            "It has no time-out for connecting alone."
        )
        try refuse(
            .idleConnectionTimeout,
            settings.idleConnectionTimeout != nil,
            "It decides by itself how long it keeps connections."
        )
        try refuse(.unixSocketPath, settings.unixSocketPath != nil, "It connects to network hosts only.")
        try refuse(.dnsOverride, !settings.dnsOverride.isEmpty, "It looks hosts up by itself.")
        configuration.httpMaximumConnectionsPerHost = settings.maximumConnectionsPerHost
        #if canImport(Security)
            serverTrustManager = settings.serverTrustManager
            clientCredential = try settings.clientIdentity.map(URLSessionCredential.init)
            proxyCredential = settings.proxy?.credential
            configuration.tlsMinimumSupportedProtocolVersion =
                switch settings.minimumTLSVersion ?? .tls12 {
                case .tls10: .TLSv10
                case .tls11: .TLSv11
                case .tls12: .TLSv12
                case .tls13: .TLSv13
                }
            if let proxy = settings.proxy { try Self.write(proxy, to: configuration) }
        #else
            let reason = "URLSession on Linux has no such setting, or ignores it. Use NIOTransport."
            try refuse(.serverTrustManager, settings.serverTrustManager != nil, reason)
            try refuse(.clientIdentity, settings.clientIdentity != nil, reason)
            try refuse(.minimumTLSVersion, settings.minimumTLSVersion != nil, reason)
            try refuse(.proxy, settings.proxy != nil, reason)
        #endif
    }

    #if canImport(Security)
        // Not verified: nothing here has been compiled or run on an Apple platform yet.
        private static func write(
            _ proxy: TransportProxy,
            to configuration: URLSessionConfiguration
        ) throws(TransportConfigurationError) {
            let (host, port) = proxy.address
            switch proxy {
            case .http:
                // The constants for HTTPS are not on iOS; their values are.
                configuration.connectionProxyDictionary = [
                    "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
                    "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
                ]
            case .socks(_, _, .none):
                configuration.connectionProxyDictionary = [
                    "SOCKSEnable": 1, "SOCKSProxy": host, "SOCKSPort": port,
                ]
            case .socks:
                throw .unsupported(
                    .proxy,
                    transport: "URLSessionTransport",
                    reason: "It does not log in to a SOCKS proxy. Use a proxy without credentials, or an HTTP proxy."
                )
            }
        }
    #endif
}
