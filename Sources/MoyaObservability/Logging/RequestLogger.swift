#if Observability
import Foundation
import Logging
import MoyaHTTP
import Tracing

/// Logs each request when it has ended.
struct RequestLogger: RequestInstrument {
    private let logger: Logger
    private let options: LoggingOptions

    init(_ logger: Logger, _ options: LoggingOptions) { (self.logger, self.options) = (logger, options) }

    nonisolated(nonsending) func observe(
        _ request: URLRequest,
        _ context: RequestContext,
        by perform: nonisolated(nonsending) () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard logger.logLevel <= max(options.level, options.failureLevel) else { return try await perform() }
        let entry = LoggedRequest(request, context)
        // The body may end in another task, without the context of the trace.
        let trace = ServiceContext.current
        do {
            let response = try await perform()
            return response.observingEnd { count, error in
                ServiceContext.$current.withValue(trace) {
                    log(entry, LoggedResult(response, bodySize: count, error: error))
                }
            }
        } catch {
            log(entry, LoggedResult(error: error))
            throw error
        }
    }

    private func log(_ request: LoggedRequest, _ result: LoggedResult) {
        let level = result.isFailure ? options.failureLevel : options.level
        guard logger.logLevel <= level else { return }
        logger.log(
            level: level,
            "\(request.text(options)) \(result.text)",
            metadata: request.metadata(options).merging(result.metadata) { $1 }
        )
    }
}

/// A request for a log.
private struct LoggedRequest: Sendable {
    private let request: URLRequest
    private let context: RequestContext
    private let start = ContinuousClock.now

    init(_ request: URLRequest, _ context: RequestContext) { (self.request, self.context) = (request, context) }

    private var method: HTTPMethod { HTTPMethod(rawValue: request.httpMethod ?? "GET") }

    /// Returns the method and the URL.
    func text(_ options: LoggingOptions) -> String {
        let url = request.url.map { RedactedURL(sensitiveQueryKeys: options.sensitiveQueryKeys).text(of: $0) }
        return "\(method.rawValue) \(url ?? "(no URL)")"
    }

    /// Returns the facts of the request, and the times and counts up to its end.
    func metadata(_ options: LoggingOptions) -> Logger.Metadata {
        let name = MethodName(method, known: options.knownMethods)
        var metadata: Logger.Metadata = [
            "moya.request.id": "\(context.id)",
            "http.request.method": "\(name.value)",
            "http.client.request.duration": "\((ContinuousClock.now - start).secondsText)",
        ]
        if let original = name.original { metadata["http.request.method_original"] = "\(original)" }
        if let url = request.url {
            let redacted = RedactedURL(sensitiveQueryKeys: options.sensitiveQueryKeys)
            metadata["url.full"] = "\(redacted.text(of: url))"
            // After redirects, the response has another URL.
            if let last = context.record.currentURL, last.absoluteString != url.withoutCredentials.absoluteString {
                metadata["moya.response.url"] = "\(redacted.text(of: last))"
            }
            if let server = ServerName(of: url) {
                metadata["server.address"] = "\(server.address)"
                metadata["server.port"] = "\(server.port)"
            }
        }
        if let template = (context.target as? any URLTemplateProviding)?.urlTemplate {
            metadata["url.template"] = "\(template)"
        }
        let counts = context.record.counts
        if counts.retries > 0 { metadata["moya.retry.count"] = "\(counts.retries)" }
        if counts.redirects > 0 { metadata["moya.redirect.count"] = "\(counts.redirects)" }
        return metadata
    }
}

/// The end of a request for a log.
private struct LoggedResult: Sendable {
    private let response: TransportResponse?
    private let bodySize: Int64?
    private let error: (any Error)?

    init(_ response: TransportResponse, bodySize: Int64?, error: (any Error)?) {
        (self.response, self.bodySize, self.error) = (response, bodySize, error)
    }

    init(error: any Error) { (response, bodySize, self.error) = (nil, nil, error) }

    /// Whether the request has failed: a cancellation by the caller is no failure.
    var isFailure: Bool { errorType != nil }

    private var errorType: String? {
        if let error { return error.isCancellationByCaller ? nil : ErrorType.of(error) }
        return response.flatMap { ErrorType.of(status: $0.status) }
    }

    /// The status, or the name of the error.
    var text: String {
        if let error { return error.isCancellationByCaller ? "cancelled" : ErrorType.of(error) }
        return response.map { "\($0.status)" } ?? ""
    }

    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        if let response {
            metadata["http.response.status_code"] = "\(response.status)"
            if response.source != .network { metadata["moya.response.source"] = "\(response.source.rawValue)" }
            if let version = ProtocolVersion.of(response.info?.httpVersion) {
                metadata["network.protocol.version"] = "\(version)"
            }
            if let address = response.info?.remoteAddress {
                metadata["network.peer.address"] = "\(address.ipAddress)"
                metadata["network.peer.port"] = "\(address.port)"
            }
        }
        if let bodySize { metadata["moya.response.size"] = "\(bodySize)" }
        if let errorType { metadata["error.type"] = "\(errorType)" }
        if let error, isFailure { metadata["exception.message"] = "\(error.maskedSummary)" }
        return metadata
    }
}

extension Duration {
    /// The seconds with six digits after the point, such as `0.012345`.
    fileprivate var secondsText: String {
        let microseconds = components.attoseconds / 1_000_000_000_000
        let digits = String(microseconds)
        return "\(components.seconds).\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits)"
    }
}
#endif
