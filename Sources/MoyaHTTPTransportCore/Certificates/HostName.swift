import MoyaPublicSuffixList

/// A normalized host name of a rule or certificate: a lowercase DNS name without a trailing dot, or an IP address.
package struct HostName: Hashable {
    /// The normalized text.
    package let text: String
    /// The IP address, if the host is one.
    package let address: IPAddress?

    /// Creates a name from the host of a URL; an IPv6 address may have brackets.
    package init(_ host: String) {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        address = IPAddress(bare)
        if let address {
            text = address.text
        } else {
            let name = bare.lowercased()
            text = name.hasSuffix(".") ? String(name.dropLast()) : name
        }
    }

    /// A host name, or a pattern whose first label is `*` and matches any one label.
    struct Pattern: Hashable {
        /// The normalized text.
        let text: String

        /// Creates a pattern; `nil` if the text is not an ASCII host.
        ///
        /// `*` is allowed only as the first of at least three labels.
        init?(_ text: String) {
            let host = HostName(text)
            if host.address == nil {
                var labels = host.text.split(separator: ".", omittingEmptySubsequences: false)[...]
                if labels.first == "*" {
                    labels = labels.dropFirst()
                    guard labels.count >= 2 else { return nil }
                }
                guard !labels.isEmpty, labels.allSatisfy(Self.isLabel) else { return nil }
            }
            self.text = host.text
        }

        func matches(_ host: HostName) -> Bool { text == host.text || text == host.wildcard }

        private static func isLabel(_ label: Substring) -> Bool {
            !label.isEmpty
                && label.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
    }

    /// The only wildcard pattern that matches the host.
    var wildcard: String? {
        guard address == nil, let dot = text.firstIndex(of: "."), dot != text.startIndex else { return nil }
        return "*\(text[dot...])"
    }
}
