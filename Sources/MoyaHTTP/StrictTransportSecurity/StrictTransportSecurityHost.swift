import Foundation

/// The name of a host that can require TLS, in lower case and without a trailing dot.
struct StrictTransportSecurityHost: Hashable, Sendable {
    let name: String

    /// Creates the name; `nil` for an IP address (RFC 6797, section 8.1.1) and for a text that is not a domain name.
    ///
    /// A trailing dot is removed, because it does not lead to another server.
    init?(_ host: String) {
        let host = HostName(host)
        let labels = host.text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard host.address == nil, host.text.utf8.count <= Self.longestName,
            // A colon belongs to an IPv6 address with a zone.
            labels.allSatisfy({ !$0.isEmpty && !$0.contains(UInt8(ascii: ":")) }),
            let last = labels.last, !Self.isNumber(last)
        else { return nil }
        name = host.text
    }

    /// The name, and its parent domains.
    var domains: some Sequence<Substring> {
        sequence(first: name[...]) { domain in
            domain.firstIndex(of: ".").map { domain[domain.index(after: $0)...] }
        }
    }

    /// The maximum length of a name as text (RFC 1035, section 2.3.4).
    private static let longestName = 253

    /// Returns whether a last label makes the host an IPv4 address, such as `127.1` (WHATWG URL, section 3.5).
    private static func isNumber(_ label: Substring.UTF8View) -> Bool {
        label.allSatisfy(\.isDigit) || label.starts(with: "0x".utf8)
    }
}
