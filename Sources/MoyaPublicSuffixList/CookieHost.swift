import Foundation

/// A host in the canonical form for cookies (RFC 6265bis, sections 5.1.2 and 5.1.3).
///
/// Names are lowercase and have A-labels only. Unlike in the standard, a label may contain underscores, which are
/// used in private networks, and A-labels are not validated.
package struct CookieHost: Hashable, Sendable {
    static let maximumLength = 1024

    /// The canonical host; an IPv6 address has no brackets.
    package let name: String
    /// Whether the host is an IP address.
    package let isAddress: Bool

    /// Creates the canonical host from a text; `nil` if the text is not a valid host.
    package init?(_ text: String) {
        var text = text
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength else { return nil }
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard let address = Self.canonicalIPv6(text) else { return nil }
            name = address
            isAddress = true
        } else {
            guard let domain = DomainName.canonical(text) else { return nil }
            name = domain
            isAddress = Self.isIPv4(domain)
        }
    }

    /// Creates the host of a URL.
    package init?(_ url: URL) {
        // The host is decoded, because browsers also read %65xample.com as example.com.
        guard let host = url.host(percentEncoded: false) else { return nil }
        self.init(host)
    }

    /// Returns whether the host is the domain or a subdomain of it.
    package func matches(domain: String) -> Bool {
        name == domain || !isAddress && DomainName.isSubdomain(name, of: domain)
    }

    /// The host and, for a name, its parent domains.
    package var domains: [String] {
        guard !isAddress else { return [name] }
        var domains = [name]
        var rest = name.utf8[...]
        while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.index(after: dot)...]
            if !rest.isEmpty { domains.append(String(Substring(rest))) }
        }
        return domains
    }

    /// Whether the host is the local machine.
    package var isLoopback: Bool {
        name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || isAddress && name.hasPrefix("127.")
    }

    /// Returns whether the last label is a number; the name is then an address (WHATWG URL, section 3.5).
    private static func isIPv4(_ name: String) -> Bool {
        guard let last = name.utf8.split(separator: UInt8(ascii: ".")).last else { return false }
        return last.allSatisfy { (0x30...0x39).contains($0) } || last.starts(with: "0x".utf8)
    }

    private static func canonicalIPv6(_ text: String) -> String? {
        // The zone identifies the network interface; it is not part of the address.
        let zone = text.firstIndex(of: "%") ?? text.endIndex
        guard let address = IPAddress(String(text[..<zone])), address.isIPv6 else { return nil }
        return address.text + text[zone...].lowercased()
    }
}
