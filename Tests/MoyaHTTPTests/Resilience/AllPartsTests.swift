import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("All parts of Resilience together")
struct AllPartsTests {
    /// The parts of a session whose servers fail, are slow and limit the rate, with limits that the test reaches.
    private struct Parts {
        let concurrency = ConcurrencyLimiter(
            .adaptive(32, in: 8...64),
            maximumWait: .seconds(600),
            maximumWaiting: 10_000
        )
        let rate = RateLimiter(
            .tokenBucket(50_000, per: .seconds(1), burst: 10),
            maximumWait: .seconds(600),
            maximumWaiting: 10_000
        )
        let breaker = CircuitBreaker(failureRate: 0.3, openPeriod: .milliseconds(1))
        let hedging = Hedging(after: .percentile(0.9, atLeast: .milliseconds(1)))

        var resilience: Resilience {
            var resilience = Resilience()
            resilience.concurrencyLimit = concurrency
            resilience.rateLimit = rate
            resilience.circuitBreaker = breaker
            resilience.hedging = hedging
            resilience.timeouts = RequestTimeouts(total: .seconds(60), attempt: .seconds(30))
            resilience.retrier = RetryPolicy(exponentialBackoffScale: 0.001)
            resilience.idempotencyKeys = IdempotencyKeys()
            return resilience
        }
    }

    @Test("of 10,000 requests with random cancellations none loses a permit, and each one has one end")
    func load() async throws {
        let count = 10_000
        let parts = Parts()
        let log = EventLog()
        let running = Locked(0)
        let transport = FakeTransport { request in
            running.withLock { $0 += 1 }
            defer { running.withLock { $0 -= 1 } }
            return try await Self.respond(to: request)
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let session = Session(
            transport: transport,
            configuration: configuration,
            eventMonitors: [log],
            resilience: parts.resilience
        )
        let succeeded = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count { group.addTask { await Self.send(number, over: session) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }

        #expect(succeeded >= count / 4)
        #expect(running.withLock { $0 } == 0)
        #expect(parts.concurrency.counts == (0, 0))
        #expect(parts.rate.counts == (0, 0))
        #expect(parts.breaker.running == 0)
        #expect(parts.hedging.timers.count == 0)
        var (begins, ends) = ([UUID: Int](), [UUID: Int]())
        var (hedges, retries) = (0, 0)
        for event in log.events {
            switch event.kind {
            case .queued: begins[event.id, default: 0] += 1
            case .finished, .failed: ends[event.id, default: 0] += 1
            case .hedging: hedges += 1
            case .retrying: retries += 1
            default: break
            }
        }
        #expect(begins.count == count && begins.values.allSatisfy { $0 == 1 })
        #expect(ends == begins)
        // The parts have been used.
        #expect(hedges > 0 && retries > 0)
    }

    @Test("the standard parts limit the time of a request and of its attempts, retry, and stop at a server that fails")
    func standard() async throws {
        let log = EventLog()
        let session = Session(
            transport: FakeTransport.body("", status: 503),
            eventMonitors: [log],
            resilience: .standard(clock: ContinuousClock())
        )
        // Each attempt counts, and the tenth part of twenty has failed long before.
        var refusal: CircuitBreakerError?
        for _ in 0..<25 where refusal == nil {
            do {
                _ = try await session.data(for: URLRequest(url: .test("http://h.test/")))
            } catch {
                refusal = (error as? URLError)?.circuitBreaker
            }
        }
        #expect(refusal?.key == "http://h.test")
        #expect(log.events.contains { if case .retrying = $0.kind { true } else { false } })
        let standard = Resilience.standard
        #expect(standard.timeouts == RequestTimeouts(total: .seconds(30), attempt: .seconds(10)))
        #expect(standard.concurrencyLimit?.limit == .adaptive(100, in: 5...1_000))
        #expect(standard.circuitBreaker !== Resilience.standard.circuitBreaker)
    }

    /// Responds after some turns of the executor: with a body, a stream, an error, or a status that is retried.
    private static func respond(to request: TransportRequest) async throws -> TransportResponse {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<generator.next() % 4 { await Task.yield() }
        // A slow response is hedged.
        if generator.next() % 50 == 0 { try await Task.sleep(for: .milliseconds(20)) }
        try Task.checkCancellation()
        switch generator.next() % 12 {
        case 0: throw URLError(.networkConnectionLost)
        case 1: return TransportResponse(status: 503)
        case 2: return TransportResponse(status: 200, body: .stream(TransportBodyStream(.complete(Data("a".utf8)))))
        default: return TransportResponse(status: 200)
        }
    }

    /// Sends a request that may be cancelled, at once or later, and returns whether it has succeeded.
    private static func send(_ number: Int, over session: Session) async -> Bool {
        var generator = SeededGenerator(seed: 2, number: UInt64(number))
        var request = URLRequest(url: .test("http://\(number % 3).test/\(number)"))
        if generator.next() % 5 == 0 { request.httpMethod = "POST" }
        let isStream = generator.next() % 3 == 0
        let task = Task { [request] in
            if isStream {
                // The body is released unread.
                _ = try await session.stream(for: request)
            } else {
                _ = try await session.data(for: request)
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
