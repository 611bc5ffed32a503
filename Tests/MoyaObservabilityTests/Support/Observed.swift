#if Observability && NIO && !canImport(Darwin)
import CoreMetrics
import Foundation
import InMemoryTracing
import Logging
import MetricsTestKit
import MoyaHTTP
import MoyaObservability
import Tracing

/// A session with instruments, and the values that they have recorded.
struct Observed: Sendable {
    let tracer = InMemoryTracer()
    let metrics = TestMetrics()
    let logs = LogRecorder()
    let session: Session

    init(
        tracing configureTracing: (inout TracingOptions) -> Void = { _ in },
        metrics configureMetrics: (inout MetricsOptions) -> Void = { _ in },
        logging configureLogging: (inout LoggingOptions) -> Void = { _ in },
        connection: TransportConfiguration = TransportConfiguration(),
        cache: HTTPCache? = nil,
        resilience: Resilience = Resilience()
    ) throws {
        var tracing = TracingOptions()
        tracing.tracer = tracer
        configureTracing(&tracing)
        var metrics = MetricsOptions()
        metrics.factory = self.metrics
        configureMetrics(&metrics)
        var connection = connection
        connection.dnsOverride["other.test"] = "127.0.0.1"
        connection.usesSystemProxies = false
        var options = SessionOptions(instruments: [
            .tracing(tracing), .metrics(metrics), .logging(logs.logger, configureLogging),
        ])
        options.cookieStorage = CookieJar()
        session = Session(
            transport: try NIOTransport(connection: connection),
            configuration: .ephemeral,
            cache: cache,
            resilience: resilience,
            options: options
        )
    }

    /// The finished spans in the order of their beginning.
    var spans: [FinishedInMemorySpan] {
        tracer.finishedSpans.sorted {
            $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch
        }
    }

    /// The dimensions of the recorded durations, one line for each.
    func dimensions(of name: MetricName) -> [String] {
        metrics.timers(label: name.rawValue).flatMap { timer in timer.values.map { _ in text(of: timer.dimensions) } }
    }

    func text(of dimensions: [(String, String)]) -> String {
        dimensions.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
    }
}

extension FinishedInMemorySpan {
    /// The attributes as words `name=value`, in the order of the names.
    var attributeWords: [String] {
        var words: [String] = []
        attributes.forEach { name, value in words.append("\(name)=\(value.text)") }
        return words.sorted()
    }

    /// The name, the kind, `error` if the status is an error, and the attributes.
    var text: String {
        let status = status.map { " \($0.code)" } ?? ""
        return "\(operationName) | \(kind)\(status) | \(attributeWords.joined(separator: " "))"
    }
}

extension SpanAttribute {
    var text: String {
        switch self {
        case .int64(let value): "\(value)"
        case .int32(let value): "\(value)"
        case .string(let value): value
        case .stringArray(let values): "\(values)"
        default: "\(self)"
        }
    }
}
#endif
