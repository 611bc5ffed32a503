import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session limits the number of requests that run at the same time", .timeLimit(.minutes(5)))
struct ConcurrencyLimitStageTests {
    /// A session whose transport waits at the gates of the paths.
    private func gated(_ limiter: ConcurrencyLimiter, _ gates: PathGates) -> LimitedSession {
        LimitedSession(concurrency: limiter) { request in
            try await gates.wait(request.url.path)
            return TransportResponse(status: 200)
        }
    }

    @Test("requests get permits in order of priority and arrival, also those of two sessions")
    func order() async throws {
        let limiter = ConcurrencyLimiter(.fixed(1))
        let gates = PathGates()
        let sessions = [gated(limiter, gates), gated(limiter, gates)]
        let priorities: [RequestPriority] = [.normal, .low, .normal, .high, .low, .high]
        let order = Recorder<Int>()
        await withThrowingTaskGroup(of: Void.self) { group in
            for (number, priority) in priorities.enumerated() {
                group.addTask {
                    try await RequestPriority.$current.withValue(priority) {
                        _ = try await sessions[number % 2].send("http://h.test/\(number)")
                    }
                    order.add(number)
                }
                await waitUntil { limiter.counts == (1, number) }
            }
            for (index, number) in [0, 3, 5, 2, 1, 4].enumerated() {
                gates.open("/\(number)")
                await waitUntil { order.values.count == index + 1 }
            }
        }
        #expect(order.values == [0, 3, 5, 2, 1, 4])
        #expect(limiter.counts == (0, 0))
        let positions = (sessions[0].log.events + sessions[1].log.events).compactMap {
            if case .waitingForPermit(let key, let position) = $0.kind { "\(key) \(position)" } else { nil }
        }
        #expect(
            positions == [
                "http://h.test 0", "http://h.test 3", "http://h.test 0", "http://h.test 0", "http://h.test 1",
            ]
        )
    }

    @Test("a busy origin does not delay requests to another one")
    func origins() async throws {
        let limiter = ConcurrencyLimiter(.fixed(1))
        let gates = PathGates()
        let limited = gated(limiter, gates)
        async let first = limited.send("http://a.test/1")
        await waitUntil { limiter.counts == (1, 0) }
        async let second = limited.send("http://a.test/2")
        await waitUntil { limiter.counts == (1, 1) }
        gates.open("/other")
        try await limited.send("http://b.test/other")
        gates.open("/1")
        gates.open("/2")
        #expect(try await [first, second] == [200, 200])
    }

    @Test("http and https URLs of a host that requires TLS share a limit")
    func strictTransportSecurity() async throws {
        let policy = StrictTransportSecurityPolicy(host: "a.test", expires: .distantFuture)
        let limiter = ConcurrencyLimiter(.fixed(1))
        let gates = PathGates()
        let limited = LimitedSession(
            concurrency: limiter,
            strictTransportSecurity: StrictTransportSecurityStore(policies: [policy])
        ) { request in
            try await gates.wait(request.url.path)
            return TransportResponse(status: 200)
        }
        async let first = limited.send("http://a.test/1")
        await waitUntil { limiter.counts == (1, 0) }
        async let second = limited.send("https://a.test/2")
        // A second limit would allow the request.
        await waitUntil { limiter.counts.used == 2 || limiter.counts == (1, 1) }
        #expect(limiter.counts == (1, 1))
        gates.open("/1")
        gates.open("/2")
        #expect(try await [first, second] == [200, 200])
        #expect(limited.sent.values == ["https://a.test/1", "https://a.test/2"])
    }

    @Test("a request keeps one permit through redirects and retries")
    func redirects() async throws {
        let limiter = ConcurrencyLimiter(.fixed(1))
        let used = Recorder<Int>()
        let limited = LimitedSession(concurrency: limiter, interceptor: TestInterceptor.repeating(1)) { request in
            used.add(limiter.counts.used)
            return request.url.host == "a.test"
                ? TransportResponse(status: 302, headers: [.location: "http://b.test/"])
                : TransportResponse(status: 500)
        }
        try await limited.send("http://a.test/")
        #expect(used.values == [1, 1, 1, 1])
        #expect(limiter.counts == (0, 0))
    }

    @Test("a permit comes back after an error, a cancellation and an invalid request")
    func errors() async throws {
        let limiter = ConcurrencyLimiter(.fixed(1))
        let gates = PathGates()
        let limited = LimitedSession(concurrency: limiter) { request in
            if request.url.path == "/wait" { try await gates.wait("/wait") }
            throw URLError(.cannotConnectToHost)
        }
        #expect(await limited.error("http://h.test/")?.code == .cannotConnectToHost)
        let task = Task { await limited.error("http://h.test/wait") }
        await waitUntil { limiter.counts == (1, 0) }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        await #expect(throws: RequestValidationError.self) { try await limited.send("http://h.test:99999/") }
        #expect(limiter.counts == (0, 0))
    }

    @Test("a stream keeps its permit until its body is read, fails or is released")
    func streams() async throws {
        let limiter = ConcurrencyLimiter(.fixed(3))
        let limited = LimitedSession(concurrency: limiter) { request in
            let rest = Locked(3)
            let body = TransportBodyStream {
                let left = rest.withLock { rest in
                    rest -= 1
                    return rest
                }
                if left == 0, request.url.path == "/broken" { throw URLError(.networkConnectionLost) }
                return left < 0 ? nil : Data("a".utf8)
            }
            return TransportResponse(status: 200, body: .stream(body))
        }
        func stream(_ path: String) async throws -> TransportBodyStream {
            try await limited.session.stream(for: URLRequest(url: .test("http://h.test\(path)"))).body
        }
        let whole = try await stream("/")
        let broken = try await stream("/broken")
        var unread: TransportBodyStream? = try await stream("/unread")
        #expect(limiter.counts.used == 3)
        var count = 0
        for try await chunk in whole { count += chunk.count }
        #expect(count == 3)
        #expect(limiter.counts.used == 2)
        await #expect(throws: URLError.self) { for try await _ in broken {} }
        #expect(limiter.counts.used == 1)
        #expect(unread != nil)
        unread = nil
        #expect(limiter.counts.used == 0)
        // A body that the session reads has no permit afterwards.
        try await limited.send("http://h.test/")
        #expect(limiter.counts.used == 0)
    }

    @Test("a request fails at once if too many wait, and after the maximum wait")
    func refusals() async throws {
        let clock = ManualClock()
        let limiter = ConcurrencyLimiter(.fixed(1), maximumWait: .seconds(5), maximumWaiting: 1, clock: clock)
        let gates = PathGates()
        let limited = gated(limiter, gates)
        async let first = limited.send("http://h.test/1")
        await waitUntil { limiter.counts == (1, 0) }
        async let second = limited.error("http://h.test/2")
        await waitUntil { limiter.counts == (1, 1) }
        let full = try #require(await limited.error("http://h.test/3"))
        #expect(full.code == .resourceUnavailable)
        #expect(
            full.concurrencyLimit
                == ConcurrencyLimitError(reason: .queueFull(maximum: 1), key: "http://h.test", permits: 1, waiting: 1)
        )
        #expect(
            full.localizedDescription == "The request was not sent: 1 requests for http://h.test run, 1 others wait, "
                + "and at most 1 may wait."
        )
        await clock.someoneSleeps()
        clock.advance(by: .seconds(5))
        let late = try #require(await second)
        #expect(late.code == .timedOut)
        #expect(late.concurrencyLimit?.reason == .longWait(.seconds(5)))
        gates.open("/1")
        #expect(try await first == 200)
        #expect(limited.sent.values == ["http://h.test/1"])
    }

    @Test("an adaptive limit falls after a response that reports too much load")
    func adaptive() async throws {
        let limiter = ConcurrencyLimiter(.adaptive(10, in: 1...10), maximumWaiting: 0)
        let status = Locked(503)
        let gates = PathGates()
        let limited = LimitedSession(concurrency: limiter) { request in
            if request.url.path != "/" { try await gates.wait(request.url.path) }
            return TransportResponse(status: status.withLock { $0 })
        }
        // 10, 7, 4.9, 3.43, 2.401
        for _ in 1...4 { try await limited.send("http://h.test/") }
        async let first = limited.send("http://h.test/1")
        async let second = limited.send("http://h.test/2")
        await waitUntil { limiter.counts.used == 2 }
        #expect(await limited.error("http://h.test/3")?.concurrencyLimit?.permits == 2)
        gates.open("/1")
        gates.open("/2")
        _ = try await (first, second)
    }

    @Test("a response that takes longer than the latency of an adaptive limit counts as too much load")
    func latency() async throws {
        let clock = ManualClock()
        let limiter = ConcurrencyLimiter(.adaptive(10, in: 1...10, latency: .seconds(2)), clock: clock)
        let duration = Locked(Duration.seconds(2))
        let limited = LimitedSession(concurrency: limiter) { _ in
            clock.advance(by: duration.withLock { $0 })
            return TransportResponse(status: 200)
        }
        try await limited.send("http://h.test/")
        let key = try #require(limiter.key.value(of: TransportRequest(method: .get, url: .test("http://h.test/"))))
        #expect(limiter.permits(of: key) == 10)
        duration.withLock { $0 = .seconds(2.5) }
        try await limited.send("http://h.test/")
        #expect(limiter.permits(of: key) == 7)
    }

    @Test("of 10,000 requests with random cancellations and errors none loses a permit, and their events add up")
    func load() async throws {
        let count = 10_000
        let concurrency = ConcurrencyLimiter(.fixed(16), by: .all, maximumWait: .seconds(600), maximumWaiting: count)
        let rate = RateLimiter(
            .tokenBucket(100_000, per: .seconds(1), burst: 10),
            maximumWait: .seconds(600),
            maximumWaiting: count
        )
        let running = Locked((now: 0, most: 0))
        let limited = LimitedSession(concurrency: concurrency, rate: rate) { request in
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            defer { running.withLock { $0.now -= 1 } }
            var generator = SeededGenerator(seed: 1, number: UInt64(request.url.lastPathComponent) ?? 0)
            for _ in 0..<generator.next() % 4 { await Task.yield() }
            try Task.checkCancellation()
            switch generator.next() % 8 {
            case 0: throw URLError(.networkConnectionLost)
            case 1: return TransportResponse(status: 200, body: .stream(TransportBodyStream(.complete(Data("a".utf8)))))
            default: return TransportResponse(status: 200)
            }
        }
        let succeeded = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    var generator = SeededGenerator(seed: 2, number: UInt64(number))
                    let request = URLRequest(url: .test("http://\(number % 3).test/\(number)"))
                    let isStream = generator.next() % 2 == 0
                    let task = Task {
                        if isStream {
                            // The body is released unread.
                            _ = try await limited.session.stream(for: request)
                        } else {
                            _ = try await limited.session.data(for: request)
                        }
                    }
                    switch generator.next() % 4 {
                    case 0: task.cancel()
                    case 1:
                        for _ in 0..<generator.next() % 200 { await Task.yield() }
                        task.cancel()
                    default: break
                    }
                    return (try? await task.value) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(running.withLock { $0.now } == 0)
        #expect((1...16).contains(running.withLock { $0.most }))
        #expect(concurrency.counts == (0, 0))
        #expect(rate.counts == (0, 0))
        #expect(succeeded >= count / 4)
        #expect(limited.count { if case .queued = $0 { true } else { false } } == count)
        #expect(limited.count { if case .sending = $0 { true } else { false } } == limited.sent.values.count)
        let ends = limited.log.events.filter {
            switch $0.kind {
            case .finished, .failed: true
            default: false
            }
        }
        #expect(ends.count == count)
        #expect(Set(ends.map(\.id)).count == count)
        #expect(limited.count { if case .waitingForPermit = $0 { true } else { false } } > 0)
    }
}
