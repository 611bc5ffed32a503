import Foundation

extension URL {
    /// A target's URL: its path appended to its base URL, whose query stays at the end.
    ///
    /// The path is escaped, so `?` becomes `%3F` and `%` becomes `%25`. An empty path gives the base URL untouched.
    public init<T: TargetType>(target: T) {
        let base = target.baseURL
        let path = target.path
        self = path.isEmpty ? base : URL(string: Self.text(base, appending: path)) ?? base
    }

    /// A target's URL as text, which costs less than the URL.
    static func text(of target: some TargetType) -> String {
        text(target.baseURL, appending: target.path)
    }

    // What Foundation's `appendingPathComponent` does costs more than all else that makes a request, on Linux.
    private static func text(_ base: URL, appending path: String) -> String {
        let whole = base.absoluteString
        guard !path.isEmpty else { return whole }
        // Where there is no host the path would be taken for one; and what is relative is resolved with the path.
        guard base.baseURL == nil, base.host?.isEmpty == false else {
            return base.appendingPathComponent(path).absoluteString
        }
        let end = whole.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? whole.endIndex
        let isWhole = end == whole.endIndex
        var text = isWhole ? whole : String(whole[..<end])
        // One slash between the two, whichever has one.
        switch (text.utf8.last == UInt8(ascii: "/"), path.utf8.first == UInt8(ascii: "/")) {
        case (true, true): text.removeLast()
        case (false, false): text += "/"
        case (true, false), (false, true): break
        }
        text += path.percentEncoded(keeping: .path)
        if !isWhole { text += whole[end...] }
        return text
    }
}
