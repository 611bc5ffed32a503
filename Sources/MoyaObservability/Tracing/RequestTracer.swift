#if Observability
import Foundation
import MoyaHTTP
import Tracing

/// Creates a span of the kind `internal` for each request, which is the parent of the spans of its exchanges.
struct RequestTracer: RequestInstrument {
    let options: TracingOptions

    init(_ options: TracingOptions) { self.options = options }

    nonisolated(nonsending) func observe(
        _ request: URLRequest,
        _ context: RequestContext,
        by perform: nonisolated(nonsending) () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard let tracer = options.activeTracer else { return try await perform() }
        let method = MethodName(HTTPMethod(rawValue: request.httpMethod ?? "GET"), known: options.knownMethods)
        let template = (context.target as? any URLTemplateProviding)?.urlTemplate
        let span = tracer.startAnySpan(method.spanName(urlTemplate: template), ofKind: .internal)
        span.updateAttributes { attributes in
            attributes["http.request.method"] = method.value
            if let original = method.original { attributes["http.request.method_original"] = original }
            if let url = request.url {
                attributes["url.full"] = RedactedURL(sensitiveQueryKeys: options.sensitiveQueryKeys).text(of: url)
            }
            if let template { attributes["url.template"] = template }
        }
        do {
            let response = try await ServiceContext.$current.withValue(span.context) { try await perform() }
            span.updateAttributes { attributes in
                attributes["http.response.status_code"] = response.status
                if let type = ErrorType.of(status: response.status) { attributes["error.type"] = type }
                attributes["moya.response.source"] = response.source.rawValue
                addCounts(of: context, to: &attributes)
            }
            if response.status >= 400 { span.setStatus(SpanStatus(code: .error)) }
            guard options.extent == .body else {
                span.end()
                return response
            }
            return response.observingEnd { _, error in
                if let error, !error.isCancellation { record(error, in: span) }
                span.end()
            }
        } catch {
            span.updateAttributes { addCounts(of: context, to: &$0) }
            if !error.isCancellationByCaller { record(error, in: span) }
            span.end()
            throw error
        }
    }

    private func addCounts(of context: RequestContext, to attributes: inout SpanAttributes) {
        attributes["moya.exchange.count"] = context.record.exchangeCount
        if context.retryCount > 0 { attributes["moya.retry.count"] = context.retryCount }
    }

    private func record(_ error: any Error, in span: any Span) {
        span.updateAttributes { $0["error.type"] = ErrorType.of(error) }
        span.setStatus(SpanStatus(code: .error, message: error.maskedSummary))
    }
}

extension Error {
    /// Whether the caller has cancelled the request, which is not an error, in contrast to a shutdown.
    var isCancellationByCaller: Bool { isCancellation && asURLError?.isShutdown != true }
}
#endif
