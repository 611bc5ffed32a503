import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session limits the time of whole requests", .timeLimit(.minutes(5)))
struct TimeoutStageTests {
    private static let url = "http://h.test/"
    private static let total = RequestTimeoutError(kind: .total, limit: .seconds(30))

    /// A session with a total time of 30 seconds on a clock, whose transport responds with a function.
    private func session(
        _ clock: ManualClock,
        timeouts: RequestTimeouts = RequestTimeouts(total: .seconds(30)),
        concurrency: ConcurrencyLimiter? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        respond: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) -> LimitedSession {
        LimitedSession(
            concurrency: concurrency,
            timeouts: timeouts,
            interceptor: interceptor,
            clock: clock,
            respond: respond
        )
    }

    /// Advances a clock as soon as a task sleeps for at most this time.
    private func advance(_ clock: ManualClock, by time: Duration) async {
        await waitUntil { clock.timeToNextWake == time }
        clock.advance(by: time)
    }

    /// Waits until the task is cancelled.
    private static func waitForever() async throws { try await Task.sleep(for: .seconds(86_400)) }

    @Test("the end of the time cancels the exchange that runs, and the error names the timeout")
    func exchange() async throws {
        let (clock, cancelled) = (ManualClock(), Recorder<String>())
        let limited = session(clock) { request in
            do {
                try await Self.waitForever()
                return TransportResponse(status: 200)
            } catch {
                cancelled.add(request.url.absoluteString)
                throw error
            }
        }
        async let failure = limited.error(Self.url)
        await waitUntil { limited.sent.values.count == 1 }
        await advance(clock, by: .seconds(30))
        let error = await failure
        #expect(error?.code == .timedOut)
        #expect(error?.timeout == Self.total)
        #expect(error?.failingURL?.absoluteString == Self.url)
        #expect(cancelled.values == [Self.url])
        guard case .failed(let reported) = limited.log.events.last?.kind else {
            Issue.record("The failure is not reported.")
            return
        }
        #expect((reported as? URLError)?.timeout == Self.total)
    }

    @Test("the time includes attempts and delays: it ends an attempt after a delay, and no retrier is asked")
    func delay() async throws {
        let (clock, asked) = (ManualClock(), Recorder<String>())
        let retrier = TestInterceptor(onRetry: { attempt in
            asked.add(attempt.summary)
            return .retryWithDelay(20)
        })
        let count = Locked(0)
        let limited = session(clock, interceptor: retrier) { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if !isFirst { try await Self.waitForever() }
            throw URLError(.networkConnectionLost)
        }
        async let failure = limited.error(Self.url)
        await advance(clock, by: .seconds(20))
        await waitUntil { limited.sent.values.count == 2 }
        await advance(clock, by: .seconds(10))
        #expect(await failure?.timeout == Self.total)
        #expect(asked.values.count == 1)
        clock.advance(by: .seconds(1_000))
        #expect(limited.sent.values.count == 2)
    }

    @Test("a retry whose delay exceeds the rest of the time does not follow, and the response is returned at once")
    func tooLongDelay() async throws {
        let (clock, lefts) = (ManualClock(), Recorder<Duration?>())
        let retrier = TestInterceptor(onRetry: { attempt in
            lefts.add(attempt.timeLeft)
            return .retryWithDelay(20)
        })
        let limited = session(clock, interceptor: retrier) { _ in
            TransportResponse(status: 503, body: .complete(Data("busy".utf8)))
        }
        async let result = limited.session.data(for: URLRequest(url: .test(Self.url)))
        await advance(clock, by: .seconds(20))
        let response = try await result
        #expect(response.statusCode == 503 && response.data == Data("busy".utf8))
        #expect(lefts.values == [.seconds(30), .seconds(10)])
        #expect(limited.sent.values.count == 2)
    }

    @Test("a retry does not follow if its delay and the reading of the unread body may exceed the rest of the time")
    func slowBodyBeforeDelay() async throws {
        for (isStream, sent) in [(true, 1), (false, 2)] {
            let (clock, lefts) = (ManualClock(), Recorder<Duration?>())
            let retrier = TestInterceptor(onRetry: { attempt in
                lefts.add(attempt.timeLeft)
                return .retryWithDelay(29.8)
            })
            let limited = session(clock, interceptor: retrier) { _ in
                let rest = Locked<Data?>(Data("busy".utf8))
                let stream = TransportBodyStream { rest.withLock { $0.take() } }
                return TransportResponse(status: 503, body: isStream ? .stream(stream) : .complete(Data("busy".utf8)))
            }
            async let result = limited.session.data(for: URLRequest(url: .test(Self.url)))
            if !isStream { await advance(clock, by: .seconds(29.8)) }
            let response = try await result
            #expect(response.statusCode == 503 && response.data == Data("busy".utf8))
            #expect(limited.sent.values.count == sent)
            #expect(lefts.values.first == (isStream ? .seconds(29.5) : .seconds(30)))
        }
    }

    @Test("a retrier that takes a part of the time leaves less for the delay, and the response is returned at once")
    func slowRetrier() async throws {
        let clock = ManualClock()
        let retrier = TestInterceptor(onRetry: { _ in
            clock.advance(by: .seconds(15))
            return .retryWithDelay(20)
        })
        let limited = session(clock, interceptor: retrier) { _ in TransportResponse(status: 503) }
        #expect(try await limited.session.data(for: URLRequest(url: .test(Self.url))).statusCode == 503)
        #expect(limited.sent.values.count == 1)
    }

    @Test("the retry period of a policy includes the reading of an unread body")
    func slowBodyInRetryPeriod() async throws {
        for (isStream, sent) in [(true, 1), (false, 2)] {
            let clock = ManualClock()
            let policy = RetryPolicy(
                retryLimit: 1,
                exponentialBackoffScale: 29.8,
                retryPeriod: .seconds(30),
                random: { 1 }
            )
            let limited = session(clock, timeouts: RequestTimeouts(), interceptor: policy) { _ in
                let rest = Locked<Data?>(Data("busy".utf8))
                let stream = TransportBodyStream { rest.withLock { $0.take() } }
                return TransportResponse(status: 503, body: isStream ? .stream(stream) : .complete(Data("busy".utf8)))
            }
            async let result = limited.session.data(for: URLRequest(url: .test(Self.url)))
            if !isStream { await advance(clock, by: .seconds(29.8)) }
            #expect(try await result.statusCode == 503)
            #expect(limited.sent.values.count == sent)
        }
    }

    @Test("a retry whose delay exceeds the rest of the time does not follow, and the error is thrown at once")
    func tooLongDelayAfterError() async throws {
        let retrier = TestInterceptor(onRetry: { _ in .retryWithDelay(30) })
        let limited = session(ManualClock(), interceptor: retrier) { _ in throw URLError(.networkConnectionLost) }
        #expect(await limited.error(Self.url)?.code == .networkConnectionLost)
        #expect(limited.sent.values.count == 1)
    }

    @Test("a retrier gets the elapsed time of the session's clock")
    func elapsed() async throws {
        let (clock, elapsed) = (ManualClock(), Recorder<Duration>())
        let retrier = TestInterceptor(onRetry: { attempt in
            elapsed.add(attempt.elapsed)
            return attempt.retryCount < 2 ? .retryWithDelay(3_600) : .doNotRetry
        })
        let limited = session(clock, timeouts: RequestTimeouts(), interceptor: retrier) { _ in
            TransportResponse(status: 503)
        }
        clock.advance(by: .seconds(5))
        async let result = limited.session.data(for: URLRequest(url: .test(Self.url)))
        for _ in 0..<2 { await advance(clock, by: .seconds(3_600)) }
        #expect(try await result.statusCode == 503)
        #expect(elapsed.values == [.zero, .seconds(3_600), .seconds(7_200)])
    }

    @Test("the time includes adapters and plugins")
    func adapter() async throws {
        let clock = ManualClock()
        let adapter = TestInterceptor(onAdapt: { request, _ in
            try await Self.waitForever()
            return request
        })
        let limited = session(clock, interceptor: adapter) { _ in TransportResponse(status: 200) }
        async let failure = limited.error(Self.url)
        await advance(clock, by: .seconds(30))
        #expect(await failure?.timeout == Self.total)
        #expect(limited.sent.values.isEmpty)
    }

    @Test("the time includes the body of a response that the session reads, and its received part goes with the error")
    func body() async throws {
        let (clock, reads) = (ManualClock(), Recorder<Int>())
        let limited = session(clock) { _ in
            let body = TransportBodyStream {
                reads.add(1)
                if reads.values.count == 1 { return Data("part".utf8) }
                try await Self.waitForever()
                return nil
            }
            return TransportResponse(status: 200, body: .stream(body))
        }
        let record = RequestRecord()
        let task = Task { try await limited.session.data(for: URLRequest(url: .test(Self.url)), record: record) }
        await waitUntil { reads.values.count == 2 }
        await advance(clock, by: .seconds(30))
        let error = await #expect(throws: URLError.self) { _ = try await task.value }
        #expect(error?.timeout == Self.total)
        #expect(record.failedResponse?.data == Data("part".utf8))
    }

    @Test("the time of a stream ends with the head of its response")
    func stream() async throws {
        let (clock, gates) = (ManualClock(), PathGates())
        let timeouts = RequestTimeouts(total: .seconds(30), attempt: .seconds(20))
        let limited = session(clock, timeouts: timeouts) { _ in
            let rest = Locked(2)
            let body = TransportBodyStream {
                try await gates.wait("/open")
                let left = rest.withLock { rest in
                    rest -= 1
                    return rest
                }
                return left < 0 ? nil : Data("a".utf8)
            }
            return TransportResponse(status: 200, body: .stream(body))
        }
        let stream = try await limited.session.stream(for: URLRequest(url: .test(Self.url)))
        clock.advance(by: .seconds(1_000))
        gates.open("/open")
        var text = Data()
        for try await chunk in stream.body { text += chunk }
        #expect(text == Data("aa".utf8))
    }

    @Test("a head that comes too late ends the attempt of a stream, which is retried")
    func attemptOfStream() async throws {
        let clock = ManualClock()
        let outcomes = Recorder<RequestTimeoutError?>()
        let retrier = TestInterceptor(onRetry: { attempt in
            if case .failure(let error) = attempt.outcome { outcomes.add((error as? URLError)?.timeout) }
            return attempt.retryCount == 0 ? .retry : .doNotRetry
        })
        let timeouts = RequestTimeouts(attempt: .seconds(20))
        let limited = session(clock, timeouts: timeouts, interceptor: retrier) { _ in
            try await Self.waitForever()
            return TransportResponse(status: 200)
        }
        let task = Task { try await limited.session.stream(for: URLRequest(url: .test(Self.url))) }
        for count in 1...2 {
            await waitUntil { limited.sent.values.count == count }
            await advance(clock, by: .seconds(20))
        }
        let error = await #expect(throws: URLError.self) { _ = try await task.value }
        let timeout = RequestTimeoutError(kind: .attempt, limit: .seconds(20))
        #expect(error?.timeout == timeout)
        #expect(outcomes.values == [timeout, timeout])
    }

    @Test("the time of an attempt of a stream does not hide the end of the whole time")
    func bothOfStream() async throws {
        let clock = ManualClock()
        let timeouts = RequestTimeouts(total: .seconds(30), attempt: .seconds(40))
        let limited = session(clock, timeouts: timeouts, interceptor: TestInterceptor.repeating(5)) { _ in
            try await Self.waitForever()
            return TransportResponse(status: 200)
        }
        let task = Task { try await limited.session.stream(for: URLRequest(url: .test(Self.url))) }
        await waitUntil { limited.sent.values.count == 1 }
        await advance(clock, by: .seconds(30))
        let error = await #expect(throws: URLError.self) { _ = try await task.value }
        #expect(error?.timeout == Self.total)
        #expect(limited.sent.values.count == 1)
    }

    @Test("the wait for a permit is not included, and a request that times out gives its permit back")
    func permit() async throws {
        let (clock, gates) = (ManualClock(), PathGates())
        let limiter = ConcurrencyLimiter(.fixed(1))
        let other = LimitedSession(concurrency: limiter) { _ in
            try await gates.wait("/first")
            return TransportResponse(status: 200)
        }
        let limited = session(clock, concurrency: limiter) { _ in
            try await Self.waitForever()
            return TransportResponse(status: 200)
        }
        async let first = other.send("http://h.test/first")
        await waitUntil { other.sent.values.count == 1 }
        async let second = limited.error("http://h.test/second")
        await waitUntil { limiter.counts == (1, 1) }
        clock.advance(by: .seconds(1_000))
        gates.open("/first")
        #expect(try await first == 200)
        // The time of the second request begins with its permit.
        await advance(clock, by: .seconds(30))
        #expect(await second?.timeout == Self.total)
        #expect(limiter.counts == (0, 0))
    }

    @Test("a cancelled request is cancelled, and not timed out")
    func cancellation() async throws {
        let clock = ManualClock()
        let limited = session(clock) { _ in
            try await Self.waitForever()
            return TransportResponse(status: 200)
        }
        let task = Task { await limited.error(Self.url) }
        await waitUntil { limited.sent.values.count == 1 }
        task.cancel()
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect(error?.timeout == nil)
    }

    @Test("a response or an error in time is returned, and ends the timer")
    func inTime() async throws {
        let clock = WaitClock(isEndless: true)
        let limited = LimitedSession(timeouts: RequestTimeouts(total: .seconds(30)), clock: clock) { request in
            if request.url.path == "/lost" { throw URLError(.networkConnectionLost) }
            return TransportResponse(status: 503)
        }
        #expect(try await limited.send(Self.url) == 503)
        let error = await limited.error("http://h.test/lost")
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.timeout == nil)
    }

    @Test("a complete response that arrives in spite of the cancellation is returned, and a stream is not")
    func late() async throws {
        let clock = ManualClock()
        let limited = session(clock) { request in
            // A transport that ignores the cancellation.
            try? await Self.waitForever()
            let body = TransportBodyStream { nil }
            return TransportResponse(status: 200, body: request.url.path == "/a" ? .complete(Data()) : .stream(body))
        }
        async let complete = limited.send("http://h.test/a")
        await waitUntil { limited.sent.values.count == 1 }
        await advance(clock, by: .seconds(30))
        // The retry stage does not look for a cancellation after an attempt.
        #expect(try await complete == 200)
        let task = Task { try await limited.session.stream(for: URLRequest(url: .test("http://h.test/b"))) }
        await waitUntil { limited.sent.values.count == 2 }
        await advance(clock, by: .seconds(30))
        let error = await #expect(throws: URLError.self) { _ = try await task.value }
        #expect(error?.timeout == Self.total)
    }

    @Test("a time that is not positive ends a request at once", arguments: [Duration.zero, .seconds(-1)])
    func noTime(limit: Duration) async throws {
        let limited = session(ManualClock(), timeouts: RequestTimeouts(total: limit)) { _ in
            TransportResponse(status: 200)
        }
        #expect(await limited.error(Self.url)?.timeout == RequestTimeoutError(kind: .total, limit: limit))
        #expect(limited.sent.values.isEmpty)
    }

    @Test("a request without timeouts uses no timer, and neither stage")
    func withoutTimeouts() async throws {
        let clock = WaitClock()
        let limited = LimitedSession(clock: clock)
        #expect(try await limited.send(Self.url) == 200)
        #expect(clock.waits.isEmpty)
        let request = UncheckedRequest(URLRequest(url: .test(Self.url)))
        let timers = TimerQueue(LimiterClock(clock))
        for bodyHandling in [ResponseBodyHandling.collect(progress: nil), .stream] {
            let context = RequestContext(
                session: limited.session,
                settings: RequestSettings(),
                record: RequestRecord(),
                bodyHandling: bodyHandling
            )
            #expect(!TotalTimeStage(timers: timers).isNeeded(for: request, context: context))
            #expect(!AttemptTimeoutStage(timers: timers).isNeeded(for: request, context: context))
        }
    }
}
