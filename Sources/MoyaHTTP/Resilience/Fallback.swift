import Foundation

/// A response in place of a failed request: the response of another server, a stored response, or a sample.
///
///     var resilience = Resilience()
///     resilience.fallbacks = [.baseURLs(primary, secondary), .staleResponse]
///     let session = Session(resilience: resilience)
///
/// A session uses its fallbacks in their order, after the last retry, until one of them has a response. A request fails with the
/// last error if none has one. Monitors get the event ``RequestEvent/Kind/fallingBack(to:because:)``. Fallbacks are below the
/// middleware of the session and above its limits, so that each server has its own permits. The validation of a provider gets the
/// response of the fallback; before that, only the `statuses` of a fallback count as failures. A cancelled request has no fallback.
public struct Fallback: Sendable {
    /// The response that a fallback uses.
    public enum Kind: Equatable, Sendable {
        /// The response of the server with this base URL.
        case baseURL(URL)
        /// A stored response of the session's cache.
        case staleResponse
        /// A sample.
        case sample
    }

    /// The reason why a fallback is used.
    public enum Cause: Sendable {
        /// The request has failed.
        case failure(any Error)
        /// The server has responded with this status, which is one of the fallback's.
        case status(Int)
        /// The request was not sent to this base URL, because an earlier request has not reached it, for at least this time.
        case avoided(URL, for: Duration)
    }

    /// Returns the sample for a request; `nil` for none.
    public typealias Sample = @Sendable (_ request: TransportRequest, _ cause: Cause) async -> TransportResponse?

    /// The source of the response.
    enum Source: Sendable {
        case baseURLs(BaseURLGroup)
        case staleResponse
        case sample(Sample)
    }

    let source: Source
    /// The statuses of responses that count as failures.
    let statuses: Set<Int>

    /// Sends requests to another server while the preferred one can't be reached.
    ///
    ///     let primary = URL(string: "https://api.example.com/v1")!
    ///     let secondary = URL(string: "https://eu.example.com/v1")!
    ///     resilience.fallbacks = [.baseURLs(primary, secondary)]
    ///
    /// A request whose URL begins with `first` is sent to the first base URL that can be reached; the rest of its path and its
    /// query stay. A base URL can't be reached if its host is not found, the connection is refused, lost or not established in
    /// time, or there is no response in time. After such a failure, no request uses it for the period. Then one request tries it,
    /// and the others use the next one until the server has responded. If all of them are avoided and no other fallback has a
    /// response, the request is sent nevertheless. A request that a limit of the session has refused is sent to the next base URL,
    /// too.
    ///
    /// Requests whose body can be read only once are sent once. A request that is not idempotent, such as POST, is sent to another
    /// base URL only if no server can have received it, even if it has an idempotency key, which another server may not know.
    ///
    /// The application names the servers, so that they get the same request: all its headers, with `Authorization` and `Host`, and
    /// its credential. Cookies, stored credentials and stored responses are those of the URL that is sent.
    ///
    /// Other URLs than absolute `http` and `https` URLs are ignored.
    ///
    /// - Parameters:
    ///   - first: The preferred base URL, with which the requests are created.
    ///   - others: The other base URLs, in the order of preference.
    ///   - statuses: The statuses that count as failures of an idempotent request, such as 502, 503 and 504.
    ///   - period: The time for which a base URL is avoided.
    ///   - clock: The clock that measures the period.
    /// - Returns: The fallback; copies of it share the knowledge about the servers.
    public static func baseURLs(
        _ first: URL,
        _ others: URL...,
        statuses: Set<Int> = [],
        avoidedFor period: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> Fallback {
        let group = BaseURLGroup([first] + others, period: period, clock: clock)
        return Fallback(source: .baseURLs(group), statuses: statuses)
    }

    /// Responds to a GET or HEAD with a stored response of the session's cache, whatever its age: see ``staleResponse(statuses:)``.
    public static var staleResponse: Fallback { staleResponse() }

    /// Responds to a GET or HEAD with a stored response of the session's cache, whatever its age.
    ///
    /// It is used if there is no valid response, for example because the network is down, if a limit of the session refuses the
    /// request, and after the `statuses`. Failures of TLS and of the trust in a server, and errors of the application, are not
    /// hidden. `stale-if-error` is not necessary; `must-revalidate` and `no-cache` in the response, `no-cache` and `no-store` in
    /// the request, and a policy that reloads forbid the use (RFC 9111, section 4.2.4). The response's `source` is
    /// ``ResponseSource/stale``, or ``ResponseSource/cache`` if it is still fresh.
    ///
    /// - Parameter statuses: The statuses that count as failures; by default those of `stale-if-error` (RFC 5861, section 4).
    /// - Returns: The fallback.
    public static func staleResponse(statuses: Set<Int> = Fallback.serverFailures) -> Fallback {
        Fallback(source: .staleResponse, statuses: statuses)
    }

    /// Responds with a sample of the application.
    ///
    ///     resilience.fallbacks = [.sample { request, _ in
    ///         request.url.path == "/status" ? TransportResponse(status: 200, body: .complete(Data("unknown".utf8))) : nil
    ///     }]
    ///
    /// The function is called for a request with any method, if there is no valid response, if a limit of the session refuses the
    /// request, and after the `statuses`. A request that was not idempotent may have been processed. The response's `source` is
    /// ``ResponseSource/sample``.
    ///
    /// - Parameters:
    ///   - statuses: The statuses that count as failures.
    ///   - sample: Returns the sample for a request; `nil` for none.
    /// - Returns: The fallback.
    public static func sample(
        statuses: Set<Int> = Fallback.serverFailures,
        _ sample: @escaping Sample
    ) -> Fallback {
        Fallback(source: .sample(sample), statuses: statuses)
    }

    /// The statuses 500, 502, 503 and 504, after which a stored response may be used (RFC 5861, section 4).
    public static let serverFailures: Set<Int> = [500, 502, 503, 504]
}
