import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

// This file has the lines of the Swift blocks in Documentation/Resilience.md, and the tests run them.

@Suite("The examples of the article about resilience run", .timeLimit(.minutes(5)))
struct ReadmeResilienceTests {
    enum GitHub: String, TargetType {
        case zen
        case search = "search/users"
        var baseURL: URL { URL(string: "https://api.github.com")! }
        var path: String { rawValue }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    struct Payment: TargetType {
        var order: UUID
        var baseURL: URL { URL(string: "https://pay.example.com")! }
        var path: String { "payments" }
        var method: Moya.Method { .post }
        var task: HTTPTask { .requestJSONEncodable(["order": order.uuidString]) }
        var headers: [String: String]? { ["Idempotency-Key": "\"\(order.uuidString)\""] }
    }

    // The lock protects the time.
    final class SkippingClock: Clock, @unchecked Sendable {
        private let lock = NSLock()
        private var time = ContinuousClock.now
        var now: ContinuousClock.Instant { lock.withLock { time } }
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            lock.withLock { time = max(time, deadline) }
        }
    }

    /// The session of the examples, which gets scripted responses and does not wait for retries.
    final class Session: Moya.Session, @unchecked Sendable {
        init(
            transport: ScriptedTransport = ReadmeResilienceTests.server(),
            interceptor: (any RequestInterceptor)? = nil,
            eventMonitors: [any EventMonitor] = [],
            resilience: Resilience = Resilience()
        ) {
            // On the skipping clock, a total time would end beside the request.
            let clock: any Clock<Duration> = resilience.timeouts.total == nil ? SkippingClock() : ContinuousClock()
            super.init(
                transport: transport,
                interceptor: interceptor,
                eventMonitors: eventMonitors,
                resilience: resilience,
                options: SessionOptions(clock: clock)
            )
        }
    }

    /// Returns a server whose quota for searches is empty after the first one, and which accepts payments at the second attempt.
    private static func server() -> ScriptedTransport {
        ScriptedTransport()
            .on(
                .get,
                "/search/users",
                .status(200).header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset", "3600")
            )
            .on(.post, "/payments", .status(503), .status(201))
            .on(.get, "/zen", .text("Keep it simple."))
    }

    private let printed = Recorder<String>()

    private func print(_ text: String) { printed.add(text) }

    @Test("the documentation's session limits its rate")
    func rate() async throws {
        var resilience = Resilience()
        resilience.rateLimit = RateLimiter(.tokenBucket(100, per: .seconds(1), burst: 20))
        let session = Session(resilience: resilience)
        let provider = MoyaProvider<GitHub>(session: session)
        let wisdom = try await provider.request(.zen).mapString()
        #expect(wisdom == "Keep it simple.")

        resilience.rateLimit = RateLimiter(
            .tokenBucket(10, per: .seconds(1)),
            .slidingWindow(5_000, per: .seconds(3_600))
        )
        #expect(resilience.rateLimit?.limits.map(\.requests) == [10, 5_000])

        resilience.rateLimit = RateLimiter(.adaptive())
        let writes = LimitKey { $0.method == .get ? nil : "writes" }
        resilience.furtherRateLimits = [RateLimiter(.slidingWindow(1, per: .seconds(1)), by: writes)]
        let adaptive = MoyaProvider<GitHub>(session: Session(resilience: resilience))
        for _ in 1...3 { #expect(try await adaptive.request(.zen).statusCode == 200) }
    }

    @Test("the documentation's key separates the quotas of a server")
    func quotas() async throws {
        var resilience = Resilience()
        let quotas = LimitKey { request in
            let isSearch = request.url.path.hasPrefix("/search/")
            return request.url.host.map { isSearch ? "\($0) search" : $0 }
        }
        resilience.rateLimit = RateLimiter(by: quotas)
        let patient = MoyaProvider<GitHub>(session: Session(resilience: resilience))
        _ = try await patient.request(.search)
        #expect(try await patient.request(.zen).statusCode == 200)
        do {
            _ = try await patient.request(.search)
            Issue.record("The quota of the search is empty.")
        } catch {
            let limit = try #require(error.urlError?.rateLimit)
            #expect(limit.key == "api.github.com search")
            #expect(limit.isServerLimit)
            #expect(limit.until > Date() + 3_000)
        }
    }

    @Test("the documentation's session limits concurrent requests, except those that refresh a token")
    func concurrency() async throws {
        var resilience = Resilience()
        resilience.concurrencyLimit = ConcurrencyLimiter(.fixed(10), maximumWait: .seconds(30), maximumWaiting: 200)
        let limited = MoyaProvider<GitHub>(session: Session(resilience: resilience))
        let prefetched = try await RequestPriority.$current.withValue(.low) {
            try await limited.request(.zen)
        }
        #expect(prefetched.statusCode == 200)

        resilience.concurrencyLimit = ConcurrencyLimiter(.adaptive(20, in: 1...200, latency: .seconds(2)))
        #expect(resilience.concurrencyLimit?.limit.range == 1...200)

        let exceptRefresh = LimitKey { request in
            request.url.path == "/login/oauth/access_token" ? nil : request.url.host
        }
        resilience.concurrencyLimit = ConcurrencyLimiter(.fixed(10), by: exceptRefresh)
        #expect(resilience.concurrencyLimit?.limit == .fixed(10))
    }

    @Test("the documentation's circuit breakers stop requests to a server that fails, and tell their states")
    func circuits() async throws {
        var resilience = Resilience()
        resilience.circuitBreaker = CircuitBreaker(
            failureRate: 0.5,
            window: .seconds(30),
            minimumExchanges: 20,
            openPeriod: .seconds(10)
        )
        let protected = MoyaProvider<GitHub>(session: Session(resilience: resilience))
        _ = try await protected.request(.zen)
        // These are the default settings.
        let standard = CircuitBreaker()
        #expect(resilience.circuitBreaker?.failureRate == standard.failureRate)
        #expect(resilience.circuitBreaker?.window == standard.window)
        #expect(resilience.circuitBreaker?.minimumExchanges == standard.minimumExchanges)
        #expect(resilience.circuitBreaker?.openPeriod == standard.openPeriod)
        #expect(standard.probes == 1)

        resilience.circuitBreaker = CircuitBreaker(isFailure: { outcome in
            if case .success(let response) = outcome, response.status == 429 { return true }
            return CircuitBreaker.isServerFailure(outcome)
        })
        let limiting = ScriptedTransport().on(.get, "/zen", .status(429))
        let limited = MoyaProvider<GitHub>(session: Session(transport: limiting, resilience: resilience))
        for _ in 1...20 { #expect(try await limited.request(.zen).statusCode == 429) }
        await #expect(throws: MoyaError.self) { try await limited.request(.zen) }
        #expect(limiting.requests.count == 20)

        let breaker = CircuitBreaker(minimumExchanges: 5)
        resilience.circuitBreaker = breaker
        let checked = MoyaProvider<GitHub>(session: Session(resilience: resilience))
        _ = try await checked.request(.zen)
        for (key, state) in breaker.states where state != .closed {
            print("\(key) is not healthy: \(state)")
        }
        #expect(printed.values.isEmpty)
        #expect(breaker.states == ["https://api.github.com": .closed])
    }

    @Test("the documentation's session hedges, with the budget of its retries")
    func hedging() async throws {
        var hedged = Resilience()
        hedged.hedging = Hedging(after: .percentile(0.95))
        let quick = MoyaProvider<GitHub>(session: Session(resilience: hedged))
        _ = try await quick.request(.zen)

        let budget = RetryBudget(share: 0.1)
        hedged.hedging = Hedging(after: .fixed(.milliseconds(200)), budget: budget)
        let careful = Session(interceptor: RetryPolicy(budget: budget), resilience: hedged)
        _ = try await MoyaProvider<GitHub>(session: careful).request(.zen)
        #expect(hedged.hedging?.budget === budget)

        let exceptPolls = LimitKey { request in
            request.url.path.hasSuffix("/poll") ? nil : request.url.host
        }
        hedged.hedging = Hedging(after: .percentile(0.95), by: exceptPolls)
        #expect(hedged.hedging?.delay == .percentile(0.95, atLeast: .milliseconds(10), minimumSamples: 100))
    }

    @Test("the documentation's session has the standard parts, and a copy of them has other settings")
    func standardParts() async throws {
        let standard = MoyaProvider<GitHub>(session: Session(resilience: .standard))
        _ = try await standard.request(.zen)

        var patientParts = Resilience.standard
        patientParts.timeouts.total = .seconds(60)
        patientParts.hedging = Hedging(after: .percentile(0.95))
        patientParts.retrier = RetryPolicy(retryLimit: 4, budget: RetryBudget(share: 0.1))
        let patientSession = Session(resilience: patientParts)
        _ = try await MoyaProvider<GitHub>(session: patientSession).request(.zen)
        #expect(patientParts.timeouts == RequestTimeouts(total: .seconds(60), attempt: .seconds(10)))
    }

    @Test("the documentation's payment is retried with the key of the application")
    func payments() async throws {
        var repeatable = Resilience()
        repeatable.idempotencyKeys = IdempotencyKeys()
        let payments = MoyaProvider<Payment>(session: Session(interceptor: RetryPolicy(), resilience: repeatable))
        _ = try await payments.request(Payment(order: UUID()))

        let transport = try #require(payments.session.transport as? ScriptedTransport)
        let keys = transport.requests.compactMap { $0.headers[HTTPField.Name("Idempotency-Key")!] }
        #expect(keys.count == 2)
        #expect(Set(keys).count == 1)
    }

    @Test("the documentation's errors are matched")
    func errors() async throws {
        var resilience = Resilience()
        resilience.rateLimit = RateLimiter(.slidingWindow(1, per: .seconds(3_600)), maximumWait: .zero)
        try await request(resilience)
        #expect(printed.values.isEmpty)
        try await request(resilience)
        #expect(printed.values.count == 1)
        #expect(printed.values.first?.hasPrefix("https://api.github.com allows the next request at 20") == true)

        var busy = Resilience()
        busy.concurrencyLimit = ConcurrencyLimiter(.fixed(1), maximumWaiting: 0)
        // The stream has the permit until its body is read.
        let stream = try await MoyaProvider<GitHub>(session: Session(resilience: busy)).stream(.zen)
        try await request(busy)
        #expect(printed.values.last == "0 requests wait for 1 permits of https://api.github.com.")
        for try await _ in stream.body {}
        try await request(busy)
        #expect(printed.values.count == 2)

        var failing = Resilience()
        failing.circuitBreaker = CircuitBreaker(minimumExchanges: 1)
        let transport = ScriptedTransport().on(.get, "/zen", .status(503))
        for _ in 1...2 { try await request(failing, transport) }
        #expect(printed.values.count == 3)
        #expect(printed.values.last?.hasPrefix("https://api.github.com has failed since 20") == true)
    }

    /// Sends a request over a session with these limits, and prints its error.
    private func request(
        _ resilience: Resilience,
        _ transport: ScriptedTransport = ReadmeResilienceTests.server()
    ) async throws {
        let provider = MoyaProvider<GitHub>(session: Session(transport: transport, resilience: resilience))
        do {
            _ = try await provider.request(.zen)
        } catch {
            if let limit = error.urlError?.rateLimit {
                print("\(limit.key) allows the next request at \(limit.until).")
            } else if let limit = error.urlError?.concurrencyLimit {
                print("\(limit.waiting) requests wait for \(limit.permits) permits of \(limit.key).")
            } else if let circuit = error.urlError?.circuitBreaker {
                print("\(circuit.key) has failed since \(circuit.since). Next request: \(circuit.until).")
            } else {
                print(error.localizedDescription)
            }
        }
    }

    @Test("the documentation's sessions share a limiter")
    func sharing() async throws {
        var shared = Resilience()
        shared.rateLimit = RateLimiter(.slidingWindow(5_000, per: .seconds(3_600)))
        let foreground = Session(resilience: shared)
        let background = Session(interceptor: RetryPolicy(), resilience: shared)
        let request = URLRequest(url: URL(string: "https://api.github.com/search/users")!)
        _ = try await foreground.data(for: request)
        await #expect(throws: URLError.self) { try await background.data(for: request) }
    }

    @Test("the documentation's test does not wait")
    func clock() async throws {
        let transport = ScriptedTransport()
            .on(.get, "/zen", .status(429).header("Retry-After", "30"), .text("Keep it simple."))
        let clock = SkippingClock()
        let start = clock.now
        var tested = Resilience()
        tested.rateLimit = RateLimiter(clock: clock)
        let scripted = MoyaProvider<GitHub>(session: Session(transport: transport, resilience: tested))
        #expect(try await scripted.request(.zen).statusCode == 429)
        #expect(try await scripted.request(.zen).mapString() == "Keep it simple.")
        #expect(start.duration(to: clock.now) == .seconds(30))
    }

    @Suite("The timeouts of the article about resilience limit requests")
    struct TimeoutTests {
        struct Search: TimeLimitedTargetType {
            var text: String
            var timeouts: RequestTimeouts { RequestTimeouts(total: .seconds(5), firstByte: .seconds(2)) }
            var baseURL: URL { URL(string: "https://api.github.com")! }
            var path: String { "search/users" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestParameters(parameters: ["q": text], encoding: URLEncoding.queryString) }
            var headers: [String: String]? { nil }
        }

        /// The session of the examples, whose server never responds; on the skipping clock, the total time is over at once.
        final class Session: Moya.Session, @unchecked Sendable {
            init(interceptor: any RequestInterceptor, resilience: Resilience) {
                super.init(
                    transport: ScriptedTransport().next(.stall),
                    interceptor: interceptor,
                    resilience: resilience,
                    options: SessionOptions(clock: SkippingClock())
                )
            }
        }

        private let printed = Recorder<String>()

        private func print(_ text: String) { printed.add(text) }

        @Test("the documentation's session limits the time of requests, and the error names the timeout")
        func session() async throws {
            var resilience = Resilience()
            resilience.timeouts = RequestTimeouts(total: .seconds(30), attempt: .seconds(10))
            resilience.timeouts.firstByte = .seconds(5)
            let timed = MoyaProvider<GitHub>(session: Session(interceptor: RetryPolicy(), resilience: resilience))
            do {
                _ = try await timed.request(.zen)
            } catch {
                if let timeout = error.urlError?.timeout {
                    print("The \(timeout.kind) time of \(timeout.limit) is over.")
                }
            }
            #expect(printed.values == ["The total time of 30.0 seconds is over."])
        }

        @Test("the documentation's target and provider limit the time of requests")
        func target() async throws {
            let transport = ScriptedTransport(clock: SkippingClock())
                .next(.text("found"), .text("late").after(.seconds(3)))
            let session = Moya.Session(transport: transport)
            let limits = RequestTimeouts(total: .seconds(10), pool: .seconds(1))
            let searches = MoyaProvider<Search>(session: session, timeouts: limits)
            _ = try await searches.request(Search(text: "octocat"))

            let error = await #expect(throws: MoyaError.self) {
                try await searches.request(Search(text: "octocat"))
            }
            #expect(error?.urlError?.timeout == RequestTimeoutError(kind: .firstByte, limit: .seconds(2)))
        }
    }

    @Suite("The monitor of the article about resilience prints the waits")
    struct MonitorTests {
        private static let printed = Recorder<String>()

        private static func print(_ text: String) { printed.add(text) }

        struct LimitPrinter: EventMonitor {
            func record(_ event: RequestEvent) {
                switch event.kind {
                case .waitingForPermit(let key, let position): print("\(key): behind \(position) requests")
                case .waitingForRateLimit(let key, _, let delay): print("\(key): at least \(delay)")
                case .rateLimited(let key, let pause): print("\(key): no requests for \(pause)")
                case .circuitOpened(let key, let period): print("\(key): too many failures, no requests for \(period)")
                case .circuitHalfOpened(let key, let time): print("\(key): a probe after \(time)")
                case .circuitClosed(let key, let time): print("\(key): requests again after \(time)")
                default: break
                }
            }
        }

        @Test("the documentation's monitor prints the wait for a rate, and the changes of a circuit")
        func monitor() async throws {
            var resilience = Resilience()
            resilience.rateLimit = RateLimiter(.tokenBucket(1, per: .seconds(10)), clock: SkippingClock())
            let observed = Session(eventMonitors: [LimitPrinter()], resilience: resilience)
            let provider = MoyaProvider<GitHub>(session: observed)
            _ = try await provider.request(.zen)
            _ = try await provider.request(.zen)
            #expect(Self.printed.values == ["https://api.github.com: at least 10.0 seconds"])

            let clock = SkippingClock()
            var failing = Resilience()
            failing.circuitBreaker = CircuitBreaker(minimumExchanges: 1, openPeriod: .seconds(5), clock: clock)
            let transport = ScriptedTransport().on(.get, "/zen", .status(503), .text("Keep it simple."))
            let recovering = MoyaProvider<GitHub>(
                session: Session(transport: transport, eventMonitors: [LimitPrinter()], resilience: failing)
            )
            _ = try await recovering.request(.zen)
            try await clock.sleep(until: clock.now.advanced(by: .seconds(5)), tolerance: nil)
            _ = try await recovering.request(.zen)
            #expect(
                Self.printed.values.dropFirst() == [
                    "https://api.github.com: too many failures, no requests for 5.0 seconds",
                    "https://api.github.com: a probe after 5.0 seconds",
                    "https://api.github.com: requests again after 5.0 seconds",
                ]
            )
        }
    }
    @Suite("The monitor of the article about resilience prints the hedges")
    struct HedgingMonitorTests {
        private static let printed = Recorder<String>()

        private static func print(_ text: String) { printed.add(text) }

        struct HedgePrinter: EventMonitor {
            func record(_ event: RequestEvent) {
                switch event.kind {
                case .hedging(let delay): print("hedge \(event.hedge) after \(delay)")
                case .hedgingEnded(let winner?): print("exchange \(winner) wins")
                case .hedgingEnded(nil): print("all exchanges have failed")
                default: break
                }
            }
        }

        @Test("the documentation's monitor prints the hedge and the winner")
        func monitor() async throws {
            var hedged = Resilience()
            hedged.hedging = Hedging(after: .fixed(.seconds(1)), clock: SkippingClock())
            let watched = Session(
                transport: ScriptedTransport().on(.get, "/zen", .stall, .text("Keep it simple.")),
                eventMonitors: [HedgePrinter()],
                resilience: hedged
            )
            let provider = MoyaProvider<GitHub>(session: watched)
            #expect(try await provider.request(.zen).mapString() == "Keep it simple.")
            #expect(Self.printed.values == ["hedge 1 after 1.0 seconds", "exchange 1 wins"])
        }
    }
}
