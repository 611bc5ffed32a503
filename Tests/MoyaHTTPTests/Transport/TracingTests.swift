#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import InMemoryTracing
    import Instrumentation
    import MoyaHTTP
    import TestServers
    import Testing

    @Suite("Distributed tracing", .timeLimit(.minutes(5)))
    struct TracingTests {
        /// A tracer is set up once for a process, so the test has one of its own.
        @Test("a tracer that the application sets up gets a span of each exchange")
        func spans() async {
            await #expect(processExitsWith: .success) {
                let tracer = InMemoryTracer()
                InstrumentationSystem.bootstrap(tracer)
                try await PlainServer.run { server in
                    let transport = AsyncHTTPClientTransport()
                    for _ in 0..<2 {
                        let request = TransportRequest(method: .get, url: server.url("/json"))
                        _ = try await transport.send(request).collected()
                    }
                    await transport.shutdown()
                }
                #expect(tracer.finishedSpans.map(\.operationName) == ["GET", "GET"])
            }
        }
    }
#endif
