import Foundation

/// The paths of a protection space, as far as they are known.
struct ProtectionScope: Equatable, Sendable {
    static let limit = 32
    /// What the paths begin with.
    private var prefixes: [String] = []

    init() {}

    /// That of a Digest challenge (RFC 7616, section 3.3): all of the origin, or what begins with one of the URIs that it
    /// names. URIs of other origins are passed over, since credentials do not leave theirs. For a proxy they mean nothing.
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

    /// Adds the paths that begin like that. Of too many the oldest is dropped.
    mutating func add(_ prefix: String) {
        guard !prefixes.contains(where: { prefix.hasPrefix($0) }) else { return }
        prefixes.removeAll { $0.hasPrefix(prefix) }
        prefixes.append(prefix)
        if prefixes.count > Self.limit { prefixes.removeFirst() }
    }

    /// The length of the longest prefix that the path has.
    func coverage(ofPath path: String) -> Int? {
        prefixes.lazy.filter { path.utf8.starts(with: $0.utf8) }.map(\.utf8.count).max()
    }
}
