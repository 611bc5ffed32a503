import Foundation

/// The known paths of a protection space.
struct ProtectionScope: Equatable, Sendable {
    static let limit = 32
    /// The path prefixes.
    private var prefixes: [String] = []

    init() {}

    /// Creates the scope of a Digest challenge (RFC 7616, section 3.3): the whole origin, or the prefixes listed in
    /// `domain`.
    ///
    /// URIs of other origins are ignored, since credentials are not sent to other origins. For a proxy, `domain`
    /// has no meaning.
    init(domain: [String], of space: ProtectionSpaceKey) {
        guard !domain.isEmpty, space.side == .server else {
            prefixes = [""]
            return
        }
        for uri in domain.prefix(Self.limit) {
            if uri.hasPrefix("/"), !uri.hasPrefix("//") {
                add(uri)
            } else if let url = URL(string: uri), Origin(url) == space.origin {
                add(url.path(percentEncoded: true))
            }
        }
    }

    /// Adds a path prefix; the oldest is removed if there are too many.
    mutating func add(_ prefix: String) {
        guard !prefixes.contains(where: { prefix.hasPrefix($0) }) else { return }
        prefixes.removeAll { $0.hasPrefix(prefix) }
        prefixes.append(prefix)
        if prefixes.count > Self.limit { prefixes.removeFirst() }
    }

    /// Returns the length of the longest prefix of the path, or nil if there is none.
    func coverage(ofPath path: String) -> Int? {
        prefixes.lazy.filter { path.utf8.starts(with: $0.utf8) }.map(\.utf8.count).max()
    }
}
