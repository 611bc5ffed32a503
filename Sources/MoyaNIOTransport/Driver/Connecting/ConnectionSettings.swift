#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOSSL

/// The settings of a transport for its connections, from a ``TransportConfiguration``.
struct ConnectionSettings: Sendable {
    /// The destination of a connection.
    enum Destination: Equatable, Sendable {
        case address(host: String, port: Int)
        case socket(path: String)
    }

    let maximumConnectionsPerHost: Int
    let maximumIdleConnections: Int
    let connectTimeout: Duration?
    /// The maximum time that a request waits for a connection; `nil` for no limit.
    let connectionPoolTimeout: Duration?
    let idleConnectionTimeout: Duration
    private let httpVersion: TransportConfiguration.HTTPVersion
    let requiresCloseNotify: Bool

    /// The address that connections are made from, if any.
    let localAddress: SocketAddress?

    private let routes: ProxyRoutes
    private let unixSocketPath: String?
    private let serverTrustManager: ServerTrustManager?
    private let tls: TLSSettings
    private let contexts = TLSContexts()
    /// The origins that require HTTP/1.1.
    private let http1Origins = HTTP1Origins()
    /// The overrides, by host in the normalized form of ``HostName``.
    private let dnsOverride: [String: String]
    /// The lookups of host names.
    let lookups: HostLookups
    let hostCachePolicy: HostCachePolicy?
    let secondConnectDelay: Duration?

    /// The default idle timeout, which is not longer than that of most servers.
    private static let usualIdleTime = Duration.seconds(60)

    init(_ configuration: TransportConfiguration) throws(TransportConfigurationError) {
        try configuration.validate()
        guard !configuration.usesSystemCredentials else {
            throw .unsupported(
                .usesSystemCredentials,
                transport: "NIOTransport",
                reason: "It supports neither NTLM nor Negotiate."
            )
        }
        self.init(configuration, tls: try TLSSettings(configuration))
    }

    /// Creates the default settings, which cannot fail.
    init(maximumConnectionsPerHost: Int) {
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.init(configuration, tls: TLSSettings(minimumVersion: .tlsv12))
    }

    private init(_ configuration: TransportConfiguration, tls: TLSSettings) {
        maximumConnectionsPerHost = configuration.maximumConnectionsPerHost
        maximumIdleConnections = configuration.maximumIdleConnections
        connectTimeout = configuration.connectTimeout.map { min($0, .longestTimeout) }
        connectionPoolTimeout = configuration.connectionPoolTimeout.map { min($0, .longestTimeout) }
        idleConnectionTimeout = min(configuration.idleConnectionTimeout ?? Self.usualIdleTime, .longestTimeout)
        requiresCloseNotify = configuration.requiresCloseNotify
        httpVersion = configuration.httpVersion
        localAddress = configuration.localAddress.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }
        routes = ProxyRoutes(configuration.proxyRules, storage: configuration.credentialStorage)
        unixSocketPath = configuration.unixSocketPath
        serverTrustManager = configuration.serverTrustManager
        self.tls = tls
        dnsOverride = Dictionary(
            configuration.dnsOverride.map { (HostName($0).text, HostName($1).text) },
            uniquingKeysWith: { one, _ in one }
        )
        lookups = configuration.hostResolver.map { HostLookups($0) } ?? .system
        hostCachePolicy = configuration.hostCachePolicy
        secondConnectDelay =
            configuration.startsSecondAttempt ? ConnectionPoolStateMachine.secondConnectDelay : nil
    }

    /// Returns the connector for an origin.
    ///
    /// - Parameters:
    ///   - origin: The origin.
    ///   - host: The host of the origin, as it should appear in errors.
    ///   - alternative: The alternative of the origin to connect to, if any.
    /// - Returns: The connector.
    /// - Throws: ``ServerTrustError`` for a host without a required rule, or for a rule that cannot be applied;
    ///   ``TransportConfigurationError`` for a proxy of the environment that is invalid.
    func connector(for origin: Origin, host: String, at alternative: Origin? = nil) throws -> Connector {
        var connector = Connector(
            origin: origin,
            settings: self,
            route: try route(to: origin),
            tls: try hostTLS(of: origin, host: host)
        )
        connector.alternative = alternative
        return connector
    }

    /// Returns the connector for upgrades at an origin: it offers HTTP/1.1 only, and needs a tunnel through an HTTP proxy.
    ///
    /// The parameters and the errors are those of ``connector(for:host:at:)``.
    func upgradeConnector(for origin: Origin, host: String) throws -> Connector {
        var connector = Connector(
            origin: origin,
            settings: self,
            route: try route(to: origin, needsTunnel: true),
            tls: try hostTLS(of: origin, host: host)
        )
        connector.isHTTP1Only = true
        return connector
    }

    /// Returns the TLS of the connections to an origin; `nil` without TLS.
    private func hostTLS(of origin: Origin, host: String) throws -> HostTLS? {
        guard origin.scheme == "https" else { return nil }
        let rule =
            try serverTrustManager?.rule(forHost: host)
            ?? ServerTrustRule(pattern: nil, evaluator: DefaultTrustEvaluator())
        let requirements = TLSRequirements(rule.evaluator)
        let configuration: TLSConfiguration
        do {
            configuration = try tls.configuration(for: requirements)
        } catch {
            throw rule.refusal(of: host, .nothingToCompareWith, cause: error)
        }
        return HostTLS(rule: rule, requirements: requirements, configuration: configuration, contexts: contexts)
    }

    /// Returns the versions of HTTP that the next connection to an origin offers.
    func offeredProtocols(to origin: Origin) -> OfferedProtocols {
        OfferedProtocols(
            httpVersion,
            isSecure: origin.scheme == "https",
            allowsRenegotiation: tls.allowsRenegotiation,
            isHTTP1Required: http1Origins.contains(origin)
        )
    }

    /// Returns whether connections may lead to the alternatives of an origin, which speak HTTP/2.
    ///
    /// A proxy for the origin is not bypassed (RFC 7838, section 2.4).
    func canUseAlternatives(of origin: Origin) -> Bool {
        guard offeredProtocols(to: origin) == .http2AndHTTP1, case .direct? = try? route(to: origin) else {
            return false
        }
        return true
    }

    /// Records that an origin requires HTTP/1.1 (RFC 9113, section 7).
    func recordHTTP1Required(by origin: Origin) { http1Origins.insert(origin) }

    /// Returns the host to connect to for an origin, directly or through a proxy.
    func connectHost(of origin: Origin) -> String {
        let name = HostName(origin.host).text
        return dnsOverride[name] ?? name
    }

    /// Returns the HTTP proxy that requests to a URL are sent to in absolute form, if any.
    func forwardingProxy(for url: URL) -> HTTPProxy? {
        guard routes.canForward, let origin = Origin(url) else { return nil }
        return forwardingProxy(to: origin)
    }

    /// Returns the HTTP proxy that requests to an origin are sent to in absolute form, if any.
    func forwardingProxy(to origin: Origin) -> HTTPProxy? {
        guard routes.canForward, case .forwarding(let proxy)? = try? route(to: origin) else { return nil }
        return proxy
    }

    /// Returns the connector for requests to any origin that are sent to an HTTP proxy in absolute form.
    func connector(to proxy: HTTPProxy) -> Connector {
        let origin = Origin(scheme: "http", host: proxy.host, port: proxy.port)
        return Connector(origin: origin, settings: self, route: .forwarding(proxy), tls: nil)
    }

    /// Returns the way to an origin.
    ///
    /// A request in absolute form would be one for the host of the URL, so that connections to another host need a tunnel.
    private func route(to origin: Origin, needsTunnel: Bool = false) throws(TransportConfigurationError) -> ProxyRoute {
        try routes.route(to: origin, needsTunnel: needsTunnel || dnsOverride[HostName(origin.host).text] != nil)
    }

    /// Returns the destination of connections for an origin.
    func destination(of origin: Origin, by route: ProxyRoute) -> Destination {
        if let unixSocketPath { return .socket(path: unixSocketPath) }
        return switch route {
        case .direct: .address(host: connectHost(of: origin), port: origin.port)
        case .forwarding(let proxy), .tunnel(let proxy): .address(host: proxy.host, port: proxy.port)
        case .socks(let host, let port, _): .address(host: host, port: port)
        }
    }
}

extension TransportConfiguration {
    /// The proxies: those of the configuration, of the `connectionProxyDictionary`, or of the environment.
    fileprivate var proxyRules: ProxyRules {
        if let proxy { return ProxyRules(proxy) }
        if let dictionaryProxies { return dictionaryProxies }
        guard usesSystemProxies, unixSocketPath == nil else { return ProxyRules() }
        return ProxyRules(environment: ProcessInfo.processInfo.environment)
    }
}
#endif
