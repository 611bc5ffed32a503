#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import NIOSSL

    /// What a ``TransportConfiguration`` comes to where connections are made over NIO.
    struct NIOSettings: Sendable {
        /// Where a connection goes.
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
        /// Hosts in the spelling of ``HostName``.
        private let dnsOverride: [String: String]

        /// What most servers keep a connection for, or longer.
        private static let usualIdleTime = Duration.seconds(60)

        init(_ configuration: TransportConfiguration) throws(TransportConfigurationError) {
            try configuration.validate()
            self.init(configuration, handshake: try TLSHandshake(configuration))
        }

        /// What holds where nothing is configured, which can't fail.
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

        /// What a connection to an origin is made by.
        ///
        /// - Parameter host: The origin's, in the spelling that errors show.
        /// - Throws: ``ServerTrustError`` for a host that needs a rule and has none, or one that can't be followed.
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

        /// The host that is connected to for an origin, by the proxy if there is one.
        func target(of origin: Origin) -> String {
            let name = HostName(origin.host).text
            return dnsOverride[name] ?? name
        }

        /// What connections to an origin go through.
        func proxy(for origin: Origin) -> TransportProxy? { proxy ?? proxiesByScheme[origin.scheme] }

        /// Where connections to an origin go.
        func destination(of origin: Origin) -> Destination {
            if let unixSocketPath { return .socket(path: unixSocketPath) }
            if let proxy = proxy(for: origin) {
                return .address(host: HostName(proxy.address.host).text, port: proxy.address.port)
            }
            return .address(host: target(of: origin), port: origin.port)
        }
    }
#endif
