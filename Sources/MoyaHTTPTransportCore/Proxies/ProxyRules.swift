/// The proxies for URLs by scheme, and the hosts that are reached without a proxy.
package struct ProxyRules: Equatable, Sendable {
    /// The proxy for URLs of a scheme, or the reason why it cannot be used.
    ///
    /// A proxy of the environment that is invalid fails only the requests that need it.
    package var proxies: [String: Result<TransportProxy, TransportConfigurationError>] = [:]
    var exceptions = ProxyExceptions()

    /// Creates rules without a proxy.
    package init() {}

    /// Creates rules with one proxy for all URLs.
    package init(_ proxy: TransportProxy) {
        proxies = ["http": .success(proxy), "https": .success(proxy)]
    }

    /// Returns the proxy for an origin, if any.
    package func proxy(for origin: Origin) throws(TransportConfigurationError) -> TransportProxy? {
        guard let proxy = proxies[origin.scheme], !exceptions.contains(origin) else { return nil }
        return try proxy.get()
    }
}
