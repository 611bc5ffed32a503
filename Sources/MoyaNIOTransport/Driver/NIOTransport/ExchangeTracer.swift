#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import Tracing

/// A tracer that creates a span for each exchange, if the application has set up a tracer
/// (swift-distributed-tracing).
///
/// Names are those of OpenTelemetry's semantic conventions for HTTP clients. The query of a URL is omitted,
/// since it may contain secrets.
struct ExchangeTracer: Sendable {
    private let tracer: any Tracer

    /// Creates a tracer; nil if the application has none, since unused spans have a cost.
    init?() {
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return nil }
        self.tracer = tracer
    }

    /// Performs an exchange in a span, with trace headers for the server.
    ///
    /// The span ends when the response is returned.
    func trace(
        _ request: TransportRequest,
        by perform: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let span = tracer.startAnySpan(request.method.rawValue, ofKind: .client)
        defer { span.end() }
        span.attributes["http.request.method"] = request.method.rawValue
        span.attributes["url.scheme"] = request.url.scheme
        span.attributes["url.path"] = request.url.path
        span.attributes["server.address"] = request.url.host
        span.attributes["server.port"] = request.url.port
        var request = request
        tracer.inject(span.context, into: &request.headers, using: HeaderInjector())
        do {
            let response = try await perform(request)
            span.attributes["http.response.status_code"] = response.status
            if response.status >= 400 { span.setStatus(SpanStatus(code: .error)) }
            return response
        } catch {
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }

    private struct HeaderInjector: Injector {
        func inject(_ value: String, forKey key: String, into headers: inout HTTPFields) {
            if let name = HTTPField.Name(key), HTTPField.isValidValue(value) { headers[name] = value }
        }
    }
}
#endif
