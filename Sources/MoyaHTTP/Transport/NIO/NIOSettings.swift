#if NIO && !canImport(Darwin)
    import Foundation
    import NIOSSL

    /// The settings of a ``TransportConfiguration`` for NIO.
    struct NIOSettings: Sendable {
        /// The destination of a connection.
        enum Destination: Equatable, Sendable {
            case address(host: String, port: Int)
            case socket(path: String)
        }

        let limit: Int
        let connectTimeout: Duration?
        let idleConnectionTimeout: Duration
        let maySpeakHTTP2: Bool

        private let proxy: TransportProxy?
        private let proxiesByScheme: [String: TransportProxy]
        private let unixSocketPath: String?
        private let serverTrustManager: ServerTrustManager?
        private let handshake: TLSHandshake
        private let contexts = NIOTLSContexts()
        /// The overrides, by host in the normalized form of ``HostName``.
        private let dnsOverride: [String: String]

        /// The default idle timeout, which is not longer than that of most servers.
        private static let usualIdleTime = Duration.seconds(60)

        init(_ configuration: TransportConfiguration) throws(TransportConfigurationError) {
            try configuration.validate()
            self.init(configuration, handshake: try TLSHandshake(configuration))
        }

        /// Creates the default settings, which cannot fail.
        init(maximumConnectionsPerHost: Int) {
            var configuration = TransportConfiguration()
            configuration.maximumConnectionsPerHost = maximumConnectionsPerHost
            self.init(configuration, handshake: TLSHandshake(minimumVersion: .tlsv12))
        }

        private init(_ configuration: TransportConfiguration, handshake: TLSHandshake) {
            limit = configuration.maximumConnectionsPerHost
            connectTimeout = configuration.connectTimeout.map { min($0, .longestTimeout) }
            idleConnectionTimeout = min(configuration.idleConnectionTimeout ?? Self.usualIdleTime, .longestTimeout)
            maySpeakHTTP2 = configuration.httpVersion == .automatic
            proxy = configuration.proxy
            proxiesByScheme = configuration.proxiesByScheme
            unixSocketPath = configuration.unixSocketPath
            serverTrustManager = configuration.serverTrustManager
            self.handshake = handshake
            dnsOverride = Dictionary(
                configuration.dnsOverride.map { (HostName($0).text, HostName($1).text) },
                uniquingKeysWith: { one, _ in one }
            )
        }

        /// Returns the connector for an origin.
        ///
        /// - Parameters:
        ///   - origin: The origin.
        ///   - host: The host of the origin, as it should appear in errors.
        /// - Returns: The connector.
        /// - Throws: ``ServerTrustError`` for a host without a required rule, or for a rule that cannot be applied.
        func connector(for origin: Origin, host: String) throws(ServerTrustError) -> NIOConnector {
            guard origin.scheme == "https" else { return NIOConnector(origin: origin, settings: self, trust: nil) }
            let rule =
                try serverTrustManager?.rule(forHost: host)
                ?? ServerTrustRule(pattern: nil, evaluator: DefaultTrustEvaluator())
            let configuration: TLSConfiguration
            do {
                configuration = try handshake.configuration(
                    for: rule,
                    protocols: maySpeakHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
                )
            } catch {
                throw rule.refusal(of: host, .nothingToCompareWith, cause: error)
            }
            return NIOConnector(
                origin: origin,
                settings: self,
                trust: NIOServerTrust(rule: rule, configuration: configuration, contexts: contexts)
            )
        }

        /// Returns the host to connect to for an origin, directly or through a proxy.
        func target(of origin: Origin) -> String {
            let name = HostName(origin.host).text
            return dnsOverride[name] ?? name
        }

        /// Returns the proxy for an origin, if any.
        func proxy(for origin: Origin) -> TransportProxy? { proxy ?? proxiesByScheme[origin.scheme] }

        /// Returns the destination of connections for an origin.
        func destination(of origin: Origin) -> Destination {
            if let unixSocketPath { return .socket(path: unixSocketPath) }
            if let proxy = proxy(for: origin) {
                return .address(host: HostName(proxy.address.host).text, port: proxy.address.port)
            }
            return .address(host: target(of: origin), port: origin.port)
        }
    }
#endif
