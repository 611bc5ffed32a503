#if Observability
import Foundation
import MoyaHTTP

/// Counts the retries of requests, and the requests that a cache was asked for.
struct RequestMeter: RequestInstrument {
    private let options: MetricsOptions
    private let series: MetricSeries

    init(_ options: MetricsOptions, _ series: MetricSeries) { (self.options, self.series) = (options, series) }

    nonisolated(nonsending) func observe(
        _ request: URLRequest,
        _ context: RequestContext,
        by perform: nonisolated(nonsending) () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        do {
            let response = try await perform()
            count(request, context, source: response.source)
            return response
        } catch {
            count(request, context, source: nil)
            throw error
        }
    }

    private func count(_ request: URLRequest, _ context: RequestContext, source: ResponseSource?) {
        let retries = context.retryCount
        let result = cacheResult(request, context, source)
        guard retries > 0 || result != nil, let url = request.url, let server = ServerName(of: url) else { return }
        let name = series.bounded(server)
        if retries > 0 { series.counter(.retries, name).increment(by: Int64(retries)) }
        if let result {
            series.counter(.cacheRequests, name, [("moya.cache.result", result.rawValue)]).increment()
        }
    }

    /// Returns the part of the cache; `nil` if it was not asked.
    private func cacheResult(
        _ request: URLRequest,
        _ context: RequestContext,
        _ source: ResponseSource?
    ) -> ResponseSource? {
        guard context.session.cache != nil, let source, source != .sample else { return nil }
        let method = request.httpMethod ?? "GET"
        return source == .network && method != "GET" && method != "HEAD" ? nil : source
    }
}
#endif
