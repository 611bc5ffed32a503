import Foundation

/// A normalized host name of a rule or certificate: a lowercase DNS name without a trailing dot, or an IP address.
struct HostName: Hashable {
    /// The normalized text.
    let text: String
    /// The IP address in network byte order (four or sixteen bytes), if the host is one.
    let address: Data?

    /// Creates a name from the host of a URL; an IPv6 address may have brackets.
    init(_ host: String) {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        address = Self.address(bare)
        if let spelling = address.flatMap(Self.text(ofAddress:)) {
            text = spelling
        } else {
            let name = bare.lowercased()
            text = name.hasSuffix(".") ? String(name.dropLast()) : name
        }
    }

    /// A host name, or a pattern whose first label is `*` and matches any one label.
    struct Pattern: Hashable {
        /// The normalized text.
        let text: String

        /// Creates a pattern; nil if the text is not an ASCII host.
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

    private static func address(_ text: String) -> Data? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Data($0) } }
        var sixteen = in6_addr()
        if inet_pton(AF_INET6, text, &sixteen) == 1 { return withUnsafeBytes(of: sixteen) { Data($0) } }
        return nil
    }

    /// Returns an address as text; `nil` if it has neither four nor sixteen bytes.
    static func text(ofAddress address: Data) -> String? {
        guard [4, 16].contains(address.count) else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let outcome = address.withUnsafeBytes { bytes in
            inet_ntop(address.count == 4 ? AF_INET : AF_INET6, bytes.baseAddress, &text, socklen_t(text.count))
        }
        guard outcome != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
