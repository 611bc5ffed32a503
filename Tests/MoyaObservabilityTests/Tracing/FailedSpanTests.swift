#if Observability && NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import InMemoryTracing
import MoyaHTTP
import MoyaObservability
import TestServers
import Testing
import Tracing

@Suite("Spans of failed exchanges have the type of their error", .timeLimit(.minutes(5)))
struct FailedSpanTests {
    /// Sends a request that must fail, and returns its span.
    private func failedSpan(
        _ url: URL,
        _ observed: Observed,
        configure: (inout URLRequest) -> Void = { _ in }
    ) async throws -> FinishedInMemorySpan {
        var configured = URLRequest(url: url)
        configure(&configured)
        let request = configured
        await #expect(throws: URLError.self) { try await observed.session.data(for: request) }
        let span = try #require(observed.spans.last)
        #expect(span.status?.code == .error)
        #expect(span.status?.message != nil)
        #expect(span.attributes.get("http.response.status_code") == nil)
        let types = observed.dimensions(of: .requestDuration)
        let type = try #require(span.attributes.get("error.type")).text
        #expect(types.contains { $0.contains("error.type=\(type) ") }, "\(types)")
        return span
    }

    @Test("a host that is not found")
    func lookup() async throws {
        struct Nowhere: HostResolver {
            func resolve(_ host: String) async throws -> ResolvedHost { ResolvedHost(addresses: []) }
        }
        var connection = TransportConfiguration()
        connection.hostResolver = Nowhere()
        let observed = try Observed(connection: connection)
        let span = try await failedSpan(try #require(URL(string: "http://nowhere.test/a")), observed)
        #expect(
            span.attributeWords == [
                "error.type=cannotFindHost", "http.request.method=GET", "server.address=nowhere.test", "server.port=80",
                "url.full=http://nowhere.test/a",
            ]
        )
    }

    @Test("a server that refuses connections, also at an IPv6 address")
    func refused() async throws {
        let port = try DeadPort()
        for host in ["127.0.0.1", "[::1]"] {
            let observed = try Observed()
            let span = try await failedSpan(try #require(URL(string: "http://\(host):\(port.port)/")), observed)
            #expect(
                span.attributeWords == [
                    "error.type=cannotConnectToHost", "http.request.method=GET",
                    "server.address=\(host == "[::1]" ? "::1" : host)", "server.port=\(port.port)",
                    "url.full=http://\(host):\(port.port)/",
                ]
            )
        }
    }

    @Test("a server whose certificate is not trusted")
    func untrusted() async throws {
        let server = try await SecureServer(tls: TestAuthority.selfSigned().serverConfiguration())
        let observed = try Observed()
        let span = try await failedSpan(server.url("/a"), observed)
        try await server.shutDown()
        let type = try #require(span.attributes.get("error.type")).text
        #expect(type.hasPrefix("serverCertificate"), "\(type)")
        #expect(span.attributes.get("server.address") == .string("localhost"))
    }

    private static let phases: [RequestTimeoutError.Kind] = RequestTimeoutError.Kind.allCases

    @Test("a timeout in each phase", arguments: phases)
    func timeouts(kind: RequestTimeoutError.Kind) async throws {
        let server = try await ObservedServer()
        let full = try FullPort()
        var resilience = Resilience()
        var connection = TransportConfiguration()
        var url = server.url("/never")
        let limit = Duration.milliseconds(100)
        switch kind {
        case .total: resilience.timeouts.total = limit
        case .attempt: resilience.timeouts.attempt = limit
        case .connect:
            resilience.timeouts.connect = limit
            url = try #require(URL(string: "http://127.0.0.1:\(full.port)/"))
        case .pool:
            connection.maximumConnectionsPerHost = 1
            resilience.timeouts.pool = limit
        case .firstByte: resilience.timeouts.firstByte = limit
        case .idle: break
        }
        let observed = try Observed(connection: connection, resilience: resilience)
        var holder: Task<Void, Never>?
        if kind == .pool {
            let request = URLRequest(url: url)
            holder = Task { _ = try? await observed.session.data(for: request) }
            for await path in server.requests where path == "never" { break }
        }
        let span = try await failedSpan(url, observed) { if kind == .idle { $0.timeoutInterval = 0.1 } }
        #expect(span.attributes.get("error.type") == .string("timedOut"))
        #expect(span.attributes.get("moya.timeout") == .string(kind.rawValue))
        holder?.cancel()
        await holder?.value
        #expect(observed.metrics.meters(label: "http.client.active_requests").allSatisfy { $0.lastValue == 0 })
        await server.shutDown()
    }

    @Test("a cancelled request is not an error, in spans, metrics and logs")
    func cancelled() async throws {
        let server = try await ObservedServer()
        let observed = try Observed(tracing: { $0.tracesRequests = true })
        let request = URLRequest(url: server.url("/never"))
        let task = Task { try await observed.session.data(for: request) }
        for await path in server.requests where path == "never" { break }
        task.cancel()
        await #expect(throws: URLError.self) { try await task.value }
        await server.shutDown()
        #expect(observed.spans.count == 2)
        for span in observed.spans {
            #expect(span.status == nil)
            #expect(span.attributes.get("error.type") == nil)
        }
        #expect(observed.dimensions(of: .requestDuration).allSatisfy { $0.hasPrefix("error.type= ") })
        #expect(observed.logs.lines.map(\.level) == [.info])
        #expect(observed.logs.lines.first?.message.hasSuffix("/never cancelled") == true)
    }

    @Test("a response whose body breaks off is an error of a span that includes the body")
    func brokenBody() async throws {
        let server = try await MisbehavingServer()
        let observed = try Observed(tracing: { $0.extent = .body })
        await #expect(throws: URLError.self) {
            try await observed.session.data(for: URLRequest(url: server.url(.closesInBody)))
        }
        try await server.shutDown()
        let span = try #require(observed.spans.last)
        #expect(span.attributes.get("http.response.status_code") == .int64(200))
        #expect(span.attributes.get("error.type") == .string("networkConnectionLost"))
        #expect(span.status?.code == .error)
    }
}
#endif
