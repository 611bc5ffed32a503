import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session hedges slow exchanges", .timeLimit(.minutes(5)))
struct HedgingStageTests {
    // MARK: The winner

    @Test("a response before the delay needs no hedge")
    func fast() async throws {
        let hedged = HedgedSession()
        async let response = hedged.send()
        await hedged.waitForExchanges(1)
        hedged.end(0, .response(200))
        #expect(await response == "200 0")
        #expect(hedged.events == ["sending #0", "head 200 #0"])
        #expect(hedged.hedging.timers.count == 0)
        #expect(hedged.cancelled.values.isEmpty)
    }

    @Test("the first exchange wins, and the hedge is cancelled")
    func firstWins() async throws {
        let hedged = HedgedSession()
        async let response = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(0, .response(200))
        #expect(await response == "200 0")
        #expect(hedged.cancelled.values == [1])
        #expect(
            hedged.events == [
                "sending #0", "hedging after 0.2 seconds #1", "sending #1", "head 200 #0", "ended: 0 #0",
            ]
        )
    }

    @Test("the hedge wins, and the first exchange is cancelled", arguments: [200, 301, 304, 404, 501])
    func hedgeWins(status: Int) async throws {
        let hedged = HedgedSession()
        async let response = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(1, .response(status))
        #expect(await response == "\(status) 1")
        #expect(hedged.cancelled.values == [0])
        #expect(
            hedged.events == [
                "sending #0", "hedging after 0.2 seconds #1", "sending #1", "head \(status) #1", "ended: 1 #0",
            ]
        )
        #expect(hedged.hedging.timers.count == 0)
    }

    @Test("several hedges follow each other after the delay")
    func severalHedges() async throws {
        let hedged = HedgedSession(maximumHedges: 2)
        async let response = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        await hedged.endDelay()
        await hedged.waitForExchanges(3)
        #expect(hedged.hedging.timers.count == 0)
        hedged.end(1, .response(200))
        #expect(await response == "200 1")
        #expect(hedged.cancelled.values.sorted() == [0, 2])
        #expect(hedged.events.contains("hedging after 0.4 seconds #2"))
    }

    @Test("the body of a failed response is released when another exchange wins")
    func failedBody() async throws {
        let hedged = HedgedSession()
        let (body, isReleased) = ReleaseSignal.stream()
        async let response = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(0, .stream(503, body))
        await waitUntil { hedged.events.contains("head 503 #0") }
        hedged.end(1, .response(200))
        #expect(await response == "200 1")
        #expect(isReleased.value != nil)
    }

    @Test("the body of a response that arrives in spite of its cancellation is released")
    func lateBody() async throws {
        let clock = ManualClock()
        let (body, isReleased) = ReleaseSignal.stream()
        let (count, isCancelled) = (Locked(0), Promise<Void>())
        let hedging = Hedging(after: .fixed(.seconds(1)), clock: clock)
        let limited = LimitedSession(hedging: hedging) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return TransportResponse(status: 204) }
            await withTaskCancellationHandler {
                await isCancelled.wait()
            } onCancel: {
                isCancelled.fulfill(())
            }
            return TransportResponse(status: 200, body: .stream(body))
        }
        async let status = limited.send("http://h.test/")
        await clock.someoneSleeps()
        clock.advance(by: .seconds(1))
        #expect(try await status == 204)
        #expect(isReleased.value != nil)
    }

    // MARK: Failures

    @Test("a failure before the delay is the result", arguments: [true, false])
    func earlyFailure(isResponse: Bool) async throws {
        let hedged = HedgedSession()
        async let response = hedged.send()
        await hedged.waitForExchanges(1)
        hedged.end(0, isResponse ? .response(503) : .failure(.networkConnectionLost))
        #expect(await response == (isResponse ? "503 0" : "error \(URLError.Code.networkConnectionLost.rawValue)"))
        #expect(hedged.count == 1)
    }

    @Test("a failed hedge does not win, and a failed first exchange does not win against its hedge", arguments: [0, 1])
    func oneFails(failed: Int) async throws {
        let hedged = HedgedSession()
        async let response = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(failed, .response(429))
        await waitUntil { hedged.events.contains("head 429 #\(failed)") }
        hedged.end(1 - failed, .response(200))
        #expect(await response == "200 \(1 - failed)")
        #expect(hedged.events.last == "ended: \(1 - failed) #0")
        #expect(hedged.cancelled.values.isEmpty)
    }

    @Test("an error does not win either", arguments: [0, 1])
    func oneThrows(failed: Int) async throws {
        let hedged = HedgedSession()
        async let response = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(failed, .failure(.networkConnectionLost))
        // The error has no event, so it may also be the second result.
        hedged.end(1 - failed, .response(200))
        #expect(await response == "200 \(1 - failed)")
    }

    @Test("if all exchanges fail, the result is that of the first one", arguments: [[0, 1], [1, 0]])
    func allFail(order: [Int]) async throws {
        let errors: [URLError.Code] = [.timedOut, .cannotConnectToHost]
        let failed = HedgedSession()
        async let error = failed.send()
        await failed.endDelay()
        await failed.waitForExchanges(2)
        for number in order { failed.end(number, .failure(errors[number])) }
        #expect(await error == "error \(URLError.Code.timedOut.rawValue)")
        #expect(failed.events.last == "ended: - #0")

        let refused = HedgedSession()
        async let response = refused.send()
        await refused.endDelay()
        await refused.waitForExchanges(2)
        for number in order {
            refused.end(number, .response(503))
            await waitUntil { refused.events.contains("head 503 #\(number)") }
        }
        #expect(await response == "503 0")
        #expect(refused.events.last == "ended: - #0")
    }

    @Test("retriers see the result of the first exchange, and no hedge")
    func retries() async throws {
        let attempts = Recorder<Int>()
        let interceptor = TestInterceptor(onRetry: { attempt in
            attempts.add(attempt.retryCount)
            return .doNotRetry
        })
        let hedged = HedgedSession(interceptor: interceptor)
        async let response = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(1, .response(502))
        hedged.end(0, .response(503))
        #expect(await response == "503 0")
        #expect(attempts.values == [0])
    }

    @Test("cancelling the caller cancels all exchanges")
    func cancellation() async throws {
        let hedged = HedgedSession()
        let task = Task { await hedged.send() }
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        task.cancel()
        #expect(await task.value == "error \(URLError.Code.cancelled.rawValue)")
        #expect(hedged.cancelled.values.sorted() == [0, 1])
        #expect(hedged.hedging.timers.count == 0)
    }

    @Test("a request that is cancelled before the delay is not hedged")
    func earlyCancellation() async throws {
        let hedged = HedgedSession()
        let task = Task { await hedged.send() }
        await hedged.waitForExchanges(1)
        task.cancel()
        #expect(await task.value == "error \(URLError.Code.cancelled.rawValue)")
        await hedged.clock.someoneSleeps()
        hedged.clock.advance(by: .seconds(1))
        #expect(hedged.count == 1)
        #expect(hedged.hedging.timers.count == 0)
    }

    // MARK: Limits

    @Test("a hedge takes from the budget, and is not sent without it")
    func budget() async throws {
        let hedged = HedgedSession(budget: RetryBudget(share: 0.5, reservePerSecond: 0))
        async let first = hedged.send()
        await hedged.endDelay()
        await waitUntil { hedged.hedging.timers.count == 0 }
        await hedged.waitForExchanges(1)
        hedged.end(0, .response(200))
        #expect(await first == "200 0")
        #expect(hedged.events == ["sending #0", "head 200 #0"])
        // Two requests earn one hedge.
        async let second = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(3)
        hedged.end(2, .response(200))
        #expect(await second == "200 2")
    }

    /// A request, and whether it may be hedged.
    struct Eligibility: Sendable, CustomTestStringConvertible {
        let method: String
        var body: HTTPBody?
        var methods: Set<HTTPMethod>?
        var isHedged = false

        var testDescription: String { "\(method), body: \(body != nil), \(isHedged ? "hedged" : "not hedged")" }
    }

    private static var stream: HTTPBody { .stream(InputStream(data: Data("a".utf8))) }

    @Test(
        "only requests with the methods of the hedging, and with bodies that can be read again, are hedged",
        arguments: [
            Eligibility(method: "GET", isHedged: true), Eligibility(method: "HEAD", isHedged: true),
            Eligibility(method: "QUERY", body: .data(Data("a".utf8)), isHedged: true),
            Eligibility(method: "POST"), Eligibility(method: "PATCH"), Eligibility(method: "PUT"),
            Eligibility(method: "DELETE"), Eligibility(method: "QUERY", body: stream),
            Eligibility(method: "PUT", body: .data(Data("a".utf8)), methods: [.put], isHedged: true),
            Eligibility(method: "PUT", body: stream, methods: [.put]),
        ]
    )
    func methods(_ row: Eligibility) async throws {
        let hedging = row.methods.map { Hedging(after: .fixed(.zero), methods: $0) } ?? Hedging(after: .fixed(.zero))
        let method = HTTPMethod(rawValue: row.method)
        let request = TransportRequest(method: method, url: .test("http://h.test/"), body: row.body)
        #expect((hedging.begin(request) != nil) == row.isHedged)
    }

    @Test("a POST passes the stage without a delay")
    func post() async throws {
        let hedged = HedgedSession()
        async let response = hedged.send("POST")
        await hedged.waitForExchanges(1)
        #expect(hedged.hedging.timers.count == 0)
        hedged.end(0, .response(200))
        #expect(await response == "200 0")
    }

    @Test("a request whose key is nil is not hedged")
    func key() async throws {
        let hedged = HedgedSession(by: LimitKey { $0.url.path == "/poll" ? nil : "a" })
        async let response = hedged.send("GET", "http://h.test/poll")
        await hedged.waitForExchanges(1)
        #expect(hedged.hedging.timers.count == 0)
        hedged.end(0, .response(200))
        #expect(await response == "200 0")
    }

    @Test("a hedge takes a token of the rate limit, and is not sent without one")
    func rateLimit() async throws {
        let limiter = RateLimiter(.slidingWindow(3, per: .seconds(3_600)), maximumWait: .seconds(7_200))
        let hedged = HedgedSession(rate: limiter)
        async let first = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(1, .response(200))
        #expect(await first == "200 1")
        async let second = hedged.send()
        await hedged.waitForExchanges(3)
        await hedged.endDelay()
        await waitUntil { hedged.events.count { $0.hasPrefix("hedging") } == 2 }
        hedged.end(2, .response(200))
        #expect(await second == "200 2")
        #expect(hedged.count == 3)
        #expect(limiter.counts == (0, 0))
        #expect(hedged.limited.count { if case .waitingForRateLimit = $0 { true } else { false } } == 0)
    }

    // MARK: Percentiles

    @Test("a percentile needs samples, and each key has its own ones")
    func percentile() async throws {
        let hedged = HedgedSession(.percentile(0.9, atLeast: .milliseconds(200), minimumSamples: 10))
        for number in 0..<10 {
            async let response = hedged.send()
            await hedged.waitForExchanges(number + 1)
            #expect(hedged.hedging.timers.count == 0)
            hedged.clock.advance(by: .milliseconds(100))
            hedged.end(number, .response(200))
            #expect(await response == "200 \(number)")
        }
        async let other = hedged.send("GET", "http://other.test/")
        await hedged.waitForExchanges(11)
        #expect(hedged.hedging.timers.count == 0)
        hedged.end(10, .response(200))
        #expect(await other == "200 10")
        async let slow = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(13)
        hedged.end(12, .response(200))
        #expect(await slow == "200 12")
    }

    @Test("failures are no samples, unless they take longer than the delay")
    func failedSamples() async throws {
        let hedged = HedgedSession(
            .percentile(0.5, atLeast: .milliseconds(200), minimumSamples: 1),
            budget: RetryBudget(share: 0, reservePerSecond: 0)
        )
        for (number, status) in [503, 200].enumerated() {
            async let response = hedged.send()
            await hedged.waitForExchanges(number + 1)
            #expect(hedged.hedging.timers.count == 0)
            hedged.end(number, .response(status))
            #expect(await response == "\(status) \(number)")
        }
        async let slow = hedged.send()
        await hedged.endDelay()
        hedged.clock.advance(by: .seconds(10))
        await hedged.waitForExchanges(3)
        hedged.end(2, .failure(.networkConnectionLost))
        #expect(await slow == "error \(URLError.Code.networkConnectionLost.rawValue)")
        // The median of two samples is the larger one, whose weight is greater.
        async let last = hedged.send()
        await waitUntil { hedged.hedging.timers.count == 1 }
        await hedged.clock.someoneSleeps()
        #expect(try #require(hedged.clock.timeToNextWake) >= .seconds(10))
        await hedged.waitForExchanges(4)
        hedged.end(3, .response(200))
        #expect(await last == "200 3")
    }

    // MARK: Other stages

    @Test("a stored response is not hedged, and the response of a hedge is stored")
    func cache() async throws {
        let hedged = HedgedSession(cache: HTTPCache(store: MemoryCacheStore()))
        async let response = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(1, .response(200, headers: [.cacheControl: "max-age=600"]))
        #expect(await response == "200 1")
        #expect(await hedged.send() == "200 1")
        #expect(hedged.count == 2)
    }

    @Test("exchange middleware gets each exchange")
    func middleware() async throws {
        struct Signature: HTTPMiddleware {
            let count = Locked(0)
            func respond(
                to request: TransportRequest,
                context: RequestContext,
                next: @Sendable (TransportRequest) async throws -> TransportResponse
            ) async throws -> TransportResponse {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                var request = request
                request.headers[.authorization] = "signature \(number)"
                return try await next(request)
            }
        }
        let sent = Recorder<String?>()
        let hedged = HedgedSession(middleware: [Signature()]) { sent.add($0.headers[.authorization]) }
        async let response = hedged.send()
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        await waitUntil { sent.values.count == 2 }
        hedged.end(0, .response(200))
        #expect(await response == "200 0")
        #expect(sent.values == ["signature 1", "signature 2"])
    }

    @Test("the progress of an upload counts the bytes once")
    func uploadProgress() async throws {
        let reports = Recorder<Progress>()
        let hedged = HedgedSession(methods: [.put]) { request in
            let reader = try #require(try request.body?.open())
            while try await reader.next() != nil {}
        }
        async let response = hedged.limited.session.data(
            for: URLRequest("PUT", .test("http://h.test/")),
            body: .data(Data(repeating: 1, count: 100_000)),
            uploadProgress: { reports.add($0) }
        )
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(1, .response(200))
        #expect(try await response.statusCode == 200)
        let counts = reports.values.map(\.completedUnitCount)
        #expect(counts == counts.sorted())
        #expect(counts.last == 100_000)
        #expect(reports.values.allSatisfy { $0.totalUnitCount == 100_000 })
    }

    /// Runs jobs on a queue, and tells whether the current code runs there.
    private final class QueueExecutor: TaskExecutor {
        private static let key = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "test")

        init() { queue.setSpecific(key: Self.key, value: true) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }

        static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
    }

    @Test("all exchanges have the task-local values, the priority and the executor of the caller")
    func task() async throws {
        let facts = Recorder<String>()
        let hedged = HedgedSession { _ in
            await Task.yield()
            facts.add("\(RequestPriority.current) \(Task.currentPriority == .background) \(QueueExecutor.isCurrent)")
        }
        let executor = QueueExecutor()
        let task = Task.detached(priority: .background) {
            await withTaskExecutorPreference(executor) {
                await RequestPriority.$current.withValue(.high) { await hedged.send() }
            }
        }
        await hedged.endDelay()
        await waitUntil { facts.values.count == 2 }
        #expect(facts.values == ["high true true", "high true true"])
        hedged.end(1, .response(200))
        #expect(await task.value == "200 1")
    }

    @Test("a request of the main actor is hedged")
    @MainActor
    func mainActor() async throws {
        let hedged = HedgedSession()
        let task = Task { @MainActor in
            // This function of the session stays on the actor of its caller.
            try await hedged.limited.session.data(
                for: URLRequest(url: .test("http://h.test/")),
                record: RequestRecord()
            )
        }
        await hedged.endDelay()
        await hedged.waitForExchanges(2)
        hedged.end(1, .response(200))
        #expect(try await task.value.text == "1")
    }

    // MARK: Load

    @Test("of 2,000 requests with random latencies, failures and cancellations each ends once, and nothing is left")
    func load() async throws {
        let (running, sent) = (Locked(0), Locked(UInt64(0)))
        let hedging = Hedging(
            after: .fixed(.microseconds(200)),
            maximumHedges: 2,
            budget: RetryBudget(share: 1, reservePerSecond: 0, maximumBalance: 1_000_000)
        )
        let limited = LimitedSession(rate: RateLimiter(), hedging: hedging) { request in
            running.withLock { $0 += 1 }
            defer { running.withLock { $0 -= 1 } }
            let number = sent.withLock { sent in
                sent += 1
                return sent
            }
            var generator = SeededGenerator(seed: 6, number: number)
            for _ in 0..<generator.next() % 200 { await Task.yield() }
            try Task.checkCancellation()
            switch generator.next() % 8 {
            case 0: throw URLError(.networkConnectionLost)
            case 1: return TransportResponse(status: 503)
            case 2: return TransportResponse(status: 200, body: .stream(TransportBodyStream(.complete(Data("a".utf8)))))
            default: return TransportResponse(status: 200)
            }
        }
        let count = 2_000
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 64 { await group.next() }
                group.addTask {
                    var generator = SeededGenerator(seed: 4, number: UInt64(number))
                    let task = Task { try await limited.send("http://\(number % 3).test/\(number)") }
                    if generator.next() % 4 == 0 {
                        for _ in 0..<generator.next() % 100 { await Task.yield() }
                        task.cancel()
                    }
                    _ = await task.result
                }
            }
        }
        #expect(running.withLock { $0 } == 0)
        #expect(hedging.timers.count == 0)
        #expect(limited.session.settings.resilience.rateLimit?.counts.running == 0)
        let events = limited.log.events
        let ends = events.filter { event in
            switch event.kind {
            case .finished, .failed: true
            default: false
            }
        }
        #expect(ends.count == limited.count { if case .queued = $0 { true } else { false } })
        #expect(Set(ends.map(\.id)).count == ends.count)
        let hedged = Set(events.filter { $0.hedge > 0 }.map(\.id))
        let ended = events.filter { if case .hedgingEnded = $0.kind { true } else { false } }
        #expect(Set(ended.map(\.id)) == hedged)
        #expect(ended.count == hedged.count)
        #expect(hedged.count > 100)
    }
}
