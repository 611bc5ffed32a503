import Foundation
import HTTPTypes

/// A private HTTP cache (RFC 9111), which stores responses and uses them for later requests where servers and requests allow that.
///
/// ### Use a cache
///
///     let cache = try HTTPCache.disk(at: directory)
///     let session = Session(cache: cache)
///
/// Several sessions can share a cache. A response is never used for a request with other credentials in `Authorization`, or with
/// another `Host` header; cookies select a response only if the server sends `Vary: Cookie`. Sessions with different client
/// certificates should not share a cache.
///
/// A response is not stored if an `exchangeMiddleware` has changed `Authorization`, `Host` or a field that `Vary` names, because
/// the cache does not see these fields before it selects a response. For the same reason, a session with such a middleware must not
/// share a cache with one that sends the requests without it.
///
/// ### Cached responses
///
/// The cache stores complete responses to GET, and parts (206), according to their `Cache-Control`, `Expires` and `Vary`. It
/// validates a stale response with its `ETag` or `Last-Modified`. A successful request with an unsafe method, such as POST, removes
/// the responses stored for its URL.
public final class HTTPCache: Sendable {
    /// The storage.
    public let store: any CacheStore
    /// Whether concurrent equal requests for data wait for the first one and use its response.
    ///
    /// If they cannot use it, because it may not be stored or must be validated before each use, they are sent, and later requests
    /// do not wait until a response that can be used was stored.
    public let collapsesRequests: Bool
    /// The time for which a stale response is used if there is no valid response, or one with the status 500, 502, 503 or 504.
    ///
    /// Failures of TLS and of the trust in a server, and errors of the application, are not hidden.
    ///
    /// `stale-if-error` in the request or the response replaces it; if both have it, the longer time applies, because each of them
    /// permits the use. `must-revalidate` in the response, `no-cache` in the request or the response, and a policy that reloads
    /// or revalidates forbid the use.
    public let staleIfError: Duration
    /// Whether responses without a lifetime and without a validator are stored.
    ///
    /// They are used only for requests that accept any stored response (`returnCacheDataElseLoad`, `returnCacheDataDontLoad`,
    /// `max-stale`), offline, and by ``Fallback/staleResponse``.
    public let keepsForOfflineUse: Bool

    /// Returns the time in seconds since 1970.
    let now: @Sendable () -> Double
    let collapsedRequests: CollapsedRequests
    let removals = CacheRemovals()
    /// The store, if it is in memory.
    let memoryStore: MemoryCacheStore?
    private let state = Locked(State())

    private struct State {
        var isOffline = false
        var statistics = CacheStatistics()
    }

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - store: The storage.
    ///   - staleIfError: The time for which a stale response is used if a server fails.
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
        now: @escaping @Sendable () -> Double,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.store = store
        memoryStore = store as? MemoryCacheStore
        self.staleIfError = staleIfError
        self.collapsesRequests = collapsesRequests
        self.keepsForOfflineUse = keepsForOfflineUse
        self.now = now
        collapsedRequests = CollapsedRequests(clock: clock)
    }

    /// Creates the cache of a session whose configuration has a `URLCache`; `nil` if that is `nil`, or has no capacity in memory.
    ///
    /// The new cache is in memory and has the same capacity. The `URLCache` and its capacity on disk are not used; for a cache on
    /// disk, use ``disk(at:maximumSize:)``. As with URLSession, all concurrent equal requests are sent.
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

    /// Creates a cache in a directory, creating the directory if necessary.
    ///
    /// Only one cache at a time, of this or another process, can use the directory.
    ///
    /// - Parameters:
    ///   - directory: The directory. The cache uses the folder `v1` and the file `lock` in it, and leaves other files alone.
    ///   - maximumSize: The number of bytes that the stored responses may occupy.
    /// - Returns: The cache.
    /// - Throws: ``CacheStoreError``.
    public static func disk(at directory: URL, maximumSize: Int64 = 100 << 20) throws(CacheStoreError) -> HTTPCache {
        HTTPCache(store: try DiskCacheStore(directory: directory, maximumSize: maximumSize))
    }

    /// Whether all responses come from the cache, and no request is sent.
    ///
    /// A request that is already being sent continues.
    ///
    /// Any stored response is used, whatever its age. A request without a stored response, with a body, with a method other than
    /// GET and HEAD, or with `no-store`, `If-Match` or `If-Unmodified-Since`, fails with `URLError.resourceUnavailable`.
    public var isOffline: Bool {
        get { state.withLock { $0.isOffline } }
        set { state.withLock { $0.isOffline = newValue } }
    }

    /// The counts of the cache's operations since its creation.
    public var statistics: CacheStatistics { state.withLock { $0.statistics } }

    func changeStatistics(_ change: (inout CacheStatistics) -> Void) { state.withLock { change(&$0.statistics) } }
}
