import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session limits the rate of its exchanges", .timeLimit(.minutes(5)))
struct RateLimitStageTests {
    @Test("each exchange counts: attempts and redirects; and a request that is refused is not retried")
    func exchanges() async throws {
        let limiter = RateLimiter(.slidingWindow(3, per: .seconds(3_600)), by: .all, maximumWait: .zero)
        let limited = LimitedSession(rate: limiter, interceptor: TestInterceptor.repeating(5)) { request in
            request.url.path == "/a"
                ? TransportResponse(status: 302, headers: [.location: "/b"]) : TransportResponse(status: 503)
        }
        let error = try #require(await limited.error("http://h.test/a"))
        #expect(limited.sent.values == ["http://h.test/a", "http://h.test/b", "http://h.test/a"])
        #expect(error.code == .resourceUnavailable)
        let limit = try #require(error.rateLimit)
        #expect(limit.key == "all requests")
        #expect(!limit.isServerLimit)
        #expect(limit.waiting == 0)
        #expect(limit.until > Date() + 3_000)
        let text = "The request was not sent: the limit of 3 requests per 3600 s for all requests allows it in "
        #expect(limit.description.hasPrefix(text))
        #expect(limit.description.hasSuffix(", and it may wait 0 ms."))
        #expect(limited.count { if case .retrying = $0 { true } else { false } } == 1)
    }

    @Test("each origin has a limit, and a redirect counts at its origin")
    func origins() async throws {
        let limiter = RateLimiter(.slidingWindow(2, per: .seconds(3_600)), maximumWait: .zero)
        let limited = LimitedSession(rate: limiter) { request in
            request.url.path == "/away"
                ? TransportResponse(status: 302, headers: [.location: "http://b.test/"])
                : TransportResponse(status: 200)
        }
        try await limited.send("http://a.test/away")
        try await limited.send("http://A.test:80/")
        #expect(await limited.error("http://a.test/")?.rateLimit?.key == "http://a.test")
        try await limited.send("http://b.test/")
        #expect(await limited.error("http://b.test/")?.rateLimit?.key == "http://b.test")
        try await limited.send("https://b.test/")
    }

    @Test("a key of the application groups requests, and a request without a key has no limit")
    func keys() async throws {
        let limiter = RateLimiter(
            .slidingWindow(1, per: .seconds(3_600)),
            by: LimitKey { $0.url.path == "/free" ? nil : $0.url.host },
            maximumWait: .zero
        )
        let limited = LimitedSession(rate: limiter)
        try await limited.send("http://a.test/")
        for _ in 1...3 { try await limited.send("http://a.test/free") }
        #expect(await limited.error("https://a.test/")?.rateLimit?.key == "a.test")
    }

    @Test("a request waits for its token, and monitors see the wait")
    func wait() async throws {
        let clock = ManualClock()
        let limiter = RateLimiter(.tokenBucket(1, per: .seconds(10)), clock: clock)
        let limited = LimitedSession(rate: limiter)
        try await limited.send("http://h.test/1")
        async let second = limited.send("http://h.test/2")
        await clock.someoneSleeps()
        #expect(clock.timeToNextWake == .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(try await second == 200)
        let waits = limited.log.events.compactMap {
            if case .waitingForRateLimit(let key, let position, let time) = $0.kind {
                "\(key) \(position) \(time)"
            } else {
                nil
            }
        }
        #expect(waits == ["http://h.test 0 10.0 seconds"])
    }

    @Test("sessions that share a limiter share its limits, and requests are sent in order of arrival")
    func sharing() async throws {
        let clock = ManualClock()
        let limiter = RateLimiter(.tokenBucket(1, per: .seconds(1)), clock: clock)
        let sessions = [LimitedSession(rate: limiter), LimitedSession(rate: limiter)]
        try await sessions[0].send("http://h.test/")
        let order = Recorder<Int>()
        await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await sessions[number % 2].send("http://h.test/\(number)")
                    order.add(number)
                }
                await waitUntil { limiter.counts.waiting == number + 1 }
            }
            for number in 0..<6 {
                await clock.someoneSleeps()
                clock.advance(by: .seconds(1))
                await waitUntil { order.values.count == number + 1 }
            }
        }
        #expect(order.values == [0, 1, 2, 3, 4, 5])
        #expect(limiter.counts == (0, 0))
    }

    @Test("a cancelled request stops waiting, and the next one gets its place")
    func cancellation() async throws {
        let clock = ManualClock()
        let limiter = RateLimiter(.tokenBucket(1, per: .seconds(1)), clock: clock)
        let limited = LimitedSession(rate: limiter)
        try await limited.send("http://h.test/0")
        let first = Task { try await limited.send("http://h.test/1") }
        await waitUntil { limiter.counts.waiting == 1 }
        let second = Task { try await limited.send("http://h.test/2") }
        await waitUntil { limiter.counts.waiting == 2 }
        first.cancel()
        let result = await first.result
        #expect(throws: URLError.self) { try result.get() }
        #expect(limiter.counts.waiting == 1)
        await clock.someoneSleeps()
        clock.advance(by: .seconds(1))
        #expect(try await second.value == 200)
        #expect(limited.sent.values == ["http://h.test/0", "http://h.test/2"])
    }

    @Test("a request fails at once if it would wait longer than its attempt may take")
    func attemptTime() async throws {
        let limiter = RateLimiter(.slidingWindow(1, per: .seconds(30)))
        let limited = LimitedSession(rate: limiter, timeout: 5)
        try await limited.send("http://h.test/")
        let reason = await limited.error("http://h.test/")?.rateLimit?.reason
        guard case .longWait(let wait, let allowed) = reason else { return #expect(reason != nil) }
        #expect(wait > .seconds(5))
        #expect(allowed <= .seconds(5))
    }

    @Test("all requests to a server wait as one response says, and those that cannot wait so long fail at once")
    func learning() async throws {
        let clock = ManualClock()
        let limiter = RateLimiter(.tokenBucket(1, per: .seconds(10)), maximumWait: .seconds(20), clock: clock)
        let gates = PathGates()
        let limited = LimitedSession(rate: limiter) { request in
            try await gates.wait(request.url.path)
            return TransportResponse(status: 403, headers: [.retryAfter: "30"])
        }
        async let first = limited.send("http://h.test/1")
        await waitUntil { limiter.counts.running == 1 }
        async let second = limited.error("http://h.test/2")
        await waitUntil { limiter.counts.waiting == 1 }
        gates.open("/1")
        #expect(try await first == 403)
        let limit = try #require(await second?.rateLimit)
        #expect(limit.isServerLimit)
        #expect(limit.reason == .longWait(.seconds(30), allowed: .seconds(20)))
        #expect(limit.description.contains(": the server's limit for http://h.test allows it in 30 s, at "))
        let pauses = limited.log.events.compactMap {
            if case .rateLimited(let key, let pause) = $0.kind { "\(key) \(pause)" } else { nil }
        }
        #expect(pauses == ["http://h.test 30.0 seconds"])
        #expect(await limited.error("http://h.test/3")?.rateLimit?.isServerLimit == true)
        #expect(limited.sent.values.count == 1)
    }

    @Test("a retry after Retry-After waits once, and not again for the limiter")
    func retryAfter() async throws {
        let clock = ManualClock()
        let limiter = RateLimiter(clock: clock)
        let count = Locked(0)
        let retried = LimitedSession(rate: limiter, interceptor: RetryPolicy(), clock: clock) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1
                ? TransportResponse(status: 429, headers: [.retryAfter: "7"]) : TransportResponse(status: 200)
        }
        async let status = retried.send("http://h.test/1")
        await clock.someoneSleeps()
        #expect(clock.timeToNextWake == .seconds(7))
        clock.advance(by: .seconds(7))
        #expect(try await status == 200)
        #expect(retried.count { if case .waitingForRateLimit = $0 { true } else { false } } == 0)
    }

    @Test("a fresh response of the cache is used although the server's limit is exhausted")
    func cache() async throws {
        let limiter = RateLimiter(maximumWait: .seconds(1))
        let limited = LimitedSession(rate: limiter, cache: HTTPCache(store: MemoryCacheStore())) { request in
            request.url.path == "/stored"
                ? TransportResponse(status: 200, headers: [.cacheControl: "max-age=600"])
                : TransportResponse(status: 429, headers: [.retryAfter: "3600"])
        }
        try await limited.send("http://h.test/stored")
        #expect(try await limited.send("http://h.test/other") == 429)
        #expect(try await limited.send("http://h.test/stored") == 200)
        #expect(await limited.error("http://h.test/other")?.rateLimit?.isServerLimit == true)
    }

    @Test("a stale response replaces one that a rate limit refuses, if stale-if-error allows it")
    func staleResponse() async throws {
        let limiter = RateLimiter(maximumWait: .seconds(1))
        let limited = LimitedSession(rate: limiter, cache: HTTPCache(store: MemoryCacheStore())) { request in
            request.url.path == "/other"
                ? TransportResponse(status: 429, headers: [.retryAfter: "3600"])
                : TransportResponse(
                    status: 200,
                    headers: [
                        .eTag: "\"1\"",
                        .cacheControl: "max-age=0\(request.url.path == "/stale" ? ", stale-if-error=600" : "")",
                    ]
                )
        }
        try await limited.send("http://h.test/stale")
        try await limited.send("http://h.test/strict")
        #expect(try await limited.send("http://h.test/other") == 429)
        #expect(try await limited.send("http://h.test/stale") == 200)
        #expect(await limited.error("http://h.test/strict")?.rateLimit != nil)
        #expect(limited.sent.values.count == 3)
    }

    @Test("the fields of responses have no effect if the limiter does not obey the server")
    func disobedience() async throws {
        let limited = LimitedSession(rate: RateLimiter(maximumWait: .zero, obeysServer: false)) { _ in
            TransportResponse(status: 429, headers: [.retryAfter: "3600"])
        }
        for _ in 1...3 { #expect(try await limited.send("http://h.test/") == 429) }
    }

    @Test(
        "an adaptive rate begins with the status 429 or 503, or with 403 and Retry-After, and its error names it",
        arguments: [
            (429, false, true), (503, false, true), (403, true, true), (403, false, false), (500, false, false),
        ]
    )
    func adaptiveRate(status: Int, hasRetryAfter: Bool, isLimited: Bool) async throws {
        let clock = ManualClock()
        let limiter = RateLimiter(.adaptive(), maximumWait: .zero, clock: clock)
        let limited = LimitedSession(rate: limiter) { _ in
            TransportResponse(status: status, headers: hasRetryAfter ? [.retryAfter: "0"] : [:])
        }
        #expect(try await limited.send("http://h.test/") == status)
        let error = await limited.error("http://h.test/")?.rateLimit
        #expect((error != nil) == isLimited)
        guard let error else { return }
        #expect(error.reason == .longWait(.seconds(2), allowed: .zero))
        #expect(!error.isServerLimit)
        #expect(
            error.description.hasPrefix("The request was not sent: the limit of an adaptive rate for http://h.test")
        )
        clock.advance(by: .seconds(2))
        #expect(try await limited.send("http://h.test/") == status)
        try await limited.send("http://other.test/")
    }

    @Test("a request needs the permission of each limiter, and one that a further limiter refuses counts at none")
    func furtherLimiters() async throws {
        let all = RateLimiter(.slidingWindow(3, per: .seconds(3_600)), by: .all, maximumWait: .zero)
        let writes = RateLimiter(
            .slidingWindow(1, per: .seconds(3_600)),
            by: LimitKey { $0.method == .get ? nil : "writes" },
            maximumWait: .zero
        )
        let limited = LimitedSession(rate: all, furtherRates: [writes])
        func post() async -> URLError? {
            var request = URLRequest(url: .test("http://h.test/post"))
            request.httpMethod = "POST"
            do {
                _ = try await limited.session.data(for: request)
                return nil
            } catch {
                return error as? URLError
            }
        }
        #expect(await post() == nil)
        #expect(await post()?.rateLimit?.key == "writes")
        try await limited.send("http://h.test/1")
        try await limited.send("http://h.test/2")
        #expect(await limited.error("http://h.test/3")?.rateLimit?.key == "all requests")
        #expect(all.counts == (0, 0))
        #expect(writes.counts == (0, 0))
    }

    @Test("a failed exchange is not counted as running")
    func failure() async throws {
        let limiter = RateLimiter()
        let limited = LimitedSession(rate: limiter) { _ in throw URLError(.networkConnectionLost) }
        #expect(await limited.error("http://h.test/") != nil)
        #expect(limiter.counts == (0, 0))
    }
}
