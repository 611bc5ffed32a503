#if AsyncHTTPClient && !canImport(Darwin)
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOSSL
    import Tracing

    /// What a ``TransportConfiguration`` comes to in AsyncHTTPClient: the configuration of each client.
    struct AsyncHTTPClientSettings: Sendable {
        let serverTrustManager: ServerTrustManager?
        let unixSocketPath: String?

        private let tls: AsyncHTTPClientTLS
        private let configuration: TransportConfiguration
        /// Hosts in lower case.
        private let dnsOverride: [String: String]

        init(_ configuration: TransportConfiguration) throws(TransportConfigurationError) {
            try configuration.validate()
            if case .socks(_, _, .some) = configuration.proxy {
                throw .unsupported(
                    .proxy,
                    transport: "AsyncHTTPClientTransport",
                    reason: "It does not log in to a SOCKS proxy. Use a proxy without credentials, or an HTTP proxy."
                )
            }
            self.configuration = configuration
            serverTrustManager = configuration.serverTrustManager
            unixSocketPath = configuration.unixSocketPath
            dnsOverride = Dictionary(
                configuration.dnsOverride.map { (HostName($0).text, HostName($1).text) },
                uniquingKeysWith: { one, _ in one }
            )
            tls = try AsyncHTTPClientTLS(configuration)
        }

        /// What holds where nothing is configured, which can't fail.
        init(maximumConnectionsPerHost: Int) {
            var configuration = TransportConfiguration()
            configuration.maximumConnectionsPerHost = maximumConnectionsPerHost
            self.configuration = configuration
            serverTrustManager = nil
            unixSocketPath = nil
            dnsOverride = [:]
            tls = AsyncHTTPClientTLS(minimumVersion: .tlsv12)
        }

        /// The rule for a host: what the system trusts, where there is no other.
        func rule(forHost host: String) throws(ServerTrustError) -> ServerTrustRule {
            try serverTrustManager?.rule(forHost: host)
                ?? ServerTrustRule(pattern: nil, evaluator: DefaultTrustEvaluator())
        }

        /// The configuration of the client for plain HTTP.
        var plain: HTTPClient.Configuration { client(tls.configuration) }

        /// The configuration of a client for one host, whose rule it asks.
        ///
        /// The host's name is not left to the engine to check. NIOSSL also accepts a certificate for the address that it is
        /// connected to, in place of the name: whoever can answer a look-up, and has a certificate for an address, could
        /// pass for any host. Behind a proxy or a socket that address is not even the host's. And it still takes the
        /// common name for a host's (RFC 9525, sections 2 and 6.1.1).
        func client(forHost host: String, rule: ServerTrustRule) throws(ServerTrustError) -> HTTPClient.Configuration {
            let verification = rule.evaluator.verification.validatingHost(false)
            let tls: TLSConfiguration
            do {
                tls = try self.tls.configuration(verifying: verification)
            } catch {
                throw rule.refusal(of: host, .nothingToCompareWith, cause: error)
            }
            var client = client(tls)
            let check: @Sendable (any Channel) -> EventLoopFuture<Void> = {
                AsyncHTTPClientTLS.check($0, for: host, rule: rule, verification: verification)
            }
            client.http1_1ConnectionDebugInitializer = check
            client.http2ConnectionDebugInitializer = check
            return client
        }

        /// Where a URL leads the engine, which knows a unix socket by a URL of its own, and hosts by their spelling.
        func engineURL(for url: URL) -> URL? {
            guard unixSocketPath != nil || !dnsOverride.isEmpty,
                var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            else { return url }
            guard let unixSocketPath else {
                guard let host = parts.host, case let name = HostName(host).text, dnsOverride[name] != nil else {
                    return url
                }
                parts.host = name.contains(":") ? "[\(name)]" : name
                return parts.url
            }
            parts.scheme = nil
            parts.user = nil
            parts.password = nil
            parts.host = nil
            parts.port = nil
            let target = parts.string ?? ""
            return url.scheme?.lowercased() == "https"
                ? URL(httpsURLWithSocketPath: unixSocketPath, uri: target)
                : URL(httpURLWithSocketPath: unixSocketPath, uri: target)
        }

        /// The `Host` of a request whose URL in the engine has none.
        func host(for url: URL) -> String? {
            guard unixSocketPath != nil, var host = url.host else { return nil }
            if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
            let isDefault = url.port == (url.scheme?.lowercased() == "https" ? 443 : 80)
            guard let port = url.port, !isDefault else { return host }
            return "\(host):\(port)"
        }

        private func client(_ tls: TLSConfiguration) -> HTTPClient.Configuration {
            var client = HTTPClient.Configuration(
                tlsConfiguration: tls,
                redirectConfiguration: .disallow,
                // An exchange has time-outs of its own; the client's must not come first.
                timeout: .init(
                    connect: TimeAmount(min(configuration.connectTimeout ?? .longestTimeout, .longestTimeout))
                )
            )
            client.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.maximumConnectionsPerHost
            client.connectionPool.retryConnectionEstablishment = false
            if let time = configuration.idleConnectionTimeout {
                client.connectionPool.idleTimeout = TimeAmount(min(time, .longestTimeout))
            }
            // Spans that go nowhere are a tenth of what the client does for a request.
            if client.tracing.tracer is NoOpTracer { client.tracing.tracer = nil }
            client.httpVersion = configuration.httpVersion == .http1Only ? .http1Only : .automatic
            client.dnsOverride = dnsOverride
            client.proxy = configuration.proxy.map { proxy in
                let (host, port) = (HostName(proxy.address.host).text, proxy.address.port)
                return switch proxy {
                case .socks: .socksServer(host: host, port: port)
                case .http(_, _, let credential):
                    .server(
                        host: host,
                        port: port,
                        authorization: credential.map { .basic(username: $0.user, password: $0.password) }
                    )
                }
            }
            return client
        }
    }

    extension TimeAmount {
        init(_ duration: Duration) {
            let (seconds, attoseconds) = duration.components
            self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
        }
    }
#endif
