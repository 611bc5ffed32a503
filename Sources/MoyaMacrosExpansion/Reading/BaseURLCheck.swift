#if Macros
    /// Looks at the URL of an API before it is one.
    enum BaseURLCheck {
        /// What is wrong with a base URL, if anything is (RFC 3986).
        static func problem(in text: String) -> String? {
            guard let colon = text.range(of: "://") else { return "it has no scheme, such as 'https://'" }
            let scheme = text[..<colon.lowerBound].lowercased()
            guard ["http", "https"].contains(scheme) else { return "its scheme must be 'http' or 'https'" }
            let rest = text[colon.upperBound...]
            let authority = rest.prefix { !"/?#".contains($0) }
            if authority.contains("@") { return "a user's name or password have no place in it" }
            if let bad = text.first(where: { !isAllowed($0) }) { return "it can't have '\(bad)' as it is" }
            if text.contains("#") { return "a fragment is not sent to a server" }
            return problem(inAuthority: authority)
        }

        private static func problem(inAuthority authority: Substring) -> String? {
            let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
            let host = end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
            guard !host.isEmpty, host.contains(where: { !"[]:".contains($0) }) else { return "it has no host" }
            let isAddress = host.hasPrefix("[")
            guard isAddress || host.allSatisfy({ $0.isLetter || $0.isNumber || "-._~%".contains($0) }) else {
                return "'\(host)' is no host"
            }
            let port = authority[host.endIndex...]
            guard port.isEmpty || port == ":" || (port.hasPrefix(":") && UInt16(port.dropFirst()) != nil) else {
                return "'\(port.dropFirst())' is no port"
            }
            return nil
        }

        /// Whether a URL may have a character.
        private static func isAllowed(_ character: Character) -> Bool {
            character.isASCII
                && (character.isLetter || character.isNumber || "-._~:/?#[]@!$&'()*+,;=%".contains(character))
        }
    }

    extension String {
        fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
    }
#endif
