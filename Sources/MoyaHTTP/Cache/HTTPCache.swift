import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A private HTTP cache (RFC 9111): keeps responses, and uses them for later requests as far as servers and requests allow it.
///
/// ### Use
///
///     let cache = try HTTPCache.disk(at: directory)
///     let session = Session(cache: cache)
///
/// Several sessions may share one. A response is never used for a request with other credentials in `Authorization`; cookies select
/// a response only if the server says so (`Vary: Cookie`). Sessions with different client certificates should not share a cache.
///
/// ### What is cached
///
/// Complete responses to GET, as their `Cache-Control`, `Expires` and `Vary` say. A stale response is validated with its `ETag` or
/// `Last-Modified`. Successful requests with other methods, such as POST, remove what is stored for their URL.
public final class HTTPCache: Sendable {
    /// The storage.
    public let store: any CacheStore
    /// Whether concurrent equal requests for data wait for the first one, and use its response if that may be stored.
    public let collapsesRequests: Bool
    /// The time for which a stale response is used if a request fails, unless the response or the request says another one
    /// (`stale-if-error`) or the response forbids it (`must-revalidate`, `no-cache`).
    public let staleIfError: Duration
    /// Whether complete responses are stored that have neither a lifetime nor a validator: they are only used by requests that
    /// accept any stored response (`returnCacheDataElseLoad`, `returnCacheDataDontLoad`, `max-stale`), or offline.
    public let keepsForOfflineUse: Bool

    /// The time in seconds since 1970.
    let now: @Sendable () -> Double
    let fetches = CacheFetches()
    let removals = CacheRemovals()
    /// The store, if it is in memory: whether it has an entry is known without waiting.
    let memory: MemoryCacheStore?
    private let state = Locked(State())

    private struct State {
        var isOffline = false
        var statistics = CacheStatistics()
    }

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - store: The storage.
    ///   - staleIfError: The time for which a stale response is used if a request fails.
    ///   - collapsesRequests: Whether concurrent equal requests are sent once.
    ///   - keepsForOfflineUse: Whether responses without a lifetime and validator are stored.
    public convenience init(
        store: any CacheStore,
        staleIfError: Duration = .zero,
        collapsesRequests: Bool = true,
        keepsForOfflineUse: Bool = true
    ) {
        self.init(
            store: store,
            staleIfError: staleIfError,
            collapsesRequests: collapsesRequests,
            keepsForOfflineUse: keepsForOfflineUse,
            now: { Date().timeIntervalSince1970 }
        )
    }

    package init(
        store: any CacheStore,
        staleIfError: Duration = .zero,
        collapsesRequests: Bool = true,
        keepsForOfflineUse: Bool = true,
        now: @escaping @Sendable () -> Double
    ) {
        self.store = store
        memory = store as? MemoryCacheStore
        self.staleIfError = staleIfError
        self.collapsesRequests = collapsesRequests
        self.keepsForOfflineUse = keepsForOfflineUse
        self.now = now
    }

    /// Creates the cache of a session whose configuration has a `URLCache`; `nil` if that is `nil`, or has no capacity in memory.
    ///
    /// The new cache is in memory, with the same capacity; the `URLCache` itself is not used, and neither is its capacity on disk:
    /// use ``disk(at:maximumSize:)``. As with URLSession, concurrent equal requests are all sent.
    public convenience init?(replacing cache: URLCache?) {
        guard let capacity = cache?.memoryCapacity, capacity > 0 else { return nil }
        self.init(
            store: MemoryCacheStore(maximumSize: Int64(capacity)),
            collapsesRequests: false,
            keepsForOfflineUse: false
        )
    }

    /// Creates a cache in memory.
    ///
    /// - Parameter maximumSize: The number of bytes that the stored responses may occupy.
    /// - Returns: The cache.
    public static func memory(maximumSize: Int64 = 20 << 20) -> HTTPCache {
        HTTPCache(store: MemoryCacheStore(maximumSize: maximumSize))
    }

    /// Creates a cache in a directory, which is created if necessary, and which no other process may use.
    ///
    /// - Parameters:
    ///   - directory: The directory, which belongs to the cache alone.
    ///   - maximumSize: The number of bytes that the stored responses may occupy.
    /// - Returns: The cache.
    /// - Throws: ``CacheStoreError``.
    public static func disk(at directory: URL, maximumSize: Int64 = 100 << 20) throws(CacheStoreError) -> HTTPCache {
        HTTPCache(store: try DiskCacheStore(directory: directory, maximumSize: maximumSize))
    }

    /// Whether all requests are answered from the cache, and none is sent.
    ///
    /// Any stored response is used, however old it is. A request without one, and one with another method than GET and HEAD, fails
    /// with `URLError.resourceUnavailable`.
    public var isOffline: Bool {
        get { state.withLock { $0.isOffline } }
        set { state.withLock { $0.isOffline = newValue } }
    }

    /// What the cache has done since it was created.
    public var statistics: CacheStatistics { state.withLock { $0.statistics } }

    /// The number of bytes that the stored responses occupy.
    public var size: Int64 { get async { await store.size } }

    /// Returns what is stored, the least recently used first.
    public func entries() async throws -> [CacheEntry] { try await store.allEntries() }

    /// Removes the responses that are stored for a URL; those to requests that are being sent will not be stored.
    public func remove(_ url: URL) async throws { try await removeEntries(for: CacheKey(url)) }

    /// Removes all responses; those to requests that are being sent will not be stored.
    public func removeAll() async throws {
        removals.note(nil)
        try await store.removeAll()
    }

    func removeEntries(for key: CacheKey) async throws {
        removals.note(key)
        try await store.removeEntries(for: key)
    }

    func count(_ change: (inout CacheStatistics) -> Void) { state.withLock { change(&$0.statistics) } }

    /// Performs an operation of the store; its error is counted, and is as if there were nothing.
    nonisolated(nonsending) func attempt<R>(_ body: nonisolated(nonsending) () async throws -> R?) async -> R? {
        do {
            return try await body()
        } catch {
            count { $0.storeErrors += 1 }
            return nil
        }
    }
}

/// What a cache has done since it was created.
public struct CacheStatistics: Equatable, Sendable {
    /// The number of requests that were answered from the store without a request.
    public var hits = 0
    /// The number of these whose response was stale.
    public var staleHits = 0
    /// The number of stored responses that a server has confirmed (304).
    public var revalidations = 0
    /// The number of requests that were sent, as there was nothing to use.
    public var misses = 0
    /// The number of requests that have waited for an equal one.
    public var collapsed = 0
    /// The number of responses that were stored.
    public var stored = 0
    /// The number of operations that the store has failed.
    public var storeErrors = 0

    /// Creates statistics with zeros.
    public init() {}
}
