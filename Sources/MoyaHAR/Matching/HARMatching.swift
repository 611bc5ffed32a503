/// What makes a request the same as a recorded one.
///
/// Secrets are compared masked: where the file has `***`, any value will do. All else is compared exactly: texts by their bytes,
/// so that a composed and a decomposed `é` differ, and the numbers of JSON by their value, so that 1 and 1.0 are the same, and
/// 9007199254740993 and 9007199254740992 are not.
public struct HARMatching: Hashable, Sendable {
    /// Parts of a request. Headers are named one by one: most differ from machine to machine.
    public struct Parts: OptionSet, Hashable, Sendable {
        /// One bit for each part.
        public let rawValue: Int

        /// Makes parts of bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The method.
        public static let method = Parts(rawValue: 1 << 0)
        /// Scheme, host and port.
        public static let origin = Parts(rawValue: 1 << 1)
        /// The path.
        public static let path = Parts(rawValue: 1 << 2)
        /// The parameters in the query, by name; those of one name in their order.
        public static let query = Parts(rawValue: 1 << 3)
        /// The body: JSON by its structure, forms by name, all else byte by byte.
        public static let body = Parts(rawValue: 1 << 4)

        /// The whole URL.
        public static let url: Parts = [.origin, .path, .query]
        /// All of them.
        public static let all: Parts = [.method, .url, .body]
    }

    /// Which of the entries that match answers.
    public enum Order: Hashable, Sendable {
        /// The first that has not answered yet.
        case any
        /// The first of all that has not answered yet, and if that does not match, none: requests must come as they were
        /// recorded.
        case recorded
    }

    /// What is compared. All of it by default.
    public var parts: Parts
    /// Headers that are compared, too, whatever the case of their names. None by default.
    public var headers: Set<String>
    /// Parameters of the query that are not compared: times, random numbers.
    public var ignoredQueryNames: Set<String>
    /// Which of the entries that match answers. By default any.
    public var order: Order
    /// Whether an entry answers again when all that match have answered: the last of them does. By default none does.
    public var repeats: Bool

    /// Makes rules, by default strict ones.
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
