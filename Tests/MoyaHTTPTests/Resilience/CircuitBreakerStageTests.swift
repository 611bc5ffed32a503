import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session stops exchanges with a server that fails", .timeLimit(.minutes(5)))
struct CircuitBreakerStageTests {
    /// The status of a server, which a test changes.
    private final class Server: Sendable {
        private let status: Locked<Int>

        init(_ status: Int = 503) { self.status = Locked(status) }

        func set(_ status: Int) { self.status.withLock { $0 = status } }

        func response() -> TransportResponse { TransportResponse(status: status.withLock { $0 }) }
    }

    /// Returns the changes of circuits that monitors have got.
    private func changes(_ limited: LimitedSession) -> [String] {
        limited.log.events.compactMap { event in
            switch event.kind {
            case .circuitOpened(let key, let period): "\(key) opened for \(period)"
            case .circuitHalfOpened(let key, let time): "\(key) half-open after \(time)"
            case .circuitClosed(let key, let time): "\(key) closed after \(time)"
            default: nil
            }
        }
    }

    @Test(
        "a circuit refuses requests after failures, and closes after the success of a probe; monitors get each change once"
    )
    func cycle() async throws {
        let clock = ManualClock()
        let breaker = CircuitBreaker(minimumExchanges: 3, openPeriod: .seconds(1_000), clock: clock)
        let server = Server()
        let limited = LimitedSession(breaker: breaker) { _ in server.response() }
        let start = Date()
        for _ in 1...3 { #expect(try await limited.send("http://h.test/") == 503) }
        clock.advance(by: .seconds(400))
        _ = await limited.error("http://h.test/")
        let error = try #require(await limited.error("http://h.test/2"))
        #expect(error.code == .resourceUnavailable)
        #expect(error.failingURL?.path == "/2")
        let refusal = try #require(error.circuitBreaker)
        #expect(refusal.key == "http://h.test")
        #expect(refusal.refused == 1)
        #expect(refusal.since < start - 300)
        #expect(refusal.until > start + 500 && refusal.until < Date() + 700)
        #expect(
            refusal.description == "The request was not sent: the circuit of http://h.test has been open since "
                + "\(refusal.since.ISO8601Format()), because too many requests failed, and allows the next one at "
                + "\(refusal.until.ISO8601Format()). 1 others were refused."
        )
        #expect(limited.sent.values.count == 3)

        clock.advance(by: .seconds(600))
        #expect(try await limited.send("http://h.test/") == 503)
        #expect(await limited.error("http://h.test/")?.circuitBreaker?.refused == 2)
        server.set(200)
        clock.advance(by: .seconds(1_000))
        for _ in 1...3 { #expect(try await limited.send("http://h.test/") == 200) }
        #expect(
            changes(limited) == [
                "http://h.test opened for 1000.0 seconds", "http://h.test half-open after 1000.0 seconds",
                "http://h.test opened for 1000.0 seconds", "http://h.test half-open after 2000.0 seconds",
                "http://h.test closed after 2000.0 seconds",
            ]
        )
        #expect(limited.count { if case .failed = $0 { true } else { false } } == 3)
        #expect(breaker.running == 0)
    }

    @Test("each attempt counts, and a request that is refused is not retried")
    func retries() async throws {
        for interceptor: any RequestInterceptor in [TestInterceptor.repeating(5), RetryPolicy(retryLimit: 5)] {
            let limited = LimitedSession(
                breaker: CircuitBreaker(minimumExchanges: 3),
                interceptor: interceptor,
                clock: WaitClock(isEndless: false)
            ) { _ in throw URLError(.cannotConnectToHost) }
            #expect(await limited.error("http://h.test/")?.circuitBreaker != nil)
            #expect(limited.sent.values.count == 3)
            #expect(limited.count { if case .retrying = $0 { true } else { false } } == 3)
        }
    }

    /// Redirects the requests with these paths, and fails all others.
    private static func redirecting(_ targets: [String: String]) -> @Sendable (TransportRequest) -> TransportResponse {
        { request in
            guard let target = targets[request.url.path] else { return TransportResponse(status: 500) }
            return TransportResponse(status: 302, headers: [.location: target])
        }
    }

    @Test("each origin has a circuit, in which redirects within the origin count")
    func origins() async throws {
        let breaker = CircuitBreaker(minimumExchanges: 4)
        let limited = LimitedSession(breaker: breaker, respond: Self.redirecting(["/moved": "/x"]))
        for _ in 1...2 { #expect(try await limited.send("http://B.test:80/moved") == 500) }
        #expect(await limited.error("http://b.test/")?.circuitBreaker?.key == "http://b.test")
        for url in ["https://b.test/", "http://a.test/"] { #expect(try await limited.send(url) == 500) }
        #expect(limited.sent.values.count == 6)
    }

    @Test("redirects to another origin have a circuit for the two origins, and open no other one")
    func redirectedOrigins() async throws {
        let breaker = CircuitBreaker(minimumExchanges: 2)
        let targets = ["/moved": "http://b.test/", "/returned": "http://c.test/back", "/back": "http://a.test/"]
        let limited = LimitedSession(breaker: breaker, respond: Self.redirecting(targets))
        let key = "http://b.test, redirected from http://a.test"
        for _ in 1...2 { #expect(try await limited.send("http://a.test/moved") == 500) }
        #expect(await limited.error("http://a.test/moved")?.circuitBreaker?.key == key)
        // Neither the target, nor the redirects of another origin to it, nor the first origin are refused.
        for url in ["http://b.test/", "http://c.test/moved", "http://a.test/returned"] {
            #expect(try await limited.send(url) == 500)
        }
        #expect(breaker.states.filter { $0.value != .closed }.map(\.key) == [key])
        #expect(breaker.states["http://a.test, redirected from http://a.test"] == .closed)
    }

    @Test("a key of the application groups requests, and a request without a key has no circuit")
    func keys() async throws {
        let breaker = CircuitBreaker(minimumExchanges: 1, by: LimitKey { $0.url.path == "/free" ? nil : "all" })
        let limited = LimitedSession(breaker: breaker) { _ in TransportResponse(status: 504) }
        for _ in 1...3 { #expect(try await limited.send("http://a.test/free") == 504) }
        #expect(try await limited.send("http://a.test/") == 504)
        #expect(await limited.error("http://b.test/")?.circuitBreaker?.key == "all")
        #expect(try await limited.send("http://a.test/free") == 504)
    }

    @Test("the states of the circuits tell the health of the servers, and sessions share them")
    func states() async throws {
        let clock = ManualClock()
        let breaker = CircuitBreaker(minimumExchanges: 1, openPeriod: .seconds(10), clock: clock)
        let gates = PathGates()
        let respond: @Sendable (TransportRequest) async throws -> TransportResponse = { request in
            if request.url.path == "/wait" { try await gates.wait("/wait") }
            return TransportResponse(status: request.url.host == "a.test" ? 200 : 502)
        }
        let sessions = [
            LimitedSession(breaker: breaker, respond: respond), LimitedSession(breaker: breaker, respond: respond),
        ]
        #expect(breaker.states == [:])
        try await sessions[0].send("http://a.test/")
        try await sessions[0].send("http://b.test/")
        #expect(await sessions[1].error("http://b.test/")?.circuitBreaker != nil)
        #expect(Set(breaker.states.keys) == ["http://a.test", "http://b.test"])
        #expect(breaker.states["http://a.test"] == .closed)
        guard case .open(let since, let until) = breaker.states["http://b.test"] else {
            return #expect(breaker.states.isEmpty)
        }
        #expect(abs(until.timeIntervalSince(since) - 10) < 1)
        clock.advance(by: .seconds(10))
        async let probe = sessions[0].send("http://b.test/wait")
        await waitUntil { breaker.running == 1 }
        guard case .halfOpen(let first) = breaker.states["http://b.test"] else {
            return #expect(breaker.states.isEmpty)
        }
        #expect(first < Date() - 9)
        gates.open("/wait")
        #expect(try await probe == 502)
    }

    @Test("a probe has its place until the head of its response, and a cancelled one gives it back")
    func probes() async throws {
        let clock = ManualClock()
        let breaker = CircuitBreaker(minimumExchanges: 1, openPeriod: .seconds(10), clock: clock)
        let gates = PathGates()
        let limited = LimitedSession(breaker: breaker) { request in
            if request.url.path == "/" { throw URLError(.timedOut) }
            try await gates.wait(request.url.path)
            return TransportResponse(status: 200, body: .stream(TransportBodyStream { nil }))
        }
        #expect(await limited.error("http://h.test/")?.code == .timedOut)
        clock.advance(by: .seconds(10))
        let first = Task { try await limited.send("http://h.test/1") }
        await waitUntil { breaker.running == 1 }
        #expect(await limited.error("http://h.test/2")?.circuitBreaker != nil)
        first.cancel()
        let result = await first.result
        #expect(throws: URLError.self) { try result.get() }
        #expect(breaker.running == 0)
        let second = Task { try await limited.session.stream(for: URLRequest(url: .test("http://h.test/2"))) }
        await waitUntil { breaker.running == 1 }
        #expect(await limited.error("http://h.test/3")?.circuitBreaker != nil)
        gates.open("/2")
        let stream = try await second.value
        #expect(breaker.states["http://h.test"] == .closed)
        // The body has not been read.
        withExtendedLifetime(stream) {}
    }

    @Test("requests that are cancelled, or that a rate limiter refuses, do not count")
    func ignored() async throws {
        let asked = Recorder<String>()
        let breaker = CircuitBreaker(minimumExchanges: 1) { outcome in
            asked.add("\(outcome)")
            return true
        }
        let gates = PathGates()
        let rate = RateLimiter(.slidingWindow(1, per: .seconds(3_600)), maximumWait: .zero)
        let limited = LimitedSession(rate: rate, breaker: breaker) { request in
            try await gates.wait(request.url.path)
            throw URLError(.networkConnectionLost)
        }
        let task = Task { await limited.error("http://h.test/") }
        await waitUntil { breaker.running == 1 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(await limited.error("http://h.test/")?.rateLimit != nil)
        #expect(breaker.states == ["http://h.test": .closed])
        #expect(asked.values.isEmpty)
    }

    @Test("the application decides which outcomes are failures")
    func rule() async throws {
        let breaker = CircuitBreaker(minimumExchanges: 2) { outcome in
            if case .success(let response) = outcome, response.headers[.retryAfter] != nil { return true }
            return CircuitBreaker.isServerFailure(outcome)
        }
        let limited = LimitedSession(breaker: breaker) { request in
            switch request.url.host {
            case "busy.test": TransportResponse(status: 429, headers: [.retryAfter: "9"])
            case "failed.test": TransportResponse(status: 503)
            default: TransportResponse(status: 429)
            }
        }
        for host in ["busy.test", "failed.test"] {
            for _ in 1...2 { try await limited.send("http://\(host)/") }
            #expect(await limited.error("http://\(host)/")?.circuitBreaker != nil)
        }
        for _ in 1...3 { #expect(try await limited.send("http://other.test/") == 429) }
    }

    @Test("the default rule counts transient failures of servers and connections")
    func defaultRule() {
        for status in 100...599 {
            let isFailure = CircuitBreaker.isServerFailure(.success(TransportResponse(status: status)))
            #expect(isFailure == [500, 502, 503, 504].contains(status), "\(status)")
        }
        func isFailure(_ error: any Error) -> Bool { CircuitBreaker.isServerFailure(.failure(error)) }
        let failures: [URLError.Code] = [
            .timedOut, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
            .badServerResponse, .cannotParseResponse,
        ]
        for code in failures { #expect(isFailure(URLError(code)), "\(code)") }
        let others: [URLError.Code] = [
            .notConnectedToInternet, .dataNotAllowed, .secureConnectionFailed, .serverCertificateUntrusted, .badURL,
            .resourceUnavailable, .userAuthenticationRequired, .cannotDecodeContentData,
        ]
        for code in others { #expect(!isFailure(URLError(code)), "\(code)") }
        #expect(!isFailure(POSIXError(.EIO)))
        func wait(_ resource: ConnectionWaitError.Resource) -> URLError {
            let cause = ConnectionWaitError(waited: .seconds(1), server: "h.test", resource: resource)
            return URLError(.timedOut, userInfo: [NSUnderlyingErrorKey: cause])
        }
        #expect(isFailure(wait(.attempt)))
        #expect(!isFailure(wait(.connection(of: 6))))
        #expect(!isFailure(wait(.stream(of: 100))))
    }

    @Test("an open circuit refuses a request that would wait for a rate, without a token")
    func rate() async throws {
        let clock = ManualClock()
        let rate = RateLimiter(.tokenBucket(1, per: .seconds(1_000), burst: 2), clock: clock)
        let breaker = CircuitBreaker(minimumExchanges: 1, openPeriod: .seconds(10), clock: clock)
        let server = Server()
        let limited = LimitedSession(rate: rate, breaker: breaker) { _ in server.response() }
        #expect(try await limited.send("http://h.test/") == 503)
        for _ in 1...5 { #expect(await limited.error("http://h.test/")?.circuitBreaker != nil) }
        server.set(200)
        clock.advance(by: .seconds(10))
        // The refused requests have left the second token.
        #expect(try await limited.send("http://h.test/") == 200)
        #expect(limited.count { if case .waitingForRateLimit = $0 { true } else { false } } == 0)
    }

    @Test(
        "a fresh response of the cache needs no server, and a stale one replaces a refusal if stale-if-error allows it"
    )
    func cache() async throws {
        let breaker = CircuitBreaker(minimumExchanges: 5)
        let limited = LimitedSession(breaker: breaker, cache: HTTPCache(store: MemoryCacheStore())) { request in
            switch request.url.path {
            case "/fresh": TransportResponse(status: 200, headers: [.cacheControl: "max-age=600"])
            case "/stale":
                TransportResponse(
                    status: 200,
                    headers: [.eTag: "\"1\"", .cacheControl: "max-age=0, stale-if-error=600"]
                )
            case "/strict": TransportResponse(status: 200, headers: [.eTag: "\"1\"", .cacheControl: "max-age=0"])
            default: TransportResponse(status: 500)
            }
        }
        for path in ["fresh", "stale", "strict"] { try await limited.send("http://h.test/\(path)") }
        for _ in 1...3 { #expect(try await limited.send("http://h.test/failure") == 500) }
        #expect(await limited.error("http://h.test/failure")?.circuitBreaker != nil)
        #expect(try await limited.send("http://h.test/fresh") == 200)
        #expect(try await limited.send("http://h.test/stale") == 200)
        #expect(await limited.error("http://h.test/strict")?.circuitBreaker != nil)
        #expect(limited.sent.values.count == 6)
    }

    @Test("of 10,000 requests with random cancellations none loses a pass, and each change is reported once")
    func load() async throws {
        let count = 10_000
        let clock = ManualClock()
        let breaker = CircuitBreaker(
            failureRate: 0.3,
            window: .seconds(10),
            minimumExchanges: 5,
            openPeriod: .seconds(1),
            probes: 2,
            clock: clock
        )
        let limited = LimitedSession(breaker: breaker) { request in
            var generator = SeededGenerator(seed: 5, number: UInt64(request.url.lastPathComponent) ?? 0)
            for _ in 0..<generator.next() % 4 { await Task.yield() }
            try Task.checkCancellation()
            switch generator.next() % 8 {
            case 0...1: throw URLError(.networkConnectionLost)
            case 2: return TransportResponse(status: 503)
            default: return TransportResponse(status: 200)
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for first in 0..<32 {
                group.addTask {
                    for number in stride(from: first, to: count, by: 32) {
                        var generator = SeededGenerator(seed: 6, number: UInt64(number))
                        clock.advance(by: .milliseconds(Int(generator.next() % 30)))
                        let task = Task { try await limited.send("http://\(number % 3).test/\(number)") }
                        for _ in 0..<generator.next() % 20 { await Task.yield() }
                        if generator.next() % 8 == 0 { task.cancel() }
                        _ = await task.result
                    }
                }
            }
        }
        #expect(breaker.running == 0)
        for host in 0...2 {
            let key = "http://\(host).test"
            let changes = changes(limited).filter { $0.hasPrefix(key) }
            let opened = changes.count { $0.contains("opened") }
            let halfOpened = changes.count { $0.contains("half-open") }
            let closed = changes.count { $0.contains("closed") }
            #expect(opened > 3 && halfOpened > 3 && closed > 0, "\(key)")
            #expect(closed <= halfOpened)
            // Each opening is followed by a half-open circuit, except the last one of an open circuit.
            if case .open = breaker.states[key] {
                #expect(opened == halfOpened + 1)
            } else {
                #expect(opened == halfOpened)
            }
        }
    }

    @Test(
        "a server without a listener and one that fails are left alone, over real connections",
        arguments: TransportKind.allCases
    )
    func connections(kind: TransportKind) async throws {
        let clock = ManualClock()
        var resilience = Resilience()
        resilience.circuitBreaker = CircuitBreaker(minimumExchanges: 2, openPeriod: .seconds(10), clock: clock)
        let status = Locked(503)
        let paths = Recorder<String>()
        let server = try await ExchangeServer { exchange in
            paths.add(exchange.path)
            try await exchange.respond(status.withLock { $0 }, text: "")
        }
        let dead = try DeadPort()
        try await kind.withTransport { transport in
            let session = Session(transport: transport, resilience: resilience)
            func error(_ url: URL) async -> URLError? {
                do {
                    _ = try await session.data(for: URLRequest(url: url))
                    return nil
                } catch {
                    return error as? URLError
                }
            }
            for _ in 1...2 { #expect(await error(dead.url)?.code == .cannotConnectToHost) }
            #expect(await error(dead.url)?.circuitBreaker?.key == "http://127.0.0.1:\(dead.port)")
            for _ in 1...2 { #expect(await error(server.url("/failing")) == nil) }
            #expect(await error(server.url("/refused"))?.circuitBreaker != nil)
            status.withLock { $0 = 200 }
            clock.advance(by: .seconds(10))
            for path in ["/probe", "/closed"] { #expect(await error(server.url(path)) == nil) }
        }
        #expect(paths.values == ["/failing", "/failing", "/probe", "/closed"])
        await server.shutDown()
    }
}
