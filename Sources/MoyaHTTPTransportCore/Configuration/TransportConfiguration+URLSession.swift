import Foundation

extension TransportConfiguration {
    /// Takes the number of connections from a configuration, unless it was set here.
    package mutating func takeConnectionLimit(from configuration: URLSessionConfiguration) {
        guard chosenConnectionsPerHost == nil else { return }
        maximumConnectionsPerHost = max(1, configuration.httpMaximumConnectionsPerHost)
    }

    /// Applies a `connectionProxyDictionary`: the entries `HTTPEnable`, `HTTPProxy` and `HTTPPort` for `http` URLs,
    /// those with the prefix `HTTPS` for `https` URLs, those with the prefix `SOCKS` for all others, and `ExceptionsList`
    /// and `ExcludeSimpleHostnames` for the hosts without a proxy.
    ///
    /// The dictionary replaces the system's proxies, even if it is empty. `nil` keeps them.
    ///
    /// - Throws: ``TransportConfigurationError`` for unsupported entries.
    package mutating func takeProxies(from dictionary: [AnyHashable: Any]?) throws(TransportConfigurationError) {
        guard let dictionary else { return }
        var reader = ProxyDictionary(dictionary)
        let rules = try reader.rules()
        if let key = reader.unreadKeys.sorted().first {
            throw .unsupported(
                .proxy,
                transport: "NIOTransport",
                reason: "The entry \"\(key)\" of the connectionProxyDictionary is not supported."
            )
        }
        guard proxy == nil || rules.proxies.isEmpty else {
            throw .invalid(.proxy, reason: "The connectionProxyDictionary also has a proxy.")
        }
        dictionaryProxies = rules
    }
}
