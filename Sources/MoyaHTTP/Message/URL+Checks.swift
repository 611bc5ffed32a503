import Foundation

extension URL {
    /// Whether the port, if the URL names one, has no more than 16 bits (RFC 9293, section 3.1).
    package var hasValidPort: Bool { (0...65_535).contains(port ?? 0) }

    /// The URL without user name and password, which must not get into error texts or onto the wire.
    ///
    /// It looks at the text, not at what Foundation parsed: where the slashes of `http://` are wrong, what was meant as a
    /// password counts as path.
    package var withoutCredentials: URL {
        let text = absoluteString
        // As nearly all have none, that is found out first.
        guard text.utf8.contains(UInt8(ascii: "@")) else { return self }
        let afterScheme: String.Index
        if let scheme {
            afterScheme = text.index(text.startIndex, offsetBy: scheme.count + 1)
        } else if text.hasPrefix("//") {
            afterScheme = text.startIndex
        } else {
            return self
        }
        let rest = text[afterScheme...].drop { $0 == "/" }
        // The authority ends where path, query or fragment begin (RFC 3986, section 3.2).
        guard let at = rest.prefix(while: { !"/?#".contains($0) }).lastIndex(of: "@") else { return self }
        return URL(string: "\(text[..<rest.startIndex])\(rest[rest.index(after: at)...])") ?? self
    }
}
