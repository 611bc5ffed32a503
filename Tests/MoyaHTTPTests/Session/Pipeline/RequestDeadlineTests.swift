import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that ends its exchanges in time, and responds with a function.
private struct TimedFake: TimedTransport {
    let respond: @Sendable (TransportRequest) async throws -> TransportResponse

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await respond(request) }

    func shutdown() async {}

    /// Waits until the exchange has no time left, and throws the error of a transport.
    static func timeOut(_ request: TransportRequest) async throws -> TransportResponse {
        try await Task.sleep(for: request.exchangeTimeout)
        throw URLError.timedOut(request.exchangeTimeoutError, url: request.url)
    }
}

/// A middleware that changes nothing.
private struct NoMiddleware: HTTPMiddleware {
    func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse { try await next(request) }
}

@Suite("A deadline ends a request without a task for its total time", .timeLimit(.minutes(5)))
struct RequestDeadlineTests {
    private static let url = URL.test("http://h.test/")

    private static func session(
        _ transport: any HTTPTransport,
        _ timeouts: RequestTimeouts = RequestTimeouts(total: .seconds(600)),
        interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cache: HTTPCache? = nil,
        exchangeMiddleware: [any HTTPMiddleware] = [],
        clock: any Clock<Duration> = ContinuousClock(),
        resilience: Resilience = Resilience()
    ) -> Session {
        var resilience = resilience
        resilience.timeouts = timeouts
        return Session(
            transport: transport,
            configuration: .ephemeral,
            interceptor: interceptor,
            redirectHandler: redirectHandler,
            cache: cache,
            exchangeMiddleware: exchangeMiddleware,
            resilience: resilience,
            options: SessionOptions(clock: clock)
        )
    }

    @Test("a retry whose delay exceeds the rest of the time does not follow, and takes nothing from the budget")
    func tooLongDelay() async throws {
        let (count, budget) = (Locked(0), RetryBudget.quota(capacity: 14, retryCost: 14))
        let policy = RetryPolicy(
            exponentialBackoffScale: 3_600,
            maximumDelay: .seconds(86_400),
            retryPeriod: .seconds(86_400),
            budget: budget,
            random: { 1 }
        )
        let transport = TimedFake { _ in
            count.withLock { $0 += 1 }
            return TransportResponse(status: 503)
        }
        let session = Self.session(transport, interceptor: policy)
        #expect(try await session.data(for: URLRequest(url: Self.url)).statusCode == 503)
        #expect(count.withLock { $0 } == 1)
        #expect(budget.withdraw())
    }

    /// The error of a request that fails.
    private static func error(of session: Session, _ request: URLRequest = URLRequest(url: url)) async -> URLError? {
        await #expect(throws: URLError.self) { try await session.data(for: request) }
    }

    private static func total(_ limit: Duration) -> RequestTimeoutError {
        RequestTimeoutError(kind: .total, limit: limit)
    }

    /// Returns whether a session calls its transport in the task of the caller.
    private static func usesTaskOfCaller(
        over make: (FakeTransport) -> Session,
        body: HTTPBody? = nil
    ) async throws -> Bool {
        let tasks = Recorder<Int?>()
        let note: @Sendable () -> Void = { tasks.add(withUnsafeCurrentTask { $0?.hashValue }) }
        let session = make(
            FakeTransport { _ in
                note()
                return TransportResponse(status: 200)
            }
        )
        var request = URLRequest(url: url)
        if body != nil { request.httpMethod = "POST" }
        note()
        _ = try await session.data(for: request, body: body)
        try #require(tasks.values.count == 2 && tasks.values[0] != nil)
        return tasks.values[0] == tasks.values[1]
    }

    private static func timed(_ fake: FakeTransport) -> TimedFake { TimedFake { try await fake.send($0) } }

    @Test("no child task is created if all code below the stage looks at the deadline")
    func taskOfCaller() async throws {
        let interceptors: [(any RequestInterceptor)?] = [
            nil, RetryPolicy(), ConnectionLostRetryPolicy(), Interceptor(retriers: [RetryPolicy()]),
        ]
        for interceptor in interceptors {
            #expect(
                try await Self.usesTaskOfCaller(over: { Self.session(Self.timed($0), interceptor: interceptor) })
            )
        }
        #expect(
            try await Self.usesTaskOfCaller(over: {
                Self.session(Self.timed($0), redirectHandler: .doNotFollow, cache: .memory())
            })
        )
        #expect(try await Self.usesTaskOfCaller(over: { Self.session(Self.timed($0)) }, body: .data(Data("a".utf8))))
        // The standard parts look at the deadline, too.
        #expect(
            try await Self.usesTaskOfCaller(over: {
                Self.session(Self.timed($0), Resilience.standard.timeouts, resilience: .standard)
            })
        )
    }

    @Test("a child task measures the time if code below the stage may wait without looking at the deadline")
    func childTask() async throws {
        let adapter = TestInterceptor()
        let modify = Redirector(behavior: .modify { _ in nil })
        let rows: [(FakeTransport) -> Session] = [
            { Self.session($0) },
            { Self.session(Self.timed($0), interceptor: adapter) },
            { Self.session(Self.timed($0), interceptor: Interceptor(interceptors: [RetryPolicy(), adapter])) },
            { Self.session(Self.timed($0), redirectHandler: modify) },
            { Self.session(Self.timed($0), exchangeMiddleware: [NoMiddleware()]) },
            { Self.session(Self.timed($0), clock: ManualClock()) },
        ]
        for row in rows { #expect(try await !Self.usesTaskOfCaller(over: row)) }
        // A hash of a streamed body may be needed before the exchange.
        let body = HTTPBody.sequence(
            AsyncStream<Data> { stream in
                stream.yield(Data("a".utf8))
                stream.finish()
            }
        )
        #expect(try await !Self.usesTaskOfCaller(over: { Self.session(Self.timed($0)) }, body: body))
    }

    @Test("a deadline does not apply to streams and downloads, nor to requests with code of the application")
    func rule() throws {
        let transport = SessionTransport(TimedFake { _ in TransportResponse(status: 200) })
        let session = Self.session(TimedFake { _ in TransportResponse(status: 200) })
        let rule = DeadlineRule(session.settings, transport)
        func applies(_ settings: RequestSettings, _ handling: ResponseBodyHandling = .collect(progress: nil)) -> Bool {
            let context = RequestContext(
                session: session,
                settings: settings,
                record: RequestRecord(),
                bodyHandling: handling
            )
            return rule.applies(to: UncheckedRequest(URLRequest(url: Self.url)), context)
        }
        #expect(applies(RequestSettings()))
        #expect(applies(RequestSettings(interceptor: RetryPolicy(), redirectHandler: .follow)))
        #expect(!applies(RequestSettings(), .stream))
        #expect(!applies(RequestSettings(interceptor: TestInterceptor())))
        #expect(!applies(RequestSettings(redirectHandler: Redirector(behavior: .modify { _ in nil }))))
    }

    @Test("an exchange gets the rest of the attempt or of the whole request, whichever is shorter, with its kind")
    func exchange() async throws {
        let sent = Recorder<TransportRequest>()
        let transport = TimedFake { request in
            sent.add(request)
            return TransportResponse(status: 200)
        }
        for timeouts in [
            RequestTimeouts(total: .seconds(500), attempt: .seconds(900)),
            RequestTimeouts(total: .seconds(900), attempt: .seconds(500)),
        ] {
            _ = try await Self.session(transport, timeouts).data(for: URLRequest(url: Self.url))
        }
        #expect(sent.values.allSatisfy { $0.exchangeTimeout <= .seconds(500) && $0.exchangeTimeout > .seconds(100) })
        let attempt = RequestTimeoutError(kind: .attempt, limit: .seconds(500))
        #expect(sent.values.map(\.exchangeTimeoutError) == [Self.total(.seconds(500)), attempt])
    }

    @Test("the end of the time in an exchange is no failure of its server, and no retrier is asked")
    func endOfExchange() async throws {
        let limit = Duration.milliseconds(50)
        let sent = Recorder<URL>()
        var resilience = Resilience()
        let breaker = CircuitBreaker(failureRate: 0.1, minimumExchanges: 1)
        resilience.circuitBreaker = breaker
        let transport = TimedFake { request in
            sent.add(request.url)
            return try await TimedFake.timeOut(request)
        }
        let session = Self.session(
            transport,
            RequestTimeouts(total: limit),
            interceptor: RetryPolicy(exponentialBackoffScale: 0),
            resilience: resilience
        )
        let error = await Self.error(of: session)
        #expect(error?.timeout == Self.total(limit))
        #expect(error?.failingURL == Self.url)
        #expect(sent.values.count == 1)
        #expect(breaker.states.values.allSatisfy { $0 == .closed })
    }

    @Test("the time ends the body of a response, and its received part goes with the error")
    func body() async throws {
        let limit = Duration.milliseconds(50)
        let transport = TimedFake { request in
            let reads = Locked(0)
            let body = TransportBodyStream {
                let count = reads.withLock { reads in
                    reads += 1
                    return reads
                }
                if count == 1 { return Data("part".utf8) }
                _ = try await TimedFake.timeOut(request)
                return nil
            }
            return TransportResponse(status: 200, body: .stream(body))
        }
        let session = Self.session(transport, RequestTimeouts(total: limit), interceptor: RetryPolicy())
        let record = RequestRecord()
        let error = await #expect(throws: URLError.self) {
            try await session.data(for: URLRequest(url: Self.url), record: record)
        }
        #expect(error?.timeout == Self.total(limit))
        #expect(record.failedResponse?.data == Data("part".utf8))
    }

    @Test("a retry after the end of the time is not awaited: the response is returned at once")
    func retryDelay() async throws {
        let sent = Recorder<URL>()
        let transport = TimedFake { request in
            sent.add(request.url)
            return TransportResponse(status: 503, headers: [.retryAfter: "25"])
        }
        let timeouts = RequestTimeouts(total: .seconds(20))
        let session = Self.session(transport, timeouts, interceptor: RetryPolicy())
        let begin = ContinuousClock.now
        #expect(try await session.data(for: URLRequest(url: Self.url)).statusCode == 503)
        #expect(.now - begin < .seconds(20))
        #expect(sent.values.count == 1)
    }

    @Test("the time ends the resends of a request that the server does not process")
    func resends() async throws {
        let (limit, sent) = (Duration.milliseconds(100), Recorder<Duration>())
        let transport = TimedFake { request in
            sent.add(request.exchangeTimeout)
            throw URLError.make(.networkConnectionLost, url: request.url, cause: RequestNotProcessedError())
        }
        let session = Self.session(transport, RequestTimeouts(total: limit))
        #expect(await Self.error(of: session)?.timeout == Self.total(limit))
        #expect(sent.values.count < ResendRule.maximumCount)
        #expect(sent.values.allSatisfy { $0 > .zero })
    }

    @Test("the time ends the wait for a rate, which uses no permission")
    func rate() async throws {
        let (limit, sent) = (Duration.milliseconds(50), Recorder<URL>())
        var resilience = Resilience()
        let limiter = RateLimiter(.slidingWindow(1, per: .seconds(3_600)), maximumWait: .seconds(7_200))
        resilience.rateLimit = limiter
        let transport = TimedFake { request in
            sent.add(request.url)
            return TransportResponse(status: 200)
        }
        let first = Self.session(transport, resilience: resilience)
        #expect(try await first.data(for: URLRequest(url: Self.url)).statusCode == 200)
        let second = Self.session(transport, RequestTimeouts(total: limit), resilience: resilience)
        #expect(await Self.error(of: second)?.timeout == Self.total(limit))
        #expect(sent.values.count == 1)
        #expect(limiter.counts.waiting == 0)
    }

    @Test("the time ends the wait for an equal request, which goes on")
    func collapsed() async throws {
        let (limit, gate) = (Duration.milliseconds(50), Promise<Void>())
        let sent = Recorder<URL>()
        let cache = HTTPCache.memory()
        let transport = TimedFake { request in
            sent.add(request.url)
            await gate.wait()
            return TransportResponse(status: 200, headers: [.cacheControl: "max-age=60"])
        }
        let leader = Self.session(transport, cache: cache)
        let follower = Self.session(transport, RequestTimeouts(total: limit), cache: cache)
        async let first = leader.data(for: URLRequest(url: Self.url))
        await waitUntil { sent.values.count == 1 }
        #expect(await Self.error(of: follower)?.timeout == Self.total(limit))
        gate.fulfill(())
        #expect(try await first.statusCode == 200)
        #expect(sent.values.count == 1)
    }

    @Test("a time that is not positive ends a request at once", arguments: [Duration.zero, .seconds(-1)])
    func noTime(limit: Duration) async throws {
        let sent = Recorder<URL>()
        let transport = TimedFake { request in
            sent.add(request.url)
            return TransportResponse(status: 200)
        }
        #expect(await Self.error(of: Self.session(transport, .init(total: limit)))?.timeout == Self.total(limit))
        #expect(sent.values.isEmpty)
    }

    @Test("a cancelled request is cancelled, and not timed out")
    func cancellation() async throws {
        let sent = Recorder<URL>()
        let session = Self.session(
            TimedFake { request in
                sent.add(request.url)
                return try await TimedFake.timeOut(request)
            }
        )
        let task = Task { await Self.error(of: session) }
        await waitUntil { sent.values.count == 1 }
        task.cancel()
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect(error?.timeout == nil)
    }

    @Test("the context of an exchange in the background has no deadline")
    func background() {
        var context = RequestContext(session: Self.session(TimedFake { _ in TransportResponse(status: 200) }))
        context.deadline = RequestDeadline(Self.total(.zero), after: .zero)
        #expect(context.isEnding)
        #expect(!context.inBackground().isEnding)
    }
}
