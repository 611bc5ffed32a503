import Foundation

extension URL {
    /// Creates a target's URL by appending its path to its base URL, whose query stays at the end.
    ///
    /// The path is escaped, so `?` becomes `%3F` and `%` becomes `%25`, unless ``TargetType/isPathEscaped`` is true.
    /// An empty path returns the base URL unchanged.
    public init<T: TargetType>(target: T) {
        let base = target.baseURL
        let path = target.path
        let escaped = Self.escapedPath(path, of: target)
        self = path.isEmpty ? base : URL(string: Self.text(base, appending: path, escaped)) ?? base
    }

    /// Returns a target's URL as text, which costs less than creating the URL.
    static func text(of target: some TargetType) -> String {
        let path = target.path
        return text(target.baseURL, appending: path, escapedPath(path, of: target))
    }

    /// Returns the path as it appears in a URL.
    ///
    /// A path with characters that are not allowed in a URL is always escaped.
    private static func escapedPath(_ path: String, of target: some TargetType) -> String {
        let escaped =
            target.isPathEscaped && path.utf8.allSatisfy({ ASCIISet.escapedPath.contains($0) })
            ? path : path.percentEncoded(keeping: .path)
        #if DEBUG
        PathWarning.standard.check(escaped, of: target)
        if escaped != path { PathWarning.standard.checkQuery(in: path, of: target) }
        #endif
        return escaped
    }

    // Foundation's `appendingPathComponent` costs more than everything else in creating a request, on Linux.
    private static func text(_ base: URL, appending path: String, _ escaped: String) -> String {
        var whole = base.absoluteString
        guard !path.isEmpty else { return whole }
        // Without a host, the path would be parsed as the host. A relative URL is resolved together with the path.
        guard base.baseURL == nil, base.isPlainHTTP || base.host?.isEmpty == false else {
            return base.appendingPathComponent(path).absoluteString
        }
        var escaped = escaped
        return whole.withUTF8 { base in
            escaped.withUTF8 { path in
                let pathEnd = base.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? base.count
                // Exactly one slash separates the base URL and the path.
                let slash = UInt8(ascii: "/")
                let start = base[..<pathEnd].last == slash ? base[..<(pathEnd - 1)] : base[..<pathEnd]
                let rest = path.first == slash ? path.dropFirst() : path[...]
                return String(unsafeUninitializedCapacity: base.count + path.count + 1) { text in
                    var end = text.update(fromContentsOf: start)
                    text[end] = slash
                    end = text[(end + 1)...].update(fromContentsOf: rest)
                    return text[end...].update(fromContentsOf: base[pathEnd...])
                }
            }
        }
    }
}
