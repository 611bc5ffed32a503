import Foundation

/// A base URL, and the rule by which a request belongs to it.
struct BaseURL: Sendable {
    /// The base URL without credentials.
    let url: URL
    private let origin: Origin
    /// The scheme, host and port as they are written.
    private let root: Substring
    /// The path, percent-encoded, without a slash at its end.
    private let path: Substring

    /// Creates a base URL; `nil` if the URL is not absolute, or if its scheme is not `http` or `https`.
    ///
    /// The query and the fragment are ignored.
    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        self.origin = origin
        self.url = url.withoutCredentials
        let (root, rest) = Self.parts(of: self.url)
        self.root = root
        var path = rest.prefix { $0 != "?" && $0 != "#" }
        while path.last == "/" { path.removeLast() }
        self.path = path
    }

    /// Returns the part of a URL after the base URL: the rest of its path, and its query; `nil` if it does not begin with the base
    /// URL.
    ///
    /// Origins are compared ignoring case and default ports. Paths are compared as text, segment by segment.
    func suffix(of url: URL) -> Substring? {
        guard Origin(url) == origin else { return nil }
        let rest = Self.parts(of: url).rest
        guard rest.hasPrefix(path) else { return nil }
        let suffix = rest.dropFirst(path.count)
        guard let first = suffix.first else { return suffix }
        return first == "/" || first == "?" || first == "#" ? suffix : nil
    }

    /// Returns the URL that has a suffix of another URL after this base URL.
    func url(appending suffix: Substring) -> URL? { URL(string: "\(root)\(path)\(suffix)") }

    /// Divides the text of a URL after its host and port.
    private static func parts(of url: URL) -> (root: Substring, rest: Substring) {
        let text = url.absoluteString
        let authority = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let end = text[authority...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
        return (text[..<end], text[end...])
    }
}
