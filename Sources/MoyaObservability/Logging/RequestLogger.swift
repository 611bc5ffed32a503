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
        // The URL is in the text and in the metadata.
        let url = request.redactedURL(options)
        var metadata = Logger.Metadata(minimumCapacity: 20)
        request.addFacts(url: url, options, to: &metadata)
        result.addFacts(to: &metadata)
        logger.log(level: level, "\(request.method.rawValue) \(url ?? "(no URL)") \(result.text)", metadata: metadata)
    }
}

/// A request for a log.
private struct LoggedRequest: Sendable {
    private let request: URLRequest
    private let context: RequestContext
    private let start = MonotonicTime.now

    init(_ request: URLRequest, _ context: RequestContext) { (self.request, self.context) = (request, context) }

    var method: HTTPMethod { HTTPMethod(rawValue: request.httpMethod ?? "GET") }

    /// Returns the URL without secrets; `nil` if the request has none.
    func redactedURL(_ options: LoggingOptions) -> String? {
        request.url.map { RedactedURL(sensitiveQueryKeys: options.sensitiveQueryKeys).text(of: $0) }
    }

    /// Adds the facts of the request, and the times and counts up to its end.
    func addFacts(url redacted: String?, _ options: LoggingOptions, to metadata: inout Logger.Metadata) {
        let name = MethodName(method, known: options.knownMethods)
        metadata["moya.request.id"] = .stringConvertible(context.id)
        metadata["http.request.method"] = .string(name.value)
        metadata["http.client.request.duration"] = .string((.now - start).secondsText)
        if let original = name.original { metadata["http.request.method_original"] = .string(original) }
        if let redacted { metadata["url.full"] = .string(redacted) }
        if let url = request.url {
            // After redirects, the response has another URL.
            if let last = context.record.currentURL, last.absoluteString != url.withoutCredentials.absoluteString {
                let other = RedactedURL(sensitiveQueryKeys: options.sensitiveQueryKeys).text(of: last)
                metadata["moya.response.url"] = .string(other)
            }
            if let server = ServerName(of: url) {
                metadata["server.address"] = .string(server.address)
                metadata["server.port"] = .stringConvertible(server.port)
            }
        }
        if let template = (context.target as? any URLTemplateProviding)?.urlTemplate {
            metadata["url.template"] = .string(template)
        }
        let counts = context.record.counts
        if counts.retries > 0 { metadata["moya.retry.count"] = .stringConvertible(counts.retries) }
        if counts.redirects > 0 { metadata["moya.redirect.count"] = .stringConvertible(counts.redirects) }
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

    /// Adds the facts of the response or the error.
    func addFacts(to metadata: inout Logger.Metadata) {
        if let response {
            metadata["http.response.status_code"] = .stringConvertible(response.status)
            if response.source != .network { metadata["moya.response.source"] = .string(response.source.rawValue) }
            if let version = ProtocolVersion.of(response.info?.httpVersion) {
                metadata["network.protocol.version"] = .string(version)
            }
            if let address = response.info?.remoteAddress {
                metadata["network.peer.address"] = .string(address.ipAddress)
                metadata["network.peer.port"] = .stringConvertible(address.port)
            }
        }
        if let bodySize { metadata["moya.response.size"] = .stringConvertible(bodySize) }
        if let errorType { metadata["error.type"] = .string(errorType) }
        if let error, isFailure { metadata["exception.message"] = .string(error.maskedSummary) }
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
