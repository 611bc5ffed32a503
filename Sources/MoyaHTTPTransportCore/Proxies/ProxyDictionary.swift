import Foundation

/// A reader for the entries that CFNetwork and URLSession define.
struct ProxyDictionary {
    private var entries: [String: Any]

    init(_ dictionary: [AnyHashable: Any]) {
        entries = Dictionary(
            dictionary.map { ($0.key.base as? String ?? "\($0.key.base)", $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
        // Entries for other protocols have no effect, and neither have entries that disable a feature.
        for name in ["FTP", "RTSP", "Gopher"] {
            for part in ["Enable", "Proxy", "Port", "Passive"] { entries[name + part] = nil }
        }
        if !take("ProxyAutoConfigEnable", orKeep: true) { entries["ProxyAutoConfigURLString"] = nil }
        _ = take("ProxyAutoDiscoveryEnable", orKeep: true)
    }

    var unreadKeys: [String] { Array(entries.keys) }

    mutating func rules() throws(TransportConfigurationError) -> ProxyRules {
        let user = entries.removeValue(forKey: "kCFProxyUsernameKey") as? String
        let password = entries.removeValue(forKey: "kCFProxyPasswordKey") as? String
        let credential = user.map { TransportProxy.Credential(user: $0, password: password ?? "") }
        let http = try takeAddress("HTTP", usualPort: nil)
        let https = try takeAddress("HTTPS", usualPort: nil)
        let socks = try takeAddress("SOCKS", usualPort: 1080).map {
            TransportProxy.socks(host: $0.host, port: $0.port, credential: credential)
        }
        var rules = ProxyRules()
        for (scheme, address) in [("http", http), ("https", https)] {
            let proxy =
                address.map { TransportProxy.http(host: $0.host, port: $0.port, credential: credential) } ?? socks
            rules.proxies[scheme] = proxy.map { .success($0) }
        }
        if take("ExcludeSimpleHostnames") { rules.exceptions.rules.append(.init(pattern: .simpleNames)) }
        if let list = entries["ExceptionsList"] as? [String] {
            entries["ExceptionsList"] = nil
            for element in list where !rules.exceptions.add(element: element) {
                throw .unsupported(
                    .proxy,
                    transport: "NIOTransport",
                    reason: "The element \"\(element)\" of the ExceptionsList is not supported."
                )
            }
        }
        return rules
    }

    private mutating func takeAddress(
        _ name: String,
        usualPort: Int?
    ) throws(TransportConfigurationError) -> (host: String, port: Int)? {
        let isEnabled = take("\(name)Enable")
        let host = entries.removeValue(forKey: "\(name)Proxy") as? String
        let port = entries.removeValue(forKey: "\(name)Port").map { ($0 as? NSNumber)?.intValue ?? ($0 as? Int) }
        guard isEnabled else { return nil }
        guard let host, let port = port ?? usualPort else {
            throw .invalid(.proxy, reason: "The connectionProxyDictionary enables \(name) without a host and a port.")
        }
        return (host, port)
    }

    /// Removes an entry and returns whether it is true.
    ///
    /// With `orKeep`, a true entry is not removed and thus reported as unsupported.
    private mutating func take(_ key: String, orKeep: Bool = false) -> Bool {
        let value = entries[key]
        let isTrue = (value as? Bool) ?? (value as? NSNumber)?.boolValue ?? (value as? Int).map { $0 != 0 } ?? false
        if !(orKeep && isTrue) { entries[key] = nil }
        return isTrue
    }
}
