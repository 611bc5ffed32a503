import Foundation

extension URL {
    /// A target's URL: its path appended to its base URL, whose query stays at the end.
    ///
    /// The path is escaped, so `?` becomes `%3F` and `%` becomes `%25`; unless the target says that it is already. An empty
    /// path gives the base URL untouched.
    public init<T: TargetType>(target: T) {
        let base = target.baseURL
        let path = target.path
        let escaped = Self.escaped(path, isEscaped: target.isPathEscaped)
        self = path.isEmpty ? base : URL(string: Self.text(base, appending: path, escaped)) ?? base
    }

    /// A target's URL as text, which costs less than the URL.
    static func text(of target: some TargetType) -> String {
        let path = target.path
        return text(target.baseURL, appending: path, escaped(path, isEscaped: target.isPathEscaped))
    }

    /// The path as it stands in a URL. One that has what no path may have is escaped, whatever its target says.
    private static func escaped(_ path: String, isEscaped: Bool) -> String {
        isEscaped && path.utf8.allSatisfy({ ASCIISet.escapedPath.contains($0) })
            ? path : path.percentEncoded(keeping: .path)
    }

    // What Foundation's `appendingPathComponent` does costs more than all else that makes a request, on Linux.
    private static func text(_ base: URL, appending path: String, _ escaped: String) -> String {
        var whole = base.absoluteString
        guard !path.isEmpty else { return whole }
        // Where there is no host the path would be taken for one; and what is relative is resolved with the path.
        guard base.baseURL == nil, base.host?.isEmpty == false else {
            return base.appendingPathComponent(path).absoluteString
        }
        let pathEnd = whole.withUTF8 { $0.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } }
        let end = pathEnd.map { whole.utf8.index(whole.startIndex, offsetBy: $0) }
        var text = end.map { String(whole[..<$0]) } ?? whole
        // One slash between the two, whichever has one.
        switch (text.utf8.last == UInt8(ascii: "/"), path.utf8.first == UInt8(ascii: "/")) {
        case (true, true): text.removeLast()
        case (false, false): text += "/"
        case (true, false), (false, true): break
        }
        text += escaped
        if let end { text += whole[end...] }
        return text
    }
}
