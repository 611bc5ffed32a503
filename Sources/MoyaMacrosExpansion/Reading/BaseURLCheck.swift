#if Macros
/// Checks the URL of an API before it is created.
enum BaseURLCheck {
    /// Returns the problem of a base URL, if any (RFC 3986).
    static func problem(in text: String) -> String? {
        guard let colon = text.range(of: "://") else { return "it has no scheme, such as 'https://'" }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard ["http", "https"].contains(scheme) else { return "its scheme must be 'http' or 'https'" }
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        if authority.contains("@") { return "a user name or password is not allowed" }
        if let bad = text.first(where: { !isAllowed($0) }) { return "it can't have '\(bad)' as it is" }
        if text.contains("#") { return "a fragment is not sent to a server" }
        let escapes = text.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
        guard escapes.allSatisfy({ $0.prefix(2).count(where: \.isHexDigit) == 2 }) else {
            return "after '%' two hexadecimal digits must follow"
        }
        let path = rest.dropFirst(authority.count).prefix { !"?#".contains($0) }
        if let name = path.split(separator: "/").lazy.compactMap(\.nameAfterColon).first {
            return "':\(name)' is sent as it is, as a base URL has no parameters; a colon is '%3A'"
        }
        return problem(inAuthority: authority)
    }

    private static func problem(inAuthority authority: Substring) -> String? {
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        let host = end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
        guard !host.isEmpty, host.contains(where: { !"[]:".contains($0) }) else { return "it has no host" }
        let isAddress = host.hasPrefix("[")
        if isAddress, !isIPv6Address(host.dropFirst().dropLast()) { return "'\(host)' is not an IPv6 address" }
        guard isAddress || host.allSatisfy({ $0.isLetter || $0.isNumber || "-._~%".contains($0) }) else {
            return "'\(host)' is not a valid host"
        }
        let port = authority[host.endIndex...]
        guard !port.isEmpty, port != ":" else { return nil }
        guard port.hasPrefix(":"), port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return "'\(port.drop { $0 == ":" })' is not a port"
        }
        guard let number = UInt16(port.dropFirst()), number > 0 else {
            return "the port \(port.dropFirst()) is not in 1...65535"
        }
        return nil
    }

    /// Returns whether a text is an IPv6 address (RFC 4291, section 2.2).
    private static func isIPv6Address(_ text: Substring) -> Bool {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return false }
        var count = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            let groups = half.split(separator: ":", omittingEmptySubsequences: false)
            for (position, group) in groups.enumerated() {
                let isLast = index == halves.count - 1 && position == groups.count - 1
                if isLast, group.contains(".") {
                    let bytes = group.split(separator: ".", omittingEmptySubsequences: false)
                    guard bytes.count == 4, bytes.allSatisfy({ UInt8($0) != nil && $0.first != "+" }) else {
                        return false
                    }
                    count += 2
                } else {
                    guard (1...4).contains(group.count), group.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                        return false
                    }
                    count += 1
                }
            }
        }
        return halves.count == 2 ? count < 8 : count == 8
    }

    /// Returns whether a URL may contain a character.
    private static func isAllowed(_ character: Character) -> Bool {
        character.isASCII
            && (character.isLetter || character.isNumber || "-._~:/?#[]@!$&'()*+,;=%".contains(character))
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
#endif
