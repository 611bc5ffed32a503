import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The metrics of a request have its exchanges", .timeLimit(.minutes(5)))
struct RequestMetricsTests {
    /// A monitor that needs a detail, and stores its events.
    private struct Monitor: EventMonitor {
        let detail: RequestEvent.Detail
        let events = Recorder<RequestEvent>()

        func record(_ event: RequestEvent) { events.add(event) }
    }

    private static let measured = SessionOptions(clock: WaitClock()).measured

    private func metrics(of response: SessionResponse) throws -> RequestMetrics { try #require(response.metrics) }

    @Test("a request is not measured unless somebody asks")
    func off() async throws {
        let recorders = Recorder<Bool>()
        let transport = FakeTransport { request in
            recorders.add(request.recorder != nil)
            return TransportResponse(status: 200)
        }
        let monitor = Monitor(detail: .standard)
        for session in [Session(transport), Session(transport: transport, eventMonitors: [monitor])] {
            let response = try await session.data(for: URLRequest(url: .test("http://h.test/")))
            #expect(response.metrics == nil)
        }
        #expect(recorders.values == [false, false])
        #expect(monitor.events.values.allSatisfy { $0.metrics == nil })
    }

    @Test("redirects, retries and resends have one record each", arguments: TransportKind.allCases)
    func exchanges(kind: TransportKind) async throws {
        try await kind.withReactingServer({ received in
            switch (received.head.path, received.number) {
            case ("/a", 0): .respond(503)
            case ("/a", _): .respond(302, headers: ["Location: /b"])
            default: .respond(200)
            }
        }) { transport, server in
            let session = Session(
                transport: transport,
                interceptor: RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0),
                options: Self.measured
            )
            let metrics = try metrics(of: await session.data(for: server.request("/a")))
            #expect(metrics.exchanges.map(\.url.path) == ["/a", "/a", "/b"])
            #expect(metrics.exchanges.map(\.status) == [503, 302, 200])
            #expect(metrics.exchanges.map(\.retryCount) == [0, 1, 1])
            #expect(metrics.exchanges.map(\.redirectCount) == [0, 0, 1])
            #expect(metrics.exchanges.allSatisfy { !$0.isResent && $0.error == nil && $0.method == .get })
            #expect(metrics.retryCount == 1 && metrics.redirectCount == 1 && metrics.exchangeCount == 3)
            #expect(metrics.cacheResult == .network)
            let starts = metrics.exchanges.map(\.timings.start)
            #expect(starts == starts.sorted() && metrics.start <= starts[0])
            for exchange in metrics.exchanges {
                let times = exchange.timings
                #expect(times.acquired != nil && times.responseHead != nil && times.ended != nil)
                #expect(try #require(times.responseHead) <= #require(times.ended))
            }
            // The bodies of the others may be dropped before they arrive.
            #expect(metrics.lastExchange?.timings.bytes.responseBody == 2)
            #expect(metrics.lastExchange?.timings.hasFailed == false)
            let end = try metrics.start + #require(metrics.duration)
            #expect(try #require(metrics.lastExchange?.timings).end <= end)
        }
    }

    @Test("a resend is an exchange that is marked")
    func resend() async throws {
        let transport = FakeTransport { request in
            guard request.isResent else {
                throw URLError.make(
                    .networkConnectionLost,
                    url: request.url,
                    cause: RequestNotProcessedError(cause: nil, pace: .bySession)
                )
            }
            return TransportResponse(status: 200)
        }
        let session = Session(transport: transport, options: Self.measured)
        let metrics = try metrics(of: await session.data(for: URLRequest(url: .test("http://h.test/"))))
        #expect(metrics.exchanges.map(\.isResent) == [false, true])
        #expect(metrics.exchanges.map(\.status) == [nil, 200])
        #expect((metrics.exchanges.first?.error as? URLError)?.code == .networkConnectionLost)
        #expect(metrics.exchanges.first?.timings.hasFailed == true)
        #expect(metrics.resendCount == 1 && metrics.retryCount == 0)
    }

    @Test("a stored response has no exchange, and the metrics have the part of the cache")
    func cache() async throws {
        let server = CachedServer(options: Self.measured) { _, count in
            TransportResponse(
                status: count == 1 ? 200 : 304,
                headers: [.cacheControl: "max-age=60", .eTag: "\"1\""],
                body: .complete(Data("ok".utf8))
            )
        }
        let missed = try await server.get()
        #expect(missed.metrics?.cacheResult == .network && missed.metrics?.exchanges.count == 1)
        let fresh = try await server.get()
        #expect(fresh.metrics?.cacheResult == .cache && fresh.metrics?.exchanges.isEmpty == true)
        #expect(fresh.metrics?.duration != nil)
        server.wait(61)
        let confirmed = try await server.get()
        #expect(confirmed.metrics?.cacheResult == .revalidated && confirmed.metrics?.exchanges.map(\.status) == [304])
    }

    @Test(
        "the metrics of a streamed response are complete when its body has been read",
        arguments: TransportKind.allCases
    )
    func stream(kind: TransportKind) async throws {
        let data = Data(repeating: 1, count: 100_000)
        try await kind.withReactingServer({ _ in .respond(200, body: data) }) { transport, server in
            let session = Session(transport: transport, options: Self.measured)
            let (response, body) = try await session.stream(for: server.request("/"))
            #expect(response.metrics?.duration == nil && response.metrics?.exchanges.first?.status == 200)
            for try await _ in body {}
            let metrics = try metrics(of: response)
            #expect(metrics.duration != nil && metrics.lastExchange?.timings.bytes.responseBody == 100_000)
        }
    }

    @Test("monitors get the metrics with the last event of a request that fails", arguments: TransportKind.allCases)
    func failure(kind: TransportKind) async throws {
        let monitor = Monitor(detail: .metrics)
        try await kind.withReactingServer({ _ in .cut }) { transport, server in
            let session = Session(transport: transport, eventMonitors: [monitor])
            await #expect(throws: URLError.self) { try await session.data(for: server.request("/", method: "POST")) }
        }
        let last = try #require(monitor.events.values.last)
        guard case .failed = last.kind else {
            Issue.record("\(last.kind)")
            return
        }
        let metrics = try #require(last.metrics)
        #expect(metrics.duration != nil && metrics.exchanges.count == 1)
        #expect(metrics.lastExchange?.error is URLError && metrics.lastExchange?.timings.hasFailed == true)
    }

    @Test(
        "a monitor gets the phases and the misses of the cache only if it needs them",
        arguments: RequestEvent.Detail.allCases
    )
    func detail(_ detail: RequestEvent.Detail) async throws {
        let connection = ExchangeConnection(number: 1)
        let instant = ContinuousClock.now
        let transport = FakeTransport { request in
            request.recorder?.record(.acquired(connection, isReused: true), at: instant)
            request.onConnect?()
            request.onInterimResponse?(103, [:])
            request.recorder?.record(.interim(status: 103))
            return TransportResponse(status: 200)
        }
        let (monitor, other) = (Monitor(detail: detail), Monitor(detail: .standard))
        let cache = HTTPCache(store: MemoryCacheStore())
        let session = Session(transport: transport, cache: cache, eventMonitors: [monitor, other])
        let response = try await session.data(for: URLRequest(url: .test("http://h.test/")))
        let phases = monitor.events.values.filter { $0.kind.isPhase }
        let texts = phases.map { "\($0.kind)".prefix { $0 != "(" } + "" }
        #expect(texts == (detail == .phases ? ["phase", "phase", "phase", "phase", "cacheMissed"] : []))
        #expect((response.metrics != nil) == (detail != .standard))
        if detail == .phases {
            #expect(phases[0].instant == instant)
            // The date is that of the instant, too.
            #expect(abs(phases[1].date.timeIntervalSince(phases[0].date)) < 60)
        }
        #expect(other.events.values.count == monitor.events.values.count - phases.count)
        #expect(other.events.values.allSatisfy { !$0.kind.isPhase })
        #expect(response.metrics?.lastExchange?.timings.interimCount == (detail == .standard ? nil : 1))
    }

    @Test("a transport that records nothing has the times that the session knows")
    func silentTransport() async throws {
        let session = Session(
            transport: FakeTransport { request in
                request.onConnect?()
                return TransportResponse(status: 200, body: .complete(Data("body".utf8)))
            },
            options: Self.measured
        )
        let times = try #require(
            await session.data(for: URLRequest(url: .test("http://h.test/"))).metrics?.lastExchange?.timings
        )
        #expect(times.acquired != nil && times.connection == ExchangeConnection() && times.isConnectionReused == nil)
        #expect(times.responseHead != nil && times.ended != nil && times.bytes.responseBody == 4)
        #expect(times.queued == nil && times.requestSent == nil)
    }

    @Test("a middleware can measure its exchanges with a recorder of the application")
    func middleware() async throws {
        let recorder = ExchangeRecorder()
        for options in [SessionOptions(), Self.measured] {
            let session = Session(
                transport: FakeTransport { request in
                    request.recorder?.record(.requestSent(bodyBytes: 0))
                    return TransportResponse(status: 200)
                },
                exchangeMiddleware: [Measuring(recorder: recorder)],
                options: options
            )
            recorder.restart()
            _ = try await session.data(for: URLRequest(url: .test("http://h.test/")))
            #expect(recorder.timings.requestSent != nil)
        }
    }

    private struct Measuring: HTTPMiddleware {
        let recorder: ExchangeRecorder

        func respond(
            to request: TransportRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> TransportResponse {
            var request = request
            request.recorder = recorder
            return try await next(request)
        }
    }

    @Test("the last hundred exchanges of a request are kept")
    func bound() {
        let metrics = RequestMetricsRecorder()
        let request = TransportRequest(method: .get, url: .test("http://h.test/"))
        for number in 0..<150 {
            let exchange = metrics.begin(request, counts: (number, 0), hedge: 0, recorder: ExchangeRecorder())
            #expect(exchange == number)
        }
        metrics.recordStatus(200, of: 10)
        metrics.recordStatus(201, of: 149)
        let result = metrics.metrics
        #expect(result.exchangeCount == 150 && result.exchanges.count == RequestMetrics.maximumExchangeCount)
        #expect(result.exchanges.first?.retryCount == 50 && result.exchanges.first?.status == nil)
        #expect(result.lastExchange?.status == 201)
    }
}

extension SessionOptions {
    fileprivate var measured: SessionOptions {
        var options = self
        options.collectsMetrics = true
        return options
    }
}

extension ExchangeTimings {
    fileprivate var end: ContinuousClock.Instant { start + (ended ?? .zero) }
}
