#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import InMemoryTracing
import Instrumentation
import MoyaHTTP
import TestServers
import Testing

@Suite("Exchanges are traced", .timeLimit(.minutes(5)))
struct TracingTests {
    /// A tracer is set up once for a process, so the test runs in a separate process.
    @Test("a tracer of the application gets a span for each exchange")
    func spans() async {
        await #expect(processExitsWith: .success) {
            let tracer = InMemoryTracer()
            InstrumentationSystem.bootstrap(tracer)
            try await PlainServer.run { server in
                let transport = NIOTransport()
                for path in ["/json?key=secret", "/status/404"] {
                    let request = TransportRequest(method: .get, url: server.url(path))
                    _ = try await transport.send(request).collected()
                }
                let dead = TransportRequest(method: .put, url: try DeadPort().url)
                await #expect(throws: URLError.self) { try await transport.send(dead) }
                await transport.shutdown()
            }
            let spans = tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["GET", "GET", "PUT"])
            #expect(spans.map { $0.status?.code } == [nil, .error, .error])
            #expect(spans.map(\.errors.count) == [0, 0, 1])
            let attributes = spans[0].attributes
            #expect(attributes.get("http.response.status_code") == .int64(200))
            #expect(attributes.get("server.address") == .string("127.0.0.1"))
            #expect(attributes.get("url.path") == .string("/json"))
            #expect(!"\(spans)".contains("secret"))
            #expect(tracer.performedContextInjections.count == 3)
        }
    }
}
#endif
