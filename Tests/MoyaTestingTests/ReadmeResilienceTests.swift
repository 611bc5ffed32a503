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
            super.init(
                transport: transport,
                interceptor: interceptor,
                eventMonitors: eventMonitors,
                resilience: resilience,
                options: SessionOptions(clock: SkippingClock())
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
    }

    /// Sends a request over a session with these limits, and prints its error.
    private func request(_ resilience: Resilience) async throws {
        let provider = MoyaProvider<GitHub>(session: Session(resilience: resilience))
        do {
            _ = try await provider.request(.zen)
        } catch {
            if let limit = error.urlError?.rateLimit {
                print("\(limit.key) allows the next request at \(limit.until).")
            } else if let limit = error.urlError?.concurrencyLimit {
                print("\(limit.waiting) requests wait for \(limit.permits) permits of \(limit.key).")
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
                default: break
                }
            }
        }

        @Test("the documentation's monitor prints the wait for a rate")
        func monitor() async throws {
            var resilience = Resilience()
            resilience.rateLimit = RateLimiter(.tokenBucket(1, per: .seconds(10)), clock: SkippingClock())
            let observed = Session(eventMonitors: [LimitPrinter()], resilience: resilience)
            let provider = MoyaProvider<GitHub>(session: observed)
            _ = try await provider.request(.zen)
            _ = try await provider.request(.zen)
            #expect(Self.printed.values == ["https://api.github.com: at least 10.0 seconds"])
        }
    }
}
