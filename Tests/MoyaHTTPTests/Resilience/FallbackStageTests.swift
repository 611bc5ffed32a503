import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session falls back to another base URL, a stored response or a sample", .timeLimit(.minutes(5)))
struct FallbackStageTests {
    private static let first = URL.test("http://a.test/v1")
    private static let second = URL.test("http://b.test")
    private static let third = URL.test("http://c.test")

    /// The reactions of servers by their hosts, which a test changes.
    private final class Servers: Sendable {
        typealias Reaction = @Sendable (TransportRequest) async throws -> TransportResponse

        private let reactions: Locked<[String: Reaction]>

        init(_ reactions: [String: Reaction]) { self.reactions = Locked(reactions) }

        subscript(host: String) -> Reaction {
            get { reactions.withLock { $0[host] } ?? FallbackStageTests.failing(.cannotFindHost) }
            set { reactions.withLock { $0[host] = newValue } }
        }

        func respond(to request: TransportRequest) async throws -> TransportResponse {
            try await self[request.url.host ?? ""](request)
        }
    }

    private static func failing(_ code: URLError.Code) -> Servers.Reaction { { _ in throw URLError(code) } }

    private static func text(_ text: String, status: Int = 200, _ headers: HTTPFields = [:]) -> Servers.Reaction {
        { _ in .text(text, status: status, headers) }
    }

    private func bases(statuses: Set<Int> = [], _ clock: any Clock<Duration> = ManualClock()) -> Fallback {
        .baseURLs(Self.first, Self.second, Self.third, statuses: statuses, clock: clock)
    }

    private func limited(
        _ servers: Servers,
        _ fallbacks: [Fallback],
        concurrency: ConcurrencyLimiter? = nil,
        rate: RateLimiter? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        cache: HTTPCache? = nil
    ) -> LimitedSession {
        LimitedSession(
            concurrency: concurrency,
            rate: rate,
            fallbacks: fallbacks,
            interceptor: interceptor,
            cache: cache,
            clock: WaitClock()
        ) { try await servers.respond(to: $0) }
    }

    private func request(_ method: String = "GET", _ path: String = "/x?q=1") -> URLRequest {
        var request = URLRequest(url: .test("http://a.test/v1\(path)"))
        request.httpMethod = method
        return request
    }

    private func fallbackEvents(_ session: LimitedSession) -> [String] {
        session.log.events.compactMap {
            if case .fallingBack(let kind, let cause) = $0.kind { "\(kind): \(cause)" } else { nil }
        }
    }

    // MARK: Base URLs

    @Test(
        "a request is sent to the first base URL that can be reached",
        arguments: [
            URLError.Code.cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .networkConnectionLost, .timedOut,
        ]
    )
    func failsOver(_ code: URLError.Code) async throws {
        let servers = Servers(["a.test": Self.failing(code), "b.test": Self.failing(code), "c.test": Self.text("c")])
        let limited = limited(servers, [bases()])
        let response = try await limited.session.data(for: request())
        #expect(response.text == "c" && response.source == .network)
        #expect(response.url?.absoluteString == "http://c.test/x?q=1")
        #expect(limited.sent.values == ["http://a.test/v1/x?q=1", "http://b.test/x?q=1", "http://c.test/x?q=1"])
        let events = fallbackEvents(limited)
        #expect(events.map { $0.prefix { $0 != ":" } } == ["baseURL(http", "baseURL(http"])
        #expect(events[0].hasPrefix("baseURL(http://b.test): failure("))
        #expect(events[1].hasPrefix("baseURL(http://c.test): failure("))
    }

    @Test("a request fails with the last error if no base URL can be reached")
    func allFail() async throws {
        let servers = Servers([
            "a.test": Self.failing(.cannotConnectToHost), "b.test": Self.failing(.timedOut),
            "c.test": Self.failing(.dnsLookupFailed),
        ])
        let limited = limited(servers, [bases()])
        #expect(await limited.error("http://a.test/v1/x")?.code == .dnsLookupFailed)
        #expect(limited.sent.values.count == 3)
    }

    @Test(
        "other errors and other URLs have no fallback",
        arguments: [
            ("http://a.test/v1/x", URLError.Code.serverCertificateUntrusted),
            ("http://a.test/v1/x", .badServerResponse),
            ("http://a.test/v1/x", .notConnectedToInternet), ("http://a.test/v2/x", .cannotConnectToHost),
            ("http://d.test/v1/x", .cannotConnectToHost),
        ]
    )
    func noFallback(_ url: String, _ code: URLError.Code) async throws {
        let servers = Servers(["a.test": Self.failing(code), "d.test": Self.failing(code), "b.test": Self.text("b")])
        let limited = limited(servers, [bases()])
        #expect(await limited.error(url)?.code == code)
        #expect(limited.sent.values == [url])
        #expect(fallbackEvents(limited).isEmpty)
    }

    @Test(
        "a base URL that was not reached is avoided, then probed by one request, and used again when it has responded"
    )
    func health() async throws {
        let clock = ManualClock()
        let servers = Servers(["a.test": Self.failing(.cannotConnectToHost), "b.test": Self.text("b")])
        let limited = limited(servers, [bases(clock)])
        func hosts(_ count: Int) -> [String] {
            limited.sent.values.suffix(count).map { URL.test($0).host ?? "" }
        }
        try await limited.send("http://a.test/v1/1")
        #expect(hosts(2) == ["a.test", "b.test"])
        clock.advance(by: .seconds(10))
        try await limited.send("http://a.test/v1/2")
        #expect(limited.sent.values.count == 3)
        #expect(hosts(1) == ["b.test"])
        #expect(fallbackEvents(limited).last == "baseURL(http://b.test): avoided(http://a.test/v1, for: 20.0 seconds)")

        // The probe waits for the server, while other requests go to the second base URL.
        clock.advance(by: .seconds(20))
        let gates = PathGates()
        servers["a.test"] = { request in
            try await gates.wait(request.url.path)
            return .text("a")
        }
        async let probe = limited.session.data(for: URLRequest(url: .test("http://a.test/v1/probe")))
        await waitUntil { limited.sent.values.count == 4 }
        #expect(hosts(1) == ["a.test"])
        for number in 1...3 { try await limited.send("http://a.test/v1/while\(number)") }
        #expect(hosts(3) == ["b.test", "b.test", "b.test"])
        gates.open("/v1/probe")
        #expect(try await probe.text == "a")
        servers["a.test"] = Self.text("a")
        try await limited.send("http://a.test/v1/after")
        #expect(hosts(1) == ["a.test"])
    }

    @Test("a cancelled probe lets the next request probe")
    func cancelledProbe() async throws {
        let clock = ManualClock()
        let servers = Servers(["a.test": Self.failing(.cannotConnectToHost), "b.test": Self.text("b")])
        let limited = limited(servers, [bases(clock)])
        try await limited.send("http://a.test/v1/1")
        clock.advance(by: .seconds(30))
        let gates = PathGates()
        servers["a.test"] = { request in
            try await gates.wait(request.url.path)
            return .text("a")
        }
        let probe = Task { await limited.error("http://a.test/v1/probe") }
        await waitUntil { limited.sent.values.last == "http://a.test/v1/probe" }
        probe.cancel()
        #expect(await probe.value?.code == .cancelled)
        gates.open("/v1/next")
        #expect(try await limited.session.data(for: request("GET", "/next")).text == "a")
    }

    @Test("sessions with copies of a fallback share the knowledge about the servers")
    func shared() async throws {
        let servers = Servers(["a.test": Self.failing(.cannotConnectToHost), "b.test": Self.text("b")])
        let fallback = bases()
        let (one, other) = (limited(servers, [fallback]), limited(servers, [.staleResponse, fallback]))
        try await one.send("http://a.test/v1/1")
        try await other.send("http://a.test/v1/1")
        #expect(other.sent.values == ["http://b.test/1"])
    }

    @Test("if all base URLs are avoided and there is no other response, they are tried nevertheless")
    func allAvoided() async throws {
        let servers = Servers([:])
        let limited = limited(servers, [bases()])
        #expect(await limited.error("http://a.test/v1/x")?.code == .cannotFindHost)
        servers["b.test"] = Self.text("b")
        #expect(try await limited.session.data(for: request()).text == "b")
        #expect(limited.sent.values.suffix(2) == ["http://a.test/v1/x?q=1", "http://b.test/x?q=1"])
        // The response has ended the time for which the second base URL was avoided.
        try await limited.send("http://a.test/v1/x")
        #expect(limited.sent.values.last == "http://b.test/x")
        #expect(limited.sent.values.count == 6)
    }

    @Test("a sample is used at once while all base URLs are avoided")
    func sampleWhileAvoided() async throws {
        let limited = limited(Servers([:]), [bases(), .sample { _, _ in .text("sample") }])
        #expect(try await limited.session.data(for: request()).text == "sample")
        #expect(limited.sent.values.count == 3)
        #expect(try await limited.session.data(for: request()).text == "sample")
        #expect(limited.sent.values.count == 3)
    }

    @Test(
        "a POST is sent to another base URL only if it has not arrived",
        arguments: [
            (URLError.Code.cannotConnectToHost, true), (.cannotFindHost, true), (.networkConnectionLost, false),
            (.timedOut, false),
        ]
    )
    func post(_ code: URLError.Code, _ isUnsent: Bool) async throws {
        for key in [nil, "\"1\""] {
            let servers = Servers(["a.test": Self.failing(code), "b.test": Self.text("b")])
            let limited = limited(servers, [bases()])
            var post = request("POST")
            post.httpBody = Data("body".utf8)
            post.setValue(key, forHTTPHeaderField: "Idempotency-Key")
            let response = try? await limited.session.data(for: post)
            #expect((response?.text == "b") == isUnsent)
            #expect(limited.sent.values.count == (isUnsent ? 2 : 1))
            // The next request avoids the server in both cases.
            #expect(try await limited.session.data(for: request()).text == "b")
        }
    }

    @Test("a POST that may have arrived in an earlier attempt is not sent to another base URL")
    func retriedPost() async throws {
        let attempts = Locked(0)
        let servers = Servers([
            "a.test": { _ in
                let number = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                throw URLError(number == 1 ? .networkConnectionLost : .cannotConnectToHost)
            }, "b.test": Self.text("b"),
        ])
        let retrying = limited(servers, [bases()], interceptor: TestInterceptor.repeating(1))
        await #expect(throws: URLError(.cannotConnectToHost)) { try await retrying.session.data(for: request("POST")) }
        #expect(retrying.sent.values.count == 2)
        attempts.withLock { $0 = 1 }
        let unsent = limited(servers, [bases()], interceptor: TestInterceptor.repeating(1))
        #expect(try await unsent.session.data(for: request("POST")).text == "b")
        #expect(unsent.sent.values.count == 3)
    }

    @Test("a POST that was resent after a lost connection is not sent to another base URL")
    func resentPost() async throws {
        struct Loss: ConnectionLoss { var allowsResend: Bool { true } }
        let attempts = Locked(0)
        let servers = Servers([
            "a.test": { request in
                let number = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                guard number > 1 else { throw URLError.make(.networkConnectionLost, url: request.url, cause: Loss()) }
                throw URLError(.cannotConnectToHost)
            }, "b.test": Self.text("b"),
        ])
        let sent = Recorder<String>()
        var resilience = Resilience()
        resilience.fallbacks = [bases()]
        resilience.idempotencyKeys = IdempotencyKeys()
        let session = Session(
            transport: FakeTransport { request in
                sent.add(request.url.host ?? "")
                return try await servers.respond(to: request)
            },
            resilience: resilience
        )
        await #expect(throws: URLError(.cannotConnectToHost)) { try await session.data(for: request("POST")) }
        #expect(sent.values == ["a.test", "a.test"])
    }

    @Test("a body that can be read only once is sent once, and not to a server that is avoided")
    func oneShotBody() async throws {
        let servers = Servers(["a.test": Self.failing(.cannotConnectToHost), "b.test": Self.text("b")])
        let limited = limited(servers, [bases()])
        func put() async throws -> String {
            let body = HTTPBody.stream(InputStream(data: Data("body".utf8)))
            return try await limited.session.data(for: request("PUT"), body: body).text
        }
        await #expect(throws: URLError(.cannotConnectToHost)) { try await put() }
        #expect(try await put() == "b")
        #expect(limited.sent.values == ["http://a.test/v1/x?q=1", "http://b.test/x?q=1"])
    }

    @Test("only the statuses of a fallback lead to another base URL, and only those of idempotent requests")
    func statuses() async throws {
        let servers = Servers(["a.test": Self.text("a", status: 503), "b.test": Self.text("b")])
        let plain = limited(servers, [bases()])
        #expect(try await plain.send("http://a.test/v1/x") == 503)
        let limited = limited(servers, [bases(statuses: [503])])
        await #expect(try limited.session.data(for: request("POST")).statusCode == 503)
        let other = self.limited(servers, [bases(statuses: [503])])
        #expect(try await other.session.data(for: request("PUT")).text == "b")
        #expect(fallbackEvents(other) == ["baseURL(http://b.test): status(503)"])
        servers["a.test"] = Self.text("a", status: 500)
        let last = self.limited(servers, [bases(statuses: [503])])
        #expect(try await last.send("http://a.test/v1/x") == 500)
    }

    @Test("the last response is returned if all base URLs have a status of the fallback")
    func lastStatus() async throws {
        let servers = Servers([
            "a.test": Self.text("a", status: 502), "b.test": Self.text("b", status: 503),
            "c.test": Self.text("c", status: 504),
        ])
        let limited = limited(servers, [bases(statuses: [502, 503, 504])])
        let response = try await limited.session.data(for: request())
        #expect(response.statusCode == 504 && response.text == "c")
    }

    @Test("a base URL whose redirect leads to a failing server has been reached")
    func redirected() async throws {
        let servers = Servers([
            "a.test": Self.text("", status: 302, [.location: "http://d.test/"]),
            "d.test": Self.failing(.cannotConnectToHost), "b.test": Self.text("b"),
        ])
        let limited = limited(servers, [bases()])
        #expect(await limited.error("http://a.test/v1/x")?.code == .cannotConnectToHost)
        #expect(await limited.error("http://a.test/v1/x")?.code == .cannotConnectToHost)
        #expect(limited.sent.values.count == 4)
    }

    @Test("an adapter that fails is no failure of the base URL")
    func adapter() async throws {
        let fails = Locked(true)
        let servers = Servers(["a.test": Self.text("a"), "b.test": Self.text("b")])
        let interceptor = TestInterceptor(onAdapt: { request, _ in
            if fails.withLock({ $0 }) { throw URLError(.cannotConnectToHost) }
            return request
        })
        let limited = limited(servers, [bases()], interceptor: interceptor)
        #expect(await limited.error("http://a.test/v1/x")?.code == .cannotConnectToHost)
        fails.withLock { $0 = false }
        #expect(try await limited.session.data(for: request()).text == "a")
        #expect(limited.sent.values == ["http://a.test/v1/x?q=1"])
    }

    @Test("retries precede another base URL, and all requests have one idempotency key and the application's headers")
    func retries() async throws {
        let sent = Recorder<HTTPFields>()
        let servers = Servers([
            "a.test": {
                sent.add($0.headers)
                throw URLError(.cannotConnectToHost)
            },
            "b.test": {
                sent.add($0.headers)
                return .text("b")
            },
        ])
        var resilience = Resilience()
        resilience.fallbacks = [bases()]
        resilience.idempotencyKeys = IdempotencyKeys()
        let configuration = URLSessionConfiguration.ephemeral
        let cookies = CookieJar()
        cookies.store(
            setCookieFields: [HTTPField(name: .setCookie, value: "a=1")],
            from: .test("http://a.test/"),
            context: CookieContext()
        )
        let session = Session(
            transport: FakeTransport { try await servers.respond(to: $0) },
            configuration: configuration,
            interceptor: TestInterceptor.repeating(1),
            resilience: resilience,
            options: SessionOptions(cookieStorage: cookies)
        )
        var post = request("POST")
        post.setValue("Bearer t", forHTTPHeaderField: "Authorization")
        #expect(try await session.data(for: post).text == "b")
        let headers = sent.values
        #expect(headers.count == 3)
        #expect(Set(headers.map { $0[HTTPField.Name("Idempotency-Key")!] }).count == 1)
        #expect(headers.allSatisfy { $0[.authorization] == "Bearer t" })
        #expect(headers.map { $0[.cookie] } == ["a=1", "a=1", nil])
    }

    @Test("each base URL has its own permits, and a request that a limit refuses is sent to the next one")
    func limits() async throws {
        let gates = PathGates()
        let servers = Servers([
            "a.test": { request in
                try await gates.wait(request.url.path)
                return .text("a")
            },
            "b.test": Self.text("b"),
        ])
        let limiter = ConcurrencyLimiter(.fixed(1), maximumWaiting: 0)
        let limited = limited(servers, [bases()], concurrency: limiter)
        async let busy = limited.session.data(for: request("GET", "/busy"))
        await waitUntil { limiter.counts.used == 1 }
        #expect(try await limited.session.data(for: request("POST")).text == "b")
        gates.open("/v1/busy")
        #expect(try await busy.text == "a")
        // The refusal says nothing about the server.
        gates.open("/v1/next")
        #expect(try await limited.session.data(for: request("GET", "/next")).text == "a")

        let rate = RateLimiter(.slidingWindow(1, per: .seconds(60)), maximumWait: .zero)
        let second = self.limited(servers, [bases()], rate: rate)
        #expect(try await second.session.data(for: request("GET", "/next")).text == "a")
        #expect(try await second.session.data(for: request("GET", "/next")).text == "b")
    }

    @Test("an open circuit leads to the next base URL")
    func circuit() async throws {
        let servers = Servers(["a.test": Self.text("a", status: 500), "b.test": Self.text("b")])
        let limited = LimitedSession(
            breaker: CircuitBreaker(minimumExchanges: 1),
            fallbacks: [bases()],
            clock: WaitClock()
        ) { try await servers.respond(to: $0) }
        #expect(try await limited.send("http://a.test/v1/x") == 500)
        #expect(try await limited.session.data(for: request("POST")).text == "b")
        #expect(limited.sent.values == ["http://a.test/v1/x", "http://b.test/x?q=1"])
    }

    @Test("the requests to all base URLs share the total time, after which only a response without a server is used")
    func totalTime() async throws {
        for hasSample in [false, true] {
            let (clock, gates) = (ManualClock(), PathGates())
            let servers = Servers([
                "a.test": { _ in
                    clock.advance(by: .seconds(6))
                    throw URLError(.cannotConnectToHost)
                },
                "b.test": { request in
                    try await gates.wait(request.url.path)
                    return .text("b")
                }, "c.test": Self.text("c"),
            ])
            let limited = LimitedSession(
                timeouts: RequestTimeouts(total: .seconds(10)),
                fallbacks: [bases()] + (hasSample ? [.sample { _, _ in .text("sample") }] : []),
                clock: clock
            ) { try await servers.respond(to: $0) }
            let task = Task { try await limited.session.data(for: request()) }
            await waitUntil { limited.sent.values.count == 2 }
            // The timer of the total time sleeps, whenever it has begun to.
            await waitUntil { clock.timeToNextWake == .seconds(4) }
            clock.advance(by: .seconds(4))
            if hasSample {
                #expect(try await task.value.text == "sample")
            } else {
                let error = await #expect(throws: URLError.self) { try await task.value }
                #expect(error?.timeout == RequestTimeoutError(kind: .total, limit: .seconds(10)))
            }
            #expect(limited.sent.values.count == 2)
        }
    }

    // MARK: Stored responses

    private func cache(_ time: Locked<Double>) -> HTTPCache {
        HTTPCache(store: MemoryCacheStore(), now: { time.withLock { $0 } })
    }

    @Test(
        "a stale response is used whatever its age, unless its directives or the request's forbid it",
        arguments: [
            ("max-age=1", [:], true), ("max-age=1, stale-if-error=0", [:], true),
            ("max-age=1, must-revalidate", [:], false),
            ("no-cache", [:], false), ("max-age=1", ["Cache-Control": "no-cache"], false),
            ("max-age=1", ["Cache-Control": "no-store"], false), ("max-age=1", ["Pragma": "no-cache"], false),
            ("max-age=1", ["Authorization": "Bearer t"], false), ("max-age=1, proxy-revalidate", [:], true),
        ] as [(String, [String: String], Bool)]
    )
    func stale(_ control: String, _ headers: [String: String], _ isUsed: Bool) async throws {
        let time = Locked(1_800_000_000.0)
        let servers = Servers(["d.test": Self.text("stored", [.cacheControl: control, .eTag: "\"1\""])])
        let limited = limited(servers, [.staleResponse], cache: cache(time))
        var request = URLRequest(url: .test("http://d.test/x"))
        #expect(try await limited.session.data(for: request).source == .network)
        time.withLock { $0 += 86_400 }
        servers["d.test"] = Self.failing(.notConnectedToInternet)
        request.allHTTPHeaderFields = headers
        let response = try? await limited.session.data(for: request)
        #expect((response?.text == "stored") == isUsed)
        #expect(response?.source == (isUsed ? .stale : nil))
        if isUsed {
            #expect(response?.headers[.age] == "86400")
            #expect(response?.url == request.url)
            #expect(fallbackEvents(limited).first?.hasPrefix("staleResponse: failure(") == true)
            #expect(limited.session.cache?.statistics.staleHits == 1)
        }
    }

    @Test("a status of the fallback is replaced by a stale response, and others are not")
    func staleAfterStatus() async throws {
        let time = Locked(1_800_000_000.0)
        let servers = Servers(["d.test": Self.text("stored", [.cacheControl: "max-age=1"])])
        let limited = limited(servers, [.staleResponse], cache: cache(time))
        try await limited.send("http://d.test/x")
        time.withLock { $0 += 60 }
        for (status, isStale) in [(500, true), (502, true), (503, true), (504, true), (501, false), (429, false)] {
            servers["d.test"] = Self.text("error", status: status)
            let response = try await limited.session.data(for: URLRequest(url: .test("http://d.test/x")))
            #expect((response.statusCode, response.text) == (isStale ? (200, "stored") : (status, "error")))
        }
    }

    @Test("the most recent response that is stored under any base URL is used, without a request while all are avoided")
    func newestStale() async throws {
        let (time, clock) = (Locked(1_800_000_000.0), ManualClock())
        let servers = Servers(["a.test": Self.text("old", [.cacheControl: "max-age=1"])])
        let limited = limited(servers, [bases(clock), .staleResponse], cache: cache(time))
        #expect(try await limited.session.data(for: request()).text == "old")
        time.withLock { $0 += 60 }
        servers["a.test"] = Self.failing(.cannotConnectToHost)
        servers["b.test"] = Self.text("new", [.cacheControl: "max-age=1"])
        #expect(try await limited.session.data(for: request()).text == "new")
        time.withLock { $0 += 60 }
        servers["b.test"] = Self.failing(.cannotConnectToHost)
        for _ in 1...2 {
            let response = try await limited.session.data(for: request())
            #expect(response.text == "new" && response.source == .stale)
            #expect(response.url?.host == "b.test")
        }
        #expect(limited.sent.values.count { $0.hasPrefix("http://c.test") } == 1)
        #expect(limited.sent.values.count { $0.hasPrefix("http://a.test") } == 2)
    }

    @Test("fields of adapters, plugins and cookies select the stored response, also if nothing was sent")
    func selectingFields() async throws {
        let time = Locked(1_800_000_000.0)
        let user = Locked("1")
        let servers = Servers([
            "a.test": { request in
                let user = request.headers[.authorization] ?? ""
                return .text("for \(user)", [.cacheControl: "max-age=1", .vary: "Accept-Language"])
            }
        ])
        let interceptor = TestInterceptor(onAdapt: { request, _ in
            var request = request
            request.setValue("Bearer \(user.withLock { $0 })", forHTTPHeaderField: "Authorization")
            return request
        })
        let limited = limited(servers, [bases(), .staleResponse], interceptor: interceptor, cache: cache(time))
        #expect(try await limited.session.data(for: request()).text == "for Bearer 1")
        time.withLock { $0 += 60 }
        servers["a.test"] = Self.failing(.cannotConnectToHost)
        // The first request is sent to all base URLs, and the second one to none.
        for _ in 1...2 { #expect(try await limited.session.data(for: request()).text == "for Bearer 1") }
        #expect(limited.sent.values.count == 4)
        user.withLock { $0 = "2" }
        #expect(await limited.error("http://a.test/v1/x?q=1") != nil)
    }

    @Test("fallbacks are used in their order")
    func order() async throws {
        let time = Locked(1_800_000_000.0)
        let servers = Servers(["a.test": Self.text("stored", [.cacheControl: "max-age=1"]), "b.test": Self.text("b")])
        let limited = limited(
            servers,
            [.staleResponse, bases(), .sample { _, _ in .text("sample") }],
            cache: cache(time)
        )
        try await limited.send("http://a.test/v1/stored")
        time.withLock { $0 += 60 }
        servers["a.test"] = Self.failing(.cannotConnectToHost)
        #expect(try await limited.session.data(for: request("GET", "/stored")).text == "stored")
        #expect(try await limited.session.data(for: request("GET", "/other")).text == "b")
        servers["b.test"] = Self.failing(.cannotConnectToHost)
        #expect(try await limited.session.data(for: request("GET", "/third")).text == "sample")
        // The response of the second server is stored, too.
        #expect(try await limited.session.data(for: request("GET", "/other")).text == "b")
        #expect(try await limited.session.data(for: request("GET", "/stored")).text == "stored")
    }

    // MARK: Samples

    @Test("a sample has its status, headers, body and source, and the request's URL")
    func sample() async throws {
        let requests = Recorder<String>()
        let limited = limited(
            Servers([:]),
            [
                .sample { _, _ in nil },
                .sample { request, cause in
                    requests.add("\(request.method) \(request.url.absoluteString) \(cause)")
                    return .text("sample", status: 203, [.contentType: "text/plain", .setCookie: "a=1"])
                },
            ]
        )
        let response = try await limited.session.data(for: request("POST"))
        #expect(response.statusCode == 203 && response.text == "sample" && response.source == .sample)
        #expect(response.headers[.contentType] == "text/plain")
        #expect(response.url?.absoluteString == "http://a.test/v1/x?q=1")
        #expect(requests.values.count == 1)
        #expect(requests.values.first?.hasPrefix("POST http://a.test/v1/x?q=1 failure(") == true)
        #expect(fallbackEvents(limited).first?.hasPrefix("sample: failure(") == true)
        #expect(
            limited.session.cookieStorage?.cookieField(for: .test("http://a.test/"), context: CookieContext()) == nil
        )
        let ends = limited.log.events.compactMap { event -> String? in
            switch event.kind {
            case .finished(let status): "finished \(status)"
            case .failed: "failed"
            default: nil
            }
        }
        #expect(ends == ["finished 203"])
    }

    @Test("a request without a sample fails with its error")
    func noSample() async throws {
        let limited = limited(Servers([:]), [.staleResponse, .sample { _, _ in nil }])
        #expect(await limited.error("http://d.test/")?.code == .cannotFindHost)
        #expect(fallbackEvents(limited).isEmpty)
    }

    @Test("a sample is delivered as a stream and as a file, too")
    func sampleAsStream() async throws {
        let pieces = limited(Servers([:]), [.sample { _, _ in .pieces(["sam", "ple"]) }])
        var text = ""
        for try await chunk in try await pieces.session.stream(for: request()).body {
            text += String(decoding: chunk, as: UTF8.self)
        }
        #expect(text == "sample")
        let folder = try TemporaryFolder()
        let file = folder.file("sample")
        _ = try await pieces.session.download(request(), to: { _, _ in (file, []) })
        #expect(try String(contentsOf: file, encoding: .utf8) == "sample")
    }

    @Test("a cancelled request has no fallback")
    func cancelled() async throws {
        let gates = PathGates()
        let servers = Servers([
            "a.test": { request in
                try await gates.wait(request.url.path)
                return .text("a")
            }
        ])
        let limited = limited(servers, [bases(), .sample { _, _ in .text("sample") }])
        let task = Task { await limited.error("http://a.test/v1/x") }
        await waitUntil { limited.sent.values.count == 1 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(limited.sent.values.count == 1)
    }

    @Test("a response whose body breaks off is replaced by a stale response, and not by another base URL")
    func brokenBody() async throws {
        let time = Locked(1_800_000_000.0)
        let servers = Servers(["a.test": Self.text("stored", [.cacheControl: "max-age=1"]), "b.test": Self.text("b")])
        let limited = limited(servers, [bases(), .staleResponse], cache: cache(time))
        #expect(try await limited.session.data(for: request()).text == "stored")
        time.withLock { $0 += 60 }
        servers["a.test"] = { _ in .pieces(["par"], then: URLError(.networkConnectionLost)) }
        let response = try await limited.session.data(for: request())
        #expect(response.text == "stored" && response.source == .stale)
        #expect(limited.sent.values.allSatisfy { $0.hasPrefix("http://a.test") })
    }
}
