import Foundation

/// A pattern for URLs, such as `/users/*` or `https://api.example.com/**?page=1`.
struct ScriptPattern: Sendable {
    private enum Token: Equatable, Sendable {
        case byte(UInt8)
        /// Any characters except a slash.
        case name
        /// Any characters.
        case rest
    }

    /// Scheme, host and port, without a default port; `nil` for any.
    private let origin: String?
    private let path: [Token]
    /// The decoded query; `nil` for any.
    private let query: MatchedValues?

    init(_ text: String) {
        // The test may write `/users/zoë kay`: the pattern is escaped as in a URL.
        let escaped = text.percentEncoded(keeping: .url)
        let isURL = escaped.contains("://")
        let isPath = escaped.hasPrefix("/") || escaped.hasPrefix("*")
        let url = URLParts(of: isURL || isPath ? escaped : "/\(escaped)")
        origin = isURL ? url.origin : nil
        query = escaped.prefix { $0 != "#" }.contains("?") ? MatchedValues(url.items) : nil
        path = Self.tokens(of: Self.normalized(url.path))
    }

    /// Returns whether the pattern matches a URL.
    func matches(_ url: URL) -> Bool {
        let parts = URLParts(of: url.absoluteString)
        guard !parts.origin.isEmpty, origin == nil || origin == parts.origin else { return false }
        if let query, query != MatchedValues(parts.items) { return false }
        return matches(path: Self.normalized(parts.path))
    }

    /// Returns a path's bytes with escaped unreserved characters decoded, and with all other escapes in upper case (RFC 3986, section
    /// 6.2.2).
    private static func normalized(_ path: String) -> [UInt8] {
        let bytes = Array(path.percentEncoded(keeping: .url).utf8)
        var output: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[(position + 1)...(position + 2)], as: UTF8.self), radix: 16)
            {
                if ASCIISet.unreserved.contains(byte) {
                    output.append(byte)
                } else {
                    output += String(decoding: bytes[position...(position + 2)], as: UTF8.self).uppercased().utf8
                }
                position += 3
            } else {
                output += bytes[position] == UInt8(ascii: "%") ? Array("%25".utf8) : [bytes[position]]
                position += 1
            }
        }
        return output
    }

    /// Returns whether the pattern matches a path.
    ///
    /// The function tracks all reachable positions in the pattern, so that no pattern takes exponential time.
    private func matches(path bytes: [UInt8]) -> Bool {
        var places = reachablePlaces(from: [0])
        for byte in bytes {
            var next: Set<Int> = []
            for place in places where place < path.count {
                switch path[place] {
                case .byte(let wanted): if wanted == byte { next.insert(place + 1) }
                case .name: if byte != UInt8(ascii: "/") { next.insert(place) }
                case .rest: next.insert(place)
                }
            }
            places = reachablePlaces(from: next)
            if places.isEmpty { return false }
        }
        return places.contains(path.count)
    }

    /// Returns the positions and all positions that follow them across wildcards, because a wildcard may match nothing.
    private func reachablePlaces(from places: Set<Int>) -> Set<Int> {
        var all = places
        for start in places {
            var place = start
            while place < path.count, path[place] == .name || path[place] == .rest {
                place += 1
                all.insert(place)
            }
        }
        return all
    }

    private static func tokens(of path: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        for byte in path {
            if byte != UInt8(ascii: "*") {
                tokens.append(.byte(byte))
            } else if tokens.last == .name {
                tokens[tokens.count - 1] = .rest
            } else {
                tokens.append(.name)
            }
        }
        return tokens
    }
}
