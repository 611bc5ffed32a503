import Foundation
import HTTPTypes

/// A storage of cached responses, such as ``MemoryCacheStore``, ``DiskCacheStore`` or a custom type.
///
/// A store keeps responses and finds them by their key. It has no rules: an ``HTTPCache`` decides which responses are stored,
/// used, changed and removed. Several responses may have the same key (RFC 9111, section 4.1); each has a separate entry.
///
/// The functions may be called concurrently. An error that a store throws never fails a request: the cache treats it
/// as a miss and counts it (``CacheStatistics/storeErrors``).
public protocol CacheStore: Sendable {
    /// Returns the entries for a key, in any order.
    ///
    /// It does not count as a use of the entries.
    func entries(for key: CacheKey) async throws -> [CacheEntry]

    /// Returns the body of an entry and counts a use of the entry.
    ///
    /// - Parameters:
    ///   - entry: An entry that ``entries(for:)`` has returned.
    ///   - range: The range of bytes to return; `nil` for all.
    /// - Returns: The body; `nil` if the entry has been removed or replaced, or is damaged. The store removes a damaged entry.
    /// - Throws: Any error.
    func body(of entry: CacheEntry, range: Range<Int64>?) async throws -> TransportBody?

    /// Begins to store a response.
    ///
    /// The entry becomes visible when its writer has finished.
    ///
    /// - Parameters:
    ///   - response: The response's head.
    ///   - key: The key of the entry.
    ///   - length: The length of the body in bytes, if it is known.
    ///   - replaced: The entries that the new one replaces. They are removed when it becomes visible. Entries that do not exist
    ///     any more are ignored.
    /// - Returns: A writer for the body; `nil` if the response is too large for the store.
    /// - Throws: Any error.
    func write(
        _ response: CachedResponse,
        for key: CacheKey,
        length: Int64?,
        replacing replaced: [CacheEntry.ID]
    ) async throws -> (any CacheWriter)?

    /// Replaces the head of an entry and keeps its body.
    ///
    /// It does nothing if the entry has been removed.
    func update(_ entry: CacheEntry, to response: CachedResponse) async throws

    /// Removes an entry, if it exists.
    func remove(_ entry: CacheEntry) async throws

    /// Removes all entries for a key.
    func removeEntries(for key: CacheKey) async throws

    /// Removes all entries.
    func removeAll() async throws

    /// Returns all entries, the least recently used first.
    ///
    /// It does not count as a use of the entries.
    func allEntries() async throws -> [CacheEntry]

    /// The number of bytes that the entries occupy, heads included.
    var size: Int64 { get async }

    /// The number of bytes that the entries may occupy.
    var maximumSize: Int64 { get }
}

/// A writer of the body of one cached response.
///
/// Its functions are called one after the other. A writer that is released without ``finish()`` discards the entry.
public protocol CacheWriter: Sendable {
    /// Appends to the body.
    ///
    /// - Returns: Whether the body still fits into the store; otherwise it has been discarded.
    func append(_ data: Data) async throws -> Bool

    /// Makes the entry visible, with the body that has been appended.
    func finish() async throws

    /// Discards the entry.
    func discard() async
}

/// The key of cached responses: the URL of their request (RFC 9111, section 2).
///
/// Only responses to `GET` are stored, so the key does not contain the method. Scheme and host are in lowercase; the default port
/// of the scheme and the fragment are omitted.
public struct CacheKey: Hashable, Sendable {
    /// The normalized URL.
    public let url: String

    /// Creates a key from the normalized URL of another key, for stores.
    package init(normalized url: String) { self.url = url }
}

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
    /// The number of times that the body was used.
    public internal(set) var hits: Int

    /// Creates an entry.
    public init(id: ID, key: CacheKey, response: CachedResponse, bodySize: Int64, hits: Int = 0) {
        self.id = id
        self.key = key
        self.response = response
        self.bodySize = bodySize
        self.hits = hits
    }
}

/// The head of a stored response, with the values that decide whether it may be used.
public struct CachedResponse: Equatable, Sendable {
    /// The status code.
    public var status: Int
    /// The fields, without those that belong to a connection (RFC 9111, section 3.1).
    public var headers: HTTPFields
    /// The fields of the request that the response's `Vary` names, with names in lowercase and normalized values; `nil` for a field
    /// that the request did not have (RFC 9111, section 4.1).
    ///
    /// A value that is not valid UTF-8 consists of a NUL and the bytes as ISO 8859-1.
    public var selectingFields: [String: String?]
    /// A fingerprint of the credentials that the request was sent with; `nil` for none.
    ///
    /// A response is never used for a request with other credentials.
    public var credentials: String?
    /// The time at which the request was sent, in seconds since 1970.
    public var requestTime: Double
    /// The time at which the response's head arrived, in seconds since 1970.
    public var responseTime: Double
    /// Whether the body is without the content codings that `Content-Encoding` names.
    public var isDecoded: Bool
    /// The position of the stored body in the whole body; `nil` if the whole body is stored (RFC 9111, section 3.3).
    public var part: Part?

    /// A part of a body.
    public struct Part: Equatable, Sendable {
        /// The position of the first byte.
        public var start: Int64
        /// The length of the whole body, if it is known.
        public var completeLength: Int64?

        /// Creates a part.
        public init(start: Int64, completeLength: Int64?) {
            self.start = start
            self.completeLength = completeLength
        }
    }

    /// Creates a head.
    public init(
        status: Int,
        headers: HTTPFields = [:],
        selectingFields: [String: String?] = [:],
        credentials: String? = nil,
        requestTime: Double,
        responseTime: Double,
        isDecoded: Bool = true,
        part: Part? = nil
    ) {
        self.status = status
        self.headers = headers
        self.selectingFields = selectingFields
        self.credentials = credentials
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.isDecoded = isDecoded
        self.part = part
    }
}
