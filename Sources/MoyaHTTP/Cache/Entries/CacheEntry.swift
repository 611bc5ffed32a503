/// A stored response, with its head and the properties of its body.
public struct CacheEntry: Sendable, Identifiable {
    /// The identifier of an entry within its store, which differs from that of any entry it replaces.
    public struct ID: Hashable, Sendable {
        /// The number of the entry.
        public let rawValue: UInt64

        /// Creates an identifier.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
    }

    /// The identifier of the entry within its store.
    public let id: ID
    /// The key of the entry.
    public let key: CacheKey
    /// The head of the response.
    public internal(set) var head: CachedHead
    /// The length of the body in bytes.
    public let bodySize: Int64
    /// The number of times that the body was opened, also after a confirmation by a server.
    public internal(set) var useCount: Int

    /// Creates an entry.
    public init(id: ID, key: CacheKey, head: CachedHead, bodySize: Int64, useCount: Int = 0) {
        self.id = id
        self.key = key
        self.head = head
        self.bodySize = bodySize
        self.useCount = useCount
    }

    /// The position of the first stored byte in the whole body.
    var bodyStart: Int64 { head.part?.start ?? 0 }

    /// The length of the whole body, if it is known.
    var completeLength: Int64? { head.part.map { $0.completeLength } ?? bodySize }
}
