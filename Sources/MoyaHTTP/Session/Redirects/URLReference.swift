/// A reference to a resource, absolute or relative, in its five parts (RFC 3986, section 4.1). Pure.
///
/// Foundation resolves references, too. But it codes what is coded already a second time when there is anything in the text
/// that it does not like, and what it likes differs from version to version.
struct URLReference: Equatable, Sendable {
    var scheme: String?
    /// User, host and port.
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Takes any text apart (RFC 3986, appendix B). The parts may still hold what does not belong there.
    init(_ text: String) {
        // By scalars: a mark that combines with a delimiter does not make it another one.
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

    /// The reference as it is written (RFC 3986, section 5.3).
    var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
            + (fragment.map { "#" + $0 } ?? "")
    }

    /// What the reference means in a resource (RFC 3986, section 5.2.2).
    ///
    /// - Parameter base: An absolute URL with an authority.
    func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme != nil || authority != nil {
            target.scheme = scheme ?? base.scheme
            // Without an authority the path must not get one: "a:/.//b" would become "a://b".
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

    /// RFC 3986, section 5.2.4, for a path whose bytes are ASCII. A path that does not begin with a slash stays as it is.
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
            // What ended in a dot segment is a folder.
            if index == segments.count - 1 { result.append("") }
        }
        return "/" + result.joined(separator: "/")
    }

    /// RFC 3986, section 3.1.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }
}
