#if NIO && !canImport(Darwin)
/// The way to an origin.
enum ProxyRoute: Sendable {
    case direct
    /// Requests to an HTTP proxy in absolute form (RFC 9112, section 3.2.2).
    case forwarding(HTTPProxy)
    /// A tunnel through an HTTP proxy (RFC 9110, section 9.3.6).
    case tunnel(HTTPProxy)
    case socks(host: String, port: Int, credential: TransportProxy.Credential?)

    /// The address of the proxy, for errors; `nil` without a proxy.
    var proxy: ProxyAddress? {
        switch self {
        case .direct: nil
        case .forwarding(let proxy), .tunnel(let proxy): proxy.address
        case .socks(let host, let port, _): ProxyAddress(host: host, port: port)
        }
    }
}

/// The proxies of a transport.
struct ProxyRoutes: Sendable {
    /// Whether requests may be in absolute form.
    let canForward: Bool
    private let rules: ProxyRules
    /// The HTTP proxies by scheme; two schemes with the same proxy share one.
    private let proxies: [String: HTTPProxy]

    init(_ rules: ProxyRules, storage: URLCredentialStorage?) {
        self.rules = rules
        var known: [(key: TransportProxy, proxy: HTTPProxy)] = []
        proxies = rules.proxies.compactMapValues { result in
            guard case .success(let key) = result, case .http(let host, let port, let credential) = key else {
                return nil
            }
            if let proxy = known.first(where: { $0.key == key })?.proxy { return proxy }
            let name = HostName(host).text
            let proxy = HTTPProxy(host: name, port: port, credential: credential, storage: storage)
            known.append((key, proxy))
            return proxy
        }
        canForward = proxies["http"] != nil
    }

    /// Returns the way to an origin.
    ///
    /// - Parameters:
    ///   - origin: The origin.
    ///   - needsTunnel: Whether requests cannot be in absolute form.
    /// - Returns: The way.
    /// - Throws: The reason why the proxy of the environment cannot be used.
    func route(
        to origin: Origin,
        needsTunnel: Bool
    ) throws(TransportConfigurationError) -> ProxyRoute {
        guard let proxy = try rules.proxy(for: origin) else { return .direct }
        if case .socks(let host, let port, let credential) = proxy {
            return .socks(host: HostName(host).text, port: port, credential: credential)
        }
        guard let proxy = proxies[origin.scheme] else { return .direct }
        return origin.scheme == "http" && !needsTunnel ? .forwarding(proxy) : .tunnel(proxy)
    }
}
#endif
