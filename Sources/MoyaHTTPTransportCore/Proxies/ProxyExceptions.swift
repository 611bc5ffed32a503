import Foundation
import MoyaPublicSuffixList

/// The hosts that are reached without a proxy.
struct ProxyExceptions: Equatable, Sendable {
    enum Pattern: Equatable, Sendable {
        case all
        /// This host only.
        case host(String)
        /// The hosts below this domain.
        case subdomains(of: String)
        /// The host with this name, and the hosts below it.
        case domain(String)
        /// The addresses with the same first bits.
        case network(IPAddress, bits: Int)
        /// The host names without a dot.
        case simpleNames
    }

    struct Rule: Equatable, Sendable {
        let pattern: Pattern
        /// The only port that the rule is for; `nil` for all.
        var port: Int?
    }

    var rules: [Rule] = []

    init() {}

    /// Returns whether an origin is reached without a proxy.
    func contains(_ origin: Origin) -> Bool {
        guard !rules.isEmpty else { return false }
        let host = HostName(origin.host)
        return rules.contains { rule in
            (rule.port == nil || rule.port == origin.port) && rule.pattern.matches(host)
        }
    }
}

extension ProxyExceptions.Pattern {
    fileprivate func matches(_ host: HostName) -> Bool {
        switch self {
        case .all: return true
        case .network(let network, let bits):
            return host.address.map { $0.hasPrefix(of: network, bits: bits) } ?? false
        case .host(let name): return host.text == name
        case .subdomains(let name): return host.address == nil && host.text.hasSuffix(".\(name)")
        case .domain(let name):
            return host.address == nil && (host.text == name || host.text.hasSuffix(".\(name)"))
        case .simpleNames: return host.address == nil && !host.text.contains(".")
        }
    }

    /// Creates a pattern for an address, or for a network in CIDR notation (RFC 4632, section 3.1).
    fileprivate init?(network text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let address = HostName(parts[0]).address else { return nil }
        let length = address.bytes.count * 8
        if parts.count == 1 {
            self = .network(address, bits: length)
        } else {
            guard let bits = Int(decimal: parts[1]), bits <= length else { return nil }
            self = .network(address, bits: bits)
        }
    }
}

extension IPAddress {
    fileprivate func hasPrefix(of network: IPAddress, bits: Int) -> Bool {
        guard isIPv6 == network.isIPv6 else { return false }
        var left = bits
        for (one, other) in zip(bytes, network.bytes) {
            guard left > 0 else { return true }
            let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
            guard one & mask == other & mask else { return false }
            left -= 8
        }
        return true
    }
}

extension Int {
    /// Creates a number from one to five decimal digits.
    init?(decimal text: some StringProtocol) {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit) else { return nil }
        self.init(text)
    }
}

// MARK: NO_PROXY

extension ProxyExceptions {
    /// Creates the exceptions of the environment variable `NO_PROXY`, with the rules of curl.
    ///
    /// The value is `*` for all hosts, or a list with commas or whitespace between its elements. An element is a
    /// domain, which includes all hosts below it, with or without a leading dot; an address; or a network such as
    /// `192.168.0.0/16`. Unlike curl's, an element may have a port, and an IPv6 address may have brackets. Other
    /// elements match nothing.
    init(noProxy text: String) {
        if text == "*" {
            rules = [Rule(pattern: .all)]
        } else {
            rules = text.split { $0 == "," || $0.isWhitespace }.compactMap { Rule(noProxy: String($0)) }
        }
    }
}

extension ProxyExceptions.Rule {
    fileprivate init?(noProxy text: String) {
        if let network = ProxyExceptions.Pattern(network: text) {
            self.init(pattern: network)
            return
        }
        var (host, port) = (text, Int?.none)
        if let colon = text.lastIndex(of: ":") {
            guard let number = Int(decimal: text[text.index(after: colon)...]) else { return nil }
            (host, port) = (String(text[..<colon]), number)
            if let network = ProxyExceptions.Pattern(network: host) {
                self.init(pattern: network, port: port)
                return
            }
        }
        let name = HostName(host.hasPrefix(".") ? String(host.dropFirst()) : host).text
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains(where: { "*/:[]".contains($0) }) else { return nil }
        self.init(pattern: .domain(name), port: port)
    }
}

// MARK: ExceptionsList

extension ProxyExceptions {
    /// Adds an element of the `ExceptionsList` of a `connectionProxyDictionary`: a host, `*.` and a domain for the hosts
    /// below it, an address, a network, or `*`.
    ///
    /// A network may lack its last bytes: `169.254/16`.
    ///
    /// - Returns: Whether the element is supported.
    mutating func add(element: String) -> Bool {
        var network = element
        if let slash = element.firstIndex(of: "/") {
            let missing = 3 - element[..<slash].count { $0 == "." }
            if missing > 0, !element.contains(":") {
                network = element[..<slash] + String(repeating: ".0", count: missing) + element[slash...]
            }
        }
        let pattern: Pattern
        if element == "*" {
            pattern = .all
        } else if let known = Pattern(network: network) {
            pattern = known
        } else {
            let isWildcard = element.hasPrefix("*.")
            guard let host = HostName.Pattern(isWildcard ? String(element.dropFirst(2)) : element),
                !host.text.hasPrefix("*")
            else { return false }
            pattern = isWildcard ? .subdomains(of: host.text) : .host(host.text)
        }
        rules.append(Rule(pattern: pattern))
        return true
    }
}
