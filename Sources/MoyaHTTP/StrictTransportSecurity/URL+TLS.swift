import Foundation

extension URL {
    /// The `https` URL that replaces an `http` URL (RFC 6797, section 8.3): an explicit port 80 becomes 443, and other ports are kept.
    var withTLS: URL {
        var reference = URLReference(absoluteString)
        reference.scheme = "https"
        if port == 80, let authority = reference.authority, let colon = authority.lastIndex(of: ":") {
            reference.authority = "\(authority[..<colon]):443"
        }
        // Only the scheme and the port have changed, so the text is a URL.
        return URL(string: reference.text) ?? self
    }
}
