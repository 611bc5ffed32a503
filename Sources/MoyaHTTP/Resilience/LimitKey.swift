import Foundation

/// A rule that divides requests into groups, each of which has a limit or a circuit.
///
///     let limiter = RateLimiter(.tokenBucket(10, per: .seconds(1)), by: .origin)
///     let perTenant = RateLimiter(.tokenBucket(10, per: .seconds(1)), by: LimitKey { $0.headers[.tenant] })
///
/// The key of a group is in events and in the texts of errors, so it must not be a secret.
public struct LimitKey: Sendable {
    /// The key of a group of requests.
    indirect enum Value: Hashable, Sendable {
        case origin(Origin)
        case name(String)
        /// The key of the requests that redirects have led from an origin to another one.
        case redirected(Value, from: Origin)

        /// The text of the key, for events and errors.
        var text: String {
            switch self {
            case .origin(let origin): origin.text
            case .name(let name): name
            case .redirected(let key, let origin): "\(key.text), redirected from \(origin.text)"
            }
        }
    }

    /// Returns the key of a request; `nil` if the origin of its URL is the key.
    // An optional, because the origin of a request is known before the request is checked.
    let custom: (@Sendable (TransportRequest) -> String?)?

    /// Groups the requests by the scheme, host and port of their URLs, with `https` for hosts that require TLS (HSTS).
    public static let origin = LimitKey(custom: nil)

    /// Puts all requests into one group.
    public static let all = LimitKey { _ in "all requests" }

    /// Creates a rule that groups requests by the result of a function.
    ///
    /// The function must not block. Neither a limit nor a circuit applies to a request for which it returns `nil`.
    public init(_ key: @escaping @Sendable (_ request: TransportRequest) -> String?) { custom = key }

    private init(custom: (@Sendable (TransportRequest) -> String?)?) { self.custom = custom }

    /// Returns the key of a checked request.
    func value(of request: TransportRequest) -> Value? {
        guard let custom else { return Origin(request.url).map { .origin($0) } }
        return custom(request).map { .name($0) }
    }
}

extension Origin {
    fileprivate var text: String { "\(scheme)://\(hostHeader)" }
}
