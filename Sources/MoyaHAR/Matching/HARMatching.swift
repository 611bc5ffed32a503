import Foundation
import MoyaHTTP

/// The rules for matching requests with recorded ones.
///
/// Secrets are masked before the comparison; `***` in the file matches any value. Everything else is compared
/// exactly: texts by their bytes, so a composed and a decomposed `é` differ, and JSON numbers by their value, so 1
/// and 1.0 are equal, but 9007199254740993 and 9007199254740992 are not.
public struct HARMatching: Hashable, Sendable {
    /// Parts of a request, except headers, which are selected by name because most of them depend on the machine.
    public struct Parts: OptionSet, Hashable, Sendable {
        /// The bits, one for each part.
        public let rawValue: Int

        /// Creates parts from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The method.
        public static let method = Parts(rawValue: 1 << 0)
        /// Scheme, host and port.
        public static let origin = Parts(rawValue: 1 << 1)
        /// The path.
        public static let path = Parts(rawValue: 1 << 2)
        /// The query parameters by name; values with the same name in order.
        public static let query = Parts(rawValue: 1 << 3)
        /// The body: JSON by structure, forms by name, other bodies by bytes.
        public static let body = Parts(rawValue: 1 << 4)

        /// The whole URL.
        public static let url: Parts = [.origin, .path, .query]
        /// All parts.
        public static let all: Parts = [.method, .url, .body]
    }

    /// The order in which matching entries are used.
    public enum Order: Hashable, Sendable {
        /// The first unused matching entry.
        case any
        /// The first unused entry, which must match: requests must be sent in the order of the recording.
        case recorded
    }

    /// The parts that are compared; all by default.
    public var parts: Parts
    /// The case-insensitive names of headers that are compared; empty by default.
    public var headers: Set<String>
    /// The names of query parameters that are not compared, such as timestamps and random numbers.
    public var ignoredQueryNames: Set<String>
    /// The order in which matching entries are used; by default any order.
    public var order: Order
    /// Whether the last matching entry is used again after all matching ones have been used; false by default.
    public var repeats: Bool

    /// Creates rules, strict ones by default.
    public init(
        parts: Parts = .all,
        headers: Set<String> = [],
        ignoredQueryNames: Set<String> = [],
        order: Order = .any,
        repeats: Bool = false
    ) {
        self.parts = parts
        self.headers = headers
        self.ignoredQueryNames = ignoredQueryNames
        self.order = order
        self.repeats = repeats
    }
}
