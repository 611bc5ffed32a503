import Foundation

extension URL {
    /// Whether the port, if the URL names one, is one that can be connected to (RFC 9293, section 3.1).
    package var hasValidPort: Bool {
        guard let port else { return !hasPortText }
        return (1...65_535).contains(port)
    }

    /// What is said of a URL whose port is not valid.
    package static let invalidPortText = "The URL's port is not in 1...65535."

    /// Whether there are digits in the place of a port: Foundation has no number for more of them than fit.
    private var hasPortText: Bool {
        guard let slashes = absoluteString.range(of: "://") else { return false }
        let authority = absoluteString[slashes.upperBound...].utf8.prefix { !"/?#".utf8.contains($0) }
        let hostAndPort = authority.split(separator: UInt8(ascii: "@")).last ?? authority
        let end = hostAndPort.lastIndex(of: UInt8(ascii: "]")) ?? hostAndPort.startIndex
        guard let colon = hostAndPort[end...].lastIndex(of: UInt8(ascii: ":")) else { return false }
        return hostAndPort.index(after: colon) != hostAndPort.endIndex
    }

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
