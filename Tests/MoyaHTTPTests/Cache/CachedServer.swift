import Foundation
import HTTPTypes
import TestSupport

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server without a network, behind a session with a cache whose clock the test sets.
final class CachedServer: Sendable {
    typealias Handler = @Sendable (TransportRequest, _ count: Int) async throws -> TransportResponse

    let cache: HTTPCache
    let session: Session
    private let clock: Locked<Double>
    private let log: Locked<[TransportRequest]>

    /// `respond` returns the response to a request, whose number is 1 for the first one.
    init(
        store: any CacheStore = MemoryCacheStore(),
        staleIfError: Duration = .zero,
        collapsesRequests: Bool = true,
        keepsForOfflineUse: Bool = true,
        configuration: URLSessionConfiguration = .default,
        interceptor: (any RequestInterceptor)? = nil,
        eventMonitors: [any EventMonitor] = [],
        middleware: [any HTTPMiddleware] = [],
        exchangeMiddleware: [any HTTPMiddleware] = [],
        options: SessionOptions = SessionOptions(),
        timeoutClock: some Clock<Duration> = ContinuousClock(),
        respond: @escaping Handler
    ) {
        let clock = Locked<Double>(1_800_000_000)
        let log = Locked<[TransportRequest]>([])
        self.clock = clock
        self.log = log
        cache = HTTPCache(
            store: store,
            staleIfError: staleIfError,
            collapsesRequests: collapsesRequests,
            keepsForOfflineUse: keepsForOfflineUse,
            now: { clock.withLock { $0 } },
            clock: timeoutClock
        )
        let transport = FakeTransport { request in
            let count = log.withLock { log in
                log.append(request)
                return log.count
            }
            return try await respond(request, count)
        }
        session = Session(
            transport: transport,
            configuration: configuration,
            interceptor: interceptor,
            cache: cache,
            eventMonitors: eventMonitors,
            middleware: middleware,
            exchangeMiddleware: exchangeMiddleware,
            options: options
        )
    }

    /// The requests that the server has received.
    var requests: [TransportRequest] { log.withLock { $0 } }
    var count: Int { requests.count }

    /// Advances the cache's clock.
    func wait(_ seconds: Double) { clock.withLock { $0 += seconds } }

    /// The `Date` header for the current time.
    var date: String { Self.date(clock.withLock { $0 }) }

    static func date(_ seconds: Double) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: seconds))
    }

    func get(
        _ path: String = "/a",
        method: String = "GET",
        _ headers: [String: String] = [:],
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        body: String? = nil
    ) async throws -> SessionResponse {
        try await session.data(for: Self.request(path, method: method, headers, policy: policy, body: body))
    }

    static func request(
        _ path: String,
        method: String = "GET",
        _ headers: [String: String] = [:],
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        body: String? = nil
    ) -> URLRequest {
        var request = URLRequest(url: URL(string: "http://server.test\(path)")!)
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.cachePolicy = policy
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }
}

extension TransportResponse {
    static func text(_ text: String, status: Int = 200, _ headers: HTTPFields = [:]) -> TransportResponse {
        TransportResponse(status: status, headers: headers, body: .complete(Data(text.utf8)))
    }

    /// Sends the body in pieces.
    static func pieces(_ pieces: [String], _ headers: HTTPFields = [:], then error: URLError? = nil)
        -> TransportResponse
    {
        let rest = Locked(pieces[...])
        let stream = TransportBodyStream {
            if let piece = rest.withLock({ $0.popFirst() }) { return Data(piece.utf8) }
            if let error { throw error }
            return nil
        }
        return TransportResponse(status: 200, headers: headers, body: .stream(stream))
    }
}

struct NotInTime: Error {}

/// Waits until a condition is true; fails after a minute.
func eventually(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard .now < end else { throw NotInTime() }
        try await Task.sleep(for: .milliseconds(2))
    }
}
