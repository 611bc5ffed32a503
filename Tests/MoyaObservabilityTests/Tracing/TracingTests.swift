#if Observability && NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import InMemoryTracing
import Moya
import MoyaHTTP
import MoyaObservability
import TestServers
import Testing
import Tracing

@Suite("Requests are traced", .timeLimit(.minutes(5)))
struct TracingTests {
    /// A tracer is set up once for a process, so the test runs in a separate process.
    @Test(
        "the tracer that the application has set up gets the spans, also if it does so after the creation of the session"
    )
    func bootstrapped() async {
        await #expect(processExitsWith: .success) {
            try await PlainServer.run { server in
                let session = Session(options: SessionOptions(instruments: [.tracing()]))
                _ = try await session.data(for: URLRequest(url: server.url("/json")))
                let tracer = InMemoryTracer()
                InstrumentationSystem.bootstrap(tracer)
                _ = try await session.data(for: URLRequest(url: server.url("/json?key=secret")))
                #expect(tracer.finishedSpans.map(\.operationName) == ["GET"])
                #expect(tracer.performedContextInjections.count == 1)
                await session.shutdown(grace: .seconds(5))
            }
        }
    }

    @Test("a span is a child of the current one, and its context is sent")
    func propagation() async throws {
        let server = try await ObservedServer()
        let observed = try Observed()
        let response = try await observed.tracer.withSpan("outer", ofKind: .server) { _ in
            try await observed.session.data(for: URLRequest(url: server.url("/echo")))
        }
        await server.shutDown()
        let outer = try #require(observed.spans.first { $0.operationName == "outer" })
        let span = try #require(observed.spans.first { $0.operationName == "GET" })
        #expect(span.parentSpanID == outer.spanID)
        #expect(span.traceID == outer.traceID)
        let fields = String(decoding: response.data, as: UTF8.self)
        #expect(fields.contains("in-memory-trace-id: \(span.traceID)"))
        #expect(fields.contains("in-memory-span-id: \(span.spanID)"))
    }

    @Test("the context is not sent to servers that the application excludes")
    func restrictedPropagation() async throws {
        let server = try await ObservedServer()
        let observed = try Observed(tracing: { $0.propagatesContext = { $0.host != "127.0.0.1" } })
        let response = try await observed.session.data(for: URLRequest(url: server.url("/echo")))
        await server.shutDown()
        #expect(!String(decoding: response.data, as: UTF8.self).contains("in-memory"))
        #expect(observed.spans.count == 1)
    }

    @Test("the span of a request is the parent of its exchanges', and has its source and counts")
    func requestSpans() async throws {
        let server = try await ObservedServer()
        let observed = try Observed(tracing: { $0.tracesRequests = true }, cache: .memory())
        for path in ["/elsewhere", "/fresh", "/fresh"] {
            _ = try await observed.session.data(for: URLRequest(url: server.url(path)))
        }
        await server.shutDown()
        let spans = observed.spans
        #expect(spans.map(\.kind) == [.internal, .client, .client, .internal, .client, .internal])
        #expect(spans.map(\.parentSpanID) == [nil, spans[0].spanID, spans[0].spanID, nil, spans[3].spanID, nil])
        #expect(spans[0].attributes.get("moya.exchange.count") == .int64(2))
        #expect(spans[0].attributes.get("http.response.status_code") == .int64(200))
        #expect(spans[3].attributes.get("moya.response.source") == .string("network"))
        #expect(spans[5].attributes.get("moya.response.source") == .string("cache"))
        #expect(spans[5].attributes.get("moya.exchange.count") == .int64(0))
    }

    private enum Users: TargetType, URLTemplateProviding {
        case user(Int, URL)

        var baseURL: URL {
            switch self {
            case .user(_, let url): url
            }
        }
        var path: String {
            switch self {
            case .user(let status, _): "/status/\(status)"
            }
        }
        var urlTemplate: String? { "/status/{code}" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    @Test("the template of a target names the span, also of one in a MultiTarget")
    func templates() async throws {
        let server = try await ObservedServer()
        let observed = try Observed()
        _ = try await MoyaProvider<Users>(session: observed.session).request(.user(200, server.baseURL))
        let provider = MoyaProvider<MultiTarget>(session: observed.session)
        _ = try await provider.request(MultiTarget(Users.user(204, server.baseURL)))
        await server.shutDown()
        #expect(observed.spans.map(\.operationName) == ["GET /status/{code}", "GET /status/{code}"])
        #expect(observed.spans.allSatisfy { $0.attributes.get("url.template") == .string("/status/{code}") })
        #expect(observed.dimensions(of: .requestDuration).allSatisfy { $0.hasSuffix("url.template=/status/{code}") })
    }

    @Test("chosen attributes and fields are recorded, with secrets masked")
    func chosenAttributes() async throws {
        let server = try await ObservedServer()
        let observed = try Observed(tracing: { options in
            options.attributes = [.requestBodySize, .responseBodySize, .userAgent, .scheme, .transport]
            options.requestHeaders = ["X-Request-ID", "Authorization", "X-Absent"]
            options.responseHeaders = ["Content-Length"]
        })
        var request = URLRequest(url: server.url("/status/200"))
        request.httpMethod = "POST"
        request.httpBody = Data("hello".utf8)
        request.headers = ["X-Request-ID": "7", "Authorization": "Bearer t0p", "User-Agent": "Tests/1"]
        _ = try await observed.session.data(for: request)
        await server.shutDown()
        let span = try #require(observed.spans.first)
        let chosen = span.attributeWords.filter { word in
            ["body", "header", "user_agent", "scheme", "transport"].contains { word.contains($0) }
        }
        #expect(
            chosen == [
                "http.request.body.size=5", "http.request.header.authorization=[\"Bearer ***\"]",
                "http.request.header.x-request-id=[\"7\"]", "http.response.body.size=2",
                "http.response.header.content-length=[\"2\"]", "network.transport=tcp", "url.scheme=http",
                "user_agent.original=Tests/1",
            ]
        )
    }

    @Test("a span ends with the head, or with the body if the option says so")
    func extent() async throws {
        let server = try await ObservedServer()
        for extent in ExchangeExtent.allCases {
            let observed = try Observed(tracing: { $0.extent = extent }, metrics: { $0.extent = extent })
            let (response, body) = try await observed.session.stream(for: URLRequest(url: server.url("/stream")))
            #expect(response.statusCode == 200)
            #expect(observed.spans.count == (extent == .head ? 1 : 0))
            #expect(observed.dimensions(of: .requestDuration).count == (extent == .head ? 1 : 0))
            #expect(observed.metrics.meters(label: "http.client.active_requests").map(\.lastValue) == [1])
            var count = 0
            for try await chunk in body { count += chunk.count }
            #expect(count == 100_000)
            #expect(observed.spans.count == 1)
            #expect(observed.spans.first?.status == nil)
            #expect(observed.dimensions(of: .requestDuration).count == 1)
            #expect(observed.metrics.meters(label: "http.client.active_requests").map(\.lastValue) == [0])
        }
        await server.shutDown()
    }

    @Test("an exchange over HTTP/2 has its version")
    func http2() async throws {
        let server = try await SecureServer(tls: TestAuthority.selfSigned().serverConfiguration())
        let observed = try Observed(
            connection: TransportConfiguration(
                serverTrustManager: ServerTrustManager(evaluators: ["localhost": DisabledTrustEvaluator()])
            )
        )
        _ = try await observed.session.data(for: URLRequest(url: server.url("/a")))
        await observed.session.transport.shutdown()
        try await server.shutDown()
        let span = try #require(observed.spans.first)
        #expect(span.attributes.get("network.protocol.version") == .string("2"))
        #expect(span.attributes.get("network.peer.port") == .int64(Int64(server.port)))
        #expect(observed.dimensions(of: .tlsDuration).count == 1)
    }
}
#endif
