import Foundation

/// URLs of a form: `/users/*`, or `https://api.example.com/**?page=1`. Pure.
struct ScriptPattern: Sendable {
    private enum Token: Equatable, Sendable {
        case byte(UInt8)
        /// Anything but a slash.
        case name
        /// Anything.
        case rest
    }

    /// Scheme, host and port, in lower case; `nil` for any.
    private let origin: String?
    private let path: [Token]
    /// Sorted; `nil` for any.
    private let query: [Substring]?

    init(_ text: String) {
        var rest = text[...]
        if let slashes = rest.range(of: "://") {
            let end = rest[slashes.upperBound...].firstIndex { "/?".contains($0) } ?? rest.endIndex
            origin = rest[..<end].lowercased()
            rest = rest[end...]
        } else {
            origin = nil
        }
        let question = rest.firstIndex(of: "?")
        query = question.map { Self.items(rest[rest.index(after: $0)...]) }
        let path = rest[..<(question ?? rest.endIndex)]
        self.path = Self.tokens(path.hasPrefix("/") || path.hasPrefix("*") ? path : "/\(path)")
    }

    func matches(_ url: URL) -> Bool {
        let text = String(url.withoutCredentials.absoluteString.prefix { $0 != "#" })
        guard let slashes = text.range(of: "://") else { return false }
        let end = text[slashes.upperBound...].firstIndex { "/?".contains($0) } ?? text.endIndex
        guard origin == nil || origin == text[..<end].lowercased() else { return false }
        let rest = text[end...]
        let question = rest.firstIndex(of: "?") ?? rest.endIndex
        if let query, query != Self.items(rest[question...].dropFirst()) { return false }
        let path = rest[..<question]
        return matches(path.isEmpty ? [UInt8(ascii: "/")] : Array(path.utf8))
    }

    /// All places in the pattern where the bytes so far may have led, so that no pattern takes long.
    private func matches(_ bytes: [UInt8]) -> Bool {
        var places = reached(from: [0])
        for byte in bytes {
            var next: Set<Int> = []
            for place in places where place < path.count {
                switch path[place] {
                case .byte(let wanted): if wanted == byte { next.insert(place + 1) }
                case .name: if byte != UInt8(ascii: "/") { next.insert(place) }
                case .rest: next.insert(place)
                }
            }
            places = reached(from: next)
            if places.isEmpty { return false }
        }
        return places.contains(path.count)
    }

    /// What stands for anything may stand for nothing.
    private func reached(from places: Set<Int>) -> Set<Int> {
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

    private static func items(_ query: Substring) -> [Substring] { query.split(separator: "&").sorted() }

    private static func tokens(_ path: some StringProtocol) -> [Token] {
        var tokens: [Token] = []
        for byte in path.utf8 {
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
