import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RFC 9111, 4.2.3: the delay of a stored response begins when its request is sent")
struct RequestTimeTests {
    /// The part of a session that lets a request wait between the cache and the transport.
    enum Wait: CaseIterable { case middleware, rateLimit, hedging, resend }

    @Test("a wait below the cache does not make a response older", arguments: Wait.allCases)
    func wait(below wait: Wait) async throws {
        let delay = Duration.milliseconds(20)
        // The times at which the limiter has got the requests.
        let limited = Locked<[ContinuousClock.Instant]>([])
        var (resilience, middleware) = (Resilience(), [any HTTPMiddleware]())
        switch wait {
        case .middleware:
            middleware.append(
                HTTPMiddlewareTests.Middleware { request, _, next in
                    try await Task.sleep(for: delay)
                    return try await next(request)
                }
            )
        case .rateLimit:
            let key = LimitKey { _ in
                limited.withLock { $0.append(.now) }
                return "all"
            }
            resilience.rateLimit = RateLimiter(.tokenBucket(1, per: delay), by: key)
        case .hedging:
            resilience.hedging = Hedging(after: .fixed(delay))
        case .resend:
            break
        }
        let count = Locked(0)
        let transport = FakeTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1, wait == .hedging { try await Task.sleep(for: .seconds(600)) }
            if number == 1, wait == .resend {
                try await Task.sleep(for: delay)
                throw URLError(.networkConnectionLost, userInfo: [NSUnderlyingErrorKey: RequestNotProcessedError()])
            }
            return .text("", [.cacheControl: "max-age=60"])
        }
        let time = 1_800_000_000.0
        let cache = HTTPCache(store: MemoryCacheStore(), now: { time })
        let session = Session(
            transport: transport,
            cache: cache,
            exchangeMiddleware: middleware,
            resilience: resilience
        )
        // The first response, if there is one, has the only token of the limit.
        for path in wait == .rateLimit ? ["/first", "/a"] : ["/a"] {
            _ = try await session.data(for: CachedServer.request(path))
        }
        let head = try #require(try await cache.entries().last).head
        let shortest = limited.withLock { $0.count == 2 ? delay - ($0[1] - $0[0]) : delay }
        #expect(head.requestTime - time >= shortest / .seconds(1) - 0.000_001)
        #expect(head.responseTime == time)
    }
}
