import Foundation

extension ProxyRules {
    /// Creates the rules of environment variables, as curl reads them.
    ///
    /// `http_proxy` is for `http` URLs, `https_proxy` or `HTTPS_PROXY` for `https` URLs, `all_proxy` or `ALL_PROXY` for both if
    /// their variable is missing, and `no_proxy` or `NO_PROXY` lists the exceptions. The name in lower case is preferred, and an
    /// empty variable does not count. `HTTP_PROXY` is not read: in a CGI program it is the `Proxy` header of a request, which
    /// anyone can send.
    package init(environment: [String: String]) {
        func first(_ names: [String]) -> (name: String, value: String)? {
            for name in names {
                if let value = environment[name], !value.isEmpty { return (name, value) }
            }
            return nil
        }
        for (scheme, names) in [("http", ["http_proxy"]), ("https", ["https_proxy", "HTTPS_PROXY"])] {
            guard let (name, value) = first(names + ["all_proxy", "ALL_PROXY"]) else { continue }
            proxies[scheme] = Result { () throws(TransportConfigurationError) in
                do throws(EnvironmentProxyError) {
                    return try TransportProxy(environmentValue: value)
                } catch {
                    throw error.error(for: name)
                }
            }
        }
        exceptions = ProxyExceptions(noProxy: first(["no_proxy", "NO_PROXY"])?.value ?? "")
    }
}

/// The reason why the value of an environment variable is not a proxy.
///
/// It does not contain the value, which may have a password.
private enum EnvironmentProxyError: Error {
    case unsupported(scheme: String)
    case invalid(String)

    func error(for name: String) -> TransportConfigurationError {
        let variable = "The environment variable \"\(name)\""
        return switch self {
        case .unsupported(let scheme):
            .unsupported(
                .usesSystemProxies,
                transport: "NIOTransport",
                reason:
                    "\(variable) has a proxy of the type \"\(scheme)\", but only http, socks5 and socks5h are supported."
            )
        case .invalid(let reason):
            .invalid(.usesSystemProxies, reason: "\(variable) is not the URL of a proxy. \(reason)")
        }
    }
}

extension TransportProxy {
    /// curl's port for a proxy without one.
    private static let usualPort = 1080

    /// Creates a proxy from a value like `http://user:password@proxy.example.com:3128`.
    ///
    /// Scheme, credential and port may be missing. User name and password may have percent escapes.
    fileprivate init(environmentValue text: String) throws(EnvironmentProxyError) {
        var (scheme, rest) = ("http", text[...])
        if let slashes = text.range(of: "://") {
            scheme = text[..<slashes.lowerBound].lowercased()
            rest = text[slashes.upperBound...]
        }
        guard ["http", "socks5", "socks5h"].contains(scheme) else {
            // The error does not quote another text, which may be a password.
            let isKnown = ["https", "socks", "socks4", "socks4a"].contains(scheme)
            throw isKnown ? .unsupported(scheme: scheme) : .invalid("Its scheme is unknown.")
        }
        rest = rest.prefix { !"/?#".contains($0) }
        var credential: Credential?
        if let at = rest.lastIndex(of: "@") {
            credential = try Self.credential(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        let (host, port) = try Self.address(rest)
        self =
            scheme == "http"
            ? .http(host: host, port: port, credential: credential)
            : .socks(host: host, port: port, credential: credential)
        do throws(TransportConfigurationError) {
            try validate()
        } catch {
            guard case .invalid(_, let reason) = error else { throw .invalid("") }
            throw .invalid(reason)
        }
    }

    private static func credential(_ text: Substring) throws(EnvironmentProxyError) -> Credential? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.compactMap(\.removingPercentEncoding)
        guard decoded.count == parts.count else {
            throw .invalid("Its user name or its password has an invalid percent escape.")
        }
        guard let user = decoded.first, !text.isEmpty else { return nil }
        return Credential(user: user, password: decoded.count > 1 ? decoded[1] : "")
    }

    private static func address(_ text: Substring) throws(EnvironmentProxyError) -> (host: String, port: Int) {
        var (host, port) = (text, usualPort)
        let bracket = text.lastIndex(of: "]") ?? text.startIndex
        if let colon = text[bracket...].lastIndex(of: ":") {
            guard let number = Int(decimal: text[text.index(after: colon)...]) else {
                throw .invalid("Its port is not a number.")
            }
            (host, port) = (text[..<colon], number)
        }
        guard let pattern = HostName.Pattern(String(host)), !pattern.text.hasPrefix("*") else {
            throw .invalid("It has neither a host name nor an IP address.")
        }
        return (String(host), port)
    }
}
