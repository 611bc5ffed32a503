/// A URI reference, absolute or relative, split into its five components (RFC 3986, section 4.1).
///
/// Foundation also resolves references, but percent-encodes existing escapes again if the text contains characters
/// that are not allowed, and which ones these are depends on its version.
struct URLReference: Equatable, Sendable {
    var scheme: String?
    /// User information, host and port.
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Splits any text (RFC 3986, appendix B).
    ///
    /// The components may contain characters that are not allowed.
    init(_ text: String) {
        // Scalars are compared instead of characters, since a combining mark must not hide a delimiter.
        var rest = text[...].unicodeScalars
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let end = rest.firstIndex(where: { $0 == ":" || $0 == "/" }), rest[end] == ":",
            Self.isScheme(String(rest[..<end]))
        {
            scheme = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
        }
        if rest.starts(with: "//".unicodeScalars) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    /// The reference as text (RFC 3986, section 5.3).
    var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
            + (fragment.map { "#" + $0 } ?? "")
    }

    /// Returns the reference resolved against an absolute URL with an authority (RFC 3986, section 5.2.2).
    func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme != nil || authority != nil {
            target.scheme = scheme ?? base.scheme
            // Without an authority, removing dot segments could create one: "a:/.//b" would become "a://b".
            target.path = authority == nil ? path : Self.withoutDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.hasPrefix("/") {
            target.path = Self.withoutDotSegments(path)
        } else {
            // RFC 3986, section 5.2.3.
            let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
            target.path = Self.withoutDotSegments(folder + path)
        }
        return target
    }

    /// Returns an ASCII path without dot segments (RFC 3986, section 5.2.4).
    ///
    /// A path that does not start with a slash is returned unchanged.
    static func withoutDotSegments(_ path: String) -> String {
        guard path.hasPrefix("/") else { return path }
        var result: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            switch segment {
            case ".": break
            case "..": _ = result.popLast()
            default:
                result.append(segment)
                continue
            }
            // A trailing dot segment leaves a trailing slash.
            if index == segments.count - 1 { result.append("") }
        }
        return "/" + result.joined(separator: "/")
    }

    /// Returns whether the text is a URI scheme (RFC 3986, section 3.1).
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }
}
