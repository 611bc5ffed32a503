#if Observability
import Foundation
import MoyaHTTP

/// The values of OpenTelemetry's semantic conventions for HTTP that the instruments use, as of ``version``.
public enum HTTPConventions {
    /// The version of the conventions.
    public static let version = "1.44.0"

    /// The methods with their own values of `http.request.method`: those of RFC 9110, PATCH and QUERY.
    ///
    /// The environment variable `OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS` replaces them by its list, which commas separate.
    public static let knownMethods = knownMethods(in: ProcessInfo.processInfo.environment)

    /// The parameters of queries whose values are replaced in `url.full`; upper and lower case differ.
    public static let sensitiveQueryKeys: Set = [
        "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "AWSAccessKeyId", "Signature", "sig",
        "X-Goog-Signature",
    ]

    /// The upper bounds of the buckets that the conventions recommend for `http.client.request.duration`.
    ///
    /// The backend of swift-metrics has the buckets: pass them to it.
    public static let requestDurationBuckets: [Duration] = [
        5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000,
    ].map { .milliseconds($0) }

    /// The upper bounds of the buckets that the conventions recommend for `http.client.connection.duration`.
    public static let connectionDurationBuckets: [Duration] = [
        10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000,
    ].map { .milliseconds($0) }

    /// Returns the known methods in an environment.
    static func knownMethods(in environment: [String: String]) -> Set<String> {
        guard let list = environment["OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS"] else {
            return [
                "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
            ]
        }
        return Set(list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }

    /// The value of an attribute or a dimension in place of one that would need too many different values.
    static let other = "_OTHER"
}
#endif
