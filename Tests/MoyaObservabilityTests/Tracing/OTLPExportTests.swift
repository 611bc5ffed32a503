#if Observability && NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import InMemoryTracing
import MetricsTestKit
import MoyaHTTP
import MoyaObservability
import Testing

/// Sends requests to the server of `scripts/check/otlp`, and then the spans and metrics of these requests by OTLP.
@Suite("Spans and metrics are understood by an independent receiver", .timeLimit(.minutes(2)))
struct OTLPExportTests {
    private static let server = ProcessInfo.processInfo.environment["MOYA_OTLP_URL"].flatMap { URL(string: $0) }

    @Test("the server's view of each request is that of its span", .enabled(if: server != nil))
    func export() async throws {
        let server = try #require(Self.server)
        let numbers = Locked(UInt64(0))
        @Sendable func identifier(digits: Int) -> String {
            let number = numbers.withLock { number in
                number += 1
                return number
            }
            let text = String(number, radix: 16)
            return String(repeating: "0", count: digits - text.count) + text
        }
        let tracer = InMemoryTracer(
            idGenerator: .init(
                nextTraceID: { identifier(digits: 32) },
                nextSpanID: { identifier(digits: 16) }
            )
        )
        var resilience = Resilience()
        resilience.retrier = RetryPolicy(retryLimit: 1, exponentialBackoffBase: 2, exponentialBackoffScale: 0.001)
        let observed = try Observed(
            tracing: { options in
                options.tracer = tracer
                options.tracesRequests = true
                options.attributes = [.scheme, .userAgent, .responseBodySize, .transport]
                options.requestHeaders = ["Accept"]
            },
            metrics: { $0.absentDimensions = .omitted },
            resilience: resilience
        )
        let credential = URLCredential(user: "u", password: "p", persistence: .none)
        for (method, path) in [
            ("GET", "/ok?sig=s3cret&color=blue"), ("GET", "/missing"), ("POST", "/broken"), ("GET", "/redirect"),
            ("GET", "/login"), ("GET", "/busy"), ("PURGE", "/ok"),
        ] {
            var request = URLRequest(url: try #require(URL(string: server.absoluteString + path)))
            request.httpMethod = method
            _ = try? await observed.session.request(request).authenticate(with: credential).value
        }
        let plain = Session()
        for (path, body) in [
            ("/v1/traces", OTLPRequest.traces(tracer.finishedSpans)),
            ("/v1/metrics", OTLPRequest.metrics(observed.metrics.timers(label: "http.client.request.duration"))),
        ] {
            var request = URLRequest(url: server.appendingPathComponent(path))
            request.httpMethod = "POST"
            request.httpBody = body
            request.headers = ["Content-Type": "application/x-protobuf"]
            #expect(try await plain.data(for: request).statusCode == 200)
        }
    }
}
#endif
