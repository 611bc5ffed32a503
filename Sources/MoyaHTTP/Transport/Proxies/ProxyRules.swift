/// The proxies for URLs by scheme, and the hosts that are reached without a proxy.
struct ProxyRules: Equatable, Sendable {
    /// The proxy for URLs of a scheme, or the reason why it cannot be used.
    ///
    /// A proxy of the environment that is invalid fails only the requests that need it.
    var proxies: [String: Result<TransportProxy, TransportConfigurationError>] = [:]
    var exceptions = ProxyExceptions()

    /// Creates rules without a proxy.
    init() {}

    /// Creates rules with one proxy for all URLs.
    init(_ proxy: TransportProxy) {
        proxies = ["http": .success(proxy), "https": .success(proxy)]
    }

    /// Returns the proxy for an origin, if any.
    func proxy(for origin: Origin) throws(TransportConfigurationError) -> TransportProxy? {
        guard let proxy = proxies[origin.scheme], !exceptions.contains(origin) else { return nil }
        return try proxy.get()
    }
}
