import Foundation
import MoyaHTTP

/// The error for a request without a matching entry; ``nearest`` and ``differences`` describe the most similar one.
public struct HARMismatch: Error, Hashable, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The recording has no entries.
        case empty
        /// No entry matches.
        case noMatch
        /// All matching entries have been used.
        case usedUp
        /// Another request is next (``HARMatching/Order/recorded``).
        case outOfOrder
        /// All entries have been used in order.
        case pastTheEnd
    }

    /// The reason for the error.
    public let reason: Reason
    /// The request, masked.
    public let request: HAR.Request
    /// The most similar entry, masked.
    public let nearest: HAR.Entry?
    /// The position of ``nearest`` among the entries, from 0.
    public let nearestIndex: Int?
    /// The differences of ``nearest``; empty if it matches but has been used.
    public let differences: [HARDifference]

    init(
        _ reason: Reason,
        request: HAR.Request,
        nearest: (index: Int, entry: HAR.Entry)? = nil,
        differences: [HARDifference] = []
    ) {
        self.reason = reason
        self.request = request
        self.nearest = nearest?.entry
        nearestIndex = nearest?.index
        self.differences = differences
    }
}

extension HARMismatch: MaskedError {
    /// The request, the most similar entry, and the differences.
    public var errorDescription: String? {
        let actual = "\(request.method) \(HARDifference.short(request.url))"
        guard let nearest, let nearestIndex else {
            let cause = reason == .empty ? "there are no entries" : "all entries have been used"
            return "No recorded entry matches \(actual): \(cause). Record it again."
        }
        let entry = "entry \(nearestIndex), \(nearest.request.method) \(HARDifference.short(nearest.request.url))"
        let details = differences.map { "\n- \($0)" }.joined()
        switch reason {
        case .usedUp:
            return "No unused recorded entry matches \(actual): \(entry), has been used already. Record it again, or "
                + "allow entries to repeat."
        case .outOfOrder:
            return "The next recorded entry does not match \(actual). It is \(entry), which differs:\(details)"
        case .empty, .noMatch, .pastTheEnd:
            return "No recorded entry matches \(actual). The nearest is \(entry), which differs:\(details)"
        }
    }
}

/// One difference between a request and a recorded one, with secrets masked.
public enum HARDifference: Hashable, Sendable {
    /// The methods differ.
    case method(recorded: String, actual: String)
    /// Scheme, host or port differ.
    case origin(recorded: String, actual: String)
    /// The paths differ.
    case path(recorded: String, actual: String)
    /// The values of a query parameter differ; empty if it is missing.
    case query(name: String, recorded: [String], actual: [String])
    /// The values of a header differ; empty if it is missing.
    case header(name: String, recorded: [String], actual: [String])
    /// The values of a form field differ; empty if it is missing.
    case field(name: String, recorded: [String], actual: [String])
    /// A JSON value differs at a path such as `$.user.roles[2]`; `nil` if it is missing.
    case json(path: String, recorded: String?, actual: String?)
    /// The bodies differ from a byte offset on.
    case bytes(offset: Int)
    /// The bodies have different lengths in bytes.
    case length(recorded: Int64, actual: Int64)

    /// The contribution to a request's dissimilarity.
    package var weight: Int {
        switch self {
        case .path: 40
        case .method, .origin: 20
        case .query, .length, .bytes: 4
        case .header, .field, .json: 2
        }
    }
}

extension HARDifference: CustomStringConvertible {
    /// The difference in words: `query "page": recorded "1", requested "2"`.
    public var description: String {
        switch self {
        case .method(let recorded, let actual): "method: recorded \(recorded), requested \(actual)"
        case .origin(let recorded, let actual): "server: recorded \(recorded), requested \(actual)"
        case .path(let recorded, let actual): "path: recorded \(recorded), requested \(actual)"
        case .query(let name, let recorded, let actual): Self.text("query", name, recorded, actual)
        case .header(let name, let recorded, let actual): Self.text("header", name, recorded, actual)
        case .field(let name, let recorded, let actual): Self.text("form field", name, recorded, actual)
        case .json(let path, let recorded, let actual):
            "body at \(path): recorded \(recorded ?? "nothing"), requested \(actual ?? "nothing")"
        case .bytes(let offset): "body: differs from byte \(offset) on"
        case .length(let recorded, let actual): "body: recorded \(recorded) bytes, requested \(actual)"
        }
    }

    private static func text(_ kind: String, _ name: String, _ recorded: [String], _ actual: [String]) -> String {
        "\(kind) \(name.debugDescription): recorded \(list(recorded)), requested \(list(actual))"
    }

    private static func list(_ values: [String]) -> String {
        values.isEmpty ? "nothing" : values.map { short($0).debugDescription }.joined(separator: ", ")
    }

    /// Shortens a text for errors.
    package static func short(_ text: String) -> String { text.count > 80 ? "\(text.prefix(80))…" : text }

    /// Shortens two texts, and removes a long common prefix that would hide the difference.
    package static func short(_ text: String, _ other: String) -> (String, String) {
        let shared = zip(text, other).prefix { $0 == $1 }.count
        guard shared > 60 else { return (short(text), short(other)) }
        return ("…" + short(String(text.dropFirst(shared - 20))), "…" + short(String(other.dropFirst(shared - 20))))
    }
}

/// A text that is compared by its bytes.
///
/// `String` considers a composed and a decomposed `é` equal (canonical equivalence); servers do not.
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    package let string: String

    package init(_ string: some StringProtocol) { self.string = String(string) }

    package init(stringLiteral value: String) { string = value }

    package static func == (lhs: ExactText, rhs: ExactText) -> Bool { lhs.string.utf8.elementsEqual(rhs.string.utf8) }

    package static func < (lhs: ExactText, rhs: ExactText) -> Bool {
        lhs.string.utf8.lexicographicallyPrecedes(rhs.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }

    /// Returns whether a text matches this recorded one, in which `***` matches any bytes.
    func isMatched(by actual: ExactText) -> Bool {
        self == actual || MaskedPattern(string.utf8).matches(actual.string.utf8)
    }
}

/// A pattern of bytes in which `***` matches any bytes.
struct MaskedPattern {
    private static let placeholder = Array(HARSecrets.placeholder.utf8)
    private let parts: [ArraySlice<UInt8>]

    init(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var position = 0
        while position + Self.placeholder.count <= bytes.count {
            if bytes[position..<(position + Self.placeholder.count)].elementsEqual(Self.placeholder) {
                parts.append(bytes[start..<position])
                position += Self.placeholder.count
                start = position
            } else {
                position += 1
            }
        }
        self.parts = parts + [bytes[start...]]
    }

    /// Whether the pattern contains `***`.
    var isMasked: Bool { parts.count > 1 }

    /// Matches by finding each part as early as possible, which makes backtracking unnecessary.
    func matches(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        guard isMasked, let first = parts.first, let last = parts.last else { return false }
        guard bytes.count >= first.count + last.count, bytes.starts(with: first), bytes.suffix(last.count) == last
        else {
            return false
        }
        var rest = bytes[first.count..<(bytes.count - last.count)]
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
