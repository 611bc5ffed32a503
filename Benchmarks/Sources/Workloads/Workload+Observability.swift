import Foundation
import InMemoryTracing
import Logging
import MetricsTestKit
import Moya
import MoyaObservability

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Workload {
    /// The workloads for requests of a session with instruments, whose backends store everything in memory, over a transport that
    /// responds at once.
    public static let observability: [Workload] = [
        requests("observed-none", "Request over a transport that responds at once", SessionOptions()),
        requests("observed-times", "The same with timings", SessionOptions(collectsMetrics: true)),
        requests("observed-metrics", "The same with metrics", instruments: [.metrics { $0.factory = TestMetrics() }]),
        requests("observed-spans", "The same with spans", instruments: [.tracing { $0.tracer = InMemoryTracer() }]),
        requests(
            "observed-logs",
            "The same with logs",
            instruments: [.logging(Logger(label: "bench") { _ in LastLine() })]
        ),
        requests(
            "observed-all",
            "The same with metrics, spans and logs",
            instruments: [
                .metrics { $0.factory = TestMetrics() }, .tracing { $0.tracer = InMemoryTracer() },
                .logging(Logger(label: "bench") { _ in LastLine() }),
            ]
        ),
    ]

    private static func requests(_ name: String, _ title: String, instruments: [SessionInstrument]) -> Workload {
        requests(name, title, SessionOptions(instruments: instruments))
    }

    private static func requests(_ name: String, _ title: String, _ options: SessionOptions) -> Workload {
        let session = Session(transport: ImmediateServer(), options: options)
        let request = URLRequest(url: BenchTarget.anywhere)
        return Workload(name, title) { count in
            for _ in 0..<count { use(try await session.data(for: request)) }
        }
    }
}

/// A handler that keeps the last line.
private struct LastLine: LogHandler {
    private static let line = LockedValue()
    var logLevel = Logger.Level.trace
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { Self.line.set(event) }

    /// An event under a lock.
    private final class LockedValue: @unchecked Sendable {
        private let lock = NSLock()
        private var event: LogEvent?

        func set(_ event: LogEvent) { lock.withLock { self.event = event } }
    }
}
