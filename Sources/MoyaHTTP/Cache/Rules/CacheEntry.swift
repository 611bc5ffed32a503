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
    /// The response's head.
    public internal(set) var response: CachedResponse
    /// The length of the body in bytes.
    public let bodySize: Int64
    /// The number of times that the body was opened, also after a confirmation by a server.
    public internal(set) var hits: Int

    /// Creates an entry.
    public init(id: ID, key: CacheKey, response: CachedResponse, bodySize: Int64, hits: Int = 0) {
        self.id = id
        self.key = key
        self.response = response
        self.bodySize = bodySize
        self.hits = hits
    }

    /// The position of the first stored byte in the whole body.
    var bodyStart: Int64 { response.part?.start ?? 0 }

    /// The length of the whole body, if it is known.
    var completeLength: Int64? { response.part.map { $0.completeLength } ?? bodySize }
}
