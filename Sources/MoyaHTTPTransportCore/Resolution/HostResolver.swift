import Foundation

/// A resolver of host names to IP addresses, for ``TransportConfiguration/hostResolver``.
///
///     struct TableResolver: HostResolver {
///         let table: [String: [String]]
///
///         func resolve(_ host: String) async throws -> ResolvedHost {
///             guard let addresses = table[host] else { return try await SystemHostResolver().resolve(host) }
///             return ResolvedHost(addresses: addresses)
///         }
///     }
///
/// IP addresses in URLs are never passed to a resolver.
public protocol HostResolver: Sendable {
    /// Resolves a host name.
    ///
    /// It is called for several hosts at a time, and once for equal hosts that are requested during a call. Its task is
    /// cancelled when no request waits for the result any more.
    ///
    /// - Parameter host: The host name in lower case, without a trailing dot.
    /// - Returns: The addresses of the host, and how long they are valid. Without an address the host counts as not found.
    /// - Throws: ``HostResolutionError``, or any other error, which is treated as a temporary failure.
    func resolve(_ host: String) async throws -> ResolvedHost
}

/// The addresses of a host.
public struct ResolvedHost: Hashable, Sendable {
    /// The IPv4 and IPv6 addresses as text, such as `192.0.2.1`, `2001:db8::1` or `fe80::1%eth0`, best first (RFC 6724).
    ///
    /// Connections are made as in RFC 8305 (Happy Eyeballs): beginning with the first address, alternating between the versions
    /// of IP, and with the next address after a failure or 250 ms. At most 32 addresses are used.
    public var addresses: [String]
    /// The time for which the result may be reused; `nil` if it is unknown.
    ///
    /// It applies to a result without addresses, too (RFC 2308). A result with a lifetime of zero is not kept.
    public var lifetime: Duration?

    /// Creates the addresses of a host.
    public init(addresses: [String], lifetime: Duration? = nil) {
        self.addresses = addresses
        self.lifetime = lifetime
    }
}

/// The reason why a host name was not resolved.
///
/// A request fails with `URLError.cannotFindHost`, which has it under `NSUnderlyingErrorKey`.
public enum HostResolutionError: Error, Sendable {
    /// There is no such host, or it has no address.
    case notFound(host: String)
    /// The lookup failed, and may succeed later.
    ///
    /// `cause` is the error of the resolver, if it has another type.
    case failed(host: String, reason: String, cause: (any Error)? = nil)
}

extension HostResolutionError: MaskedError {
    /// A sentence with the host and the reason.
    public var errorDescription: String? { masked(sentence) }

    private var sentence: String {
        switch self {
        case .notFound(let host): "The host name \"\(host)\" could not be found."
        case .failed(let host, let reason, _): "The host \"\(host)\" could not be resolved: \(reason)"
        }
    }
}

/// The times for which results of a ``HostResolver`` are reused.
///
/// A lifetime that the resolver returns has precedence. Other failures than "not found" are not kept. The addresses
/// of a host to which a connection failed are dropped. At most 1,000 hosts are kept.
public struct HostCachePolicy: Hashable, Sendable {
    /// The time for which addresses are reused; zero for not at all.
    ///
    /// The default is 30 seconds.
    public var addressLifetime: Duration
    /// The time for which it is remembered that a host was not found; zero for not at all.
    ///
    /// The default is 5 seconds.
    public var notFoundLifetime: Duration

    /// Creates a policy.
    public init(addressLifetime: Duration = .seconds(30), notFoundLifetime: Duration = .seconds(5)) {
        self.addressLifetime = addressLifetime
        self.notFoundLifetime = notFoundLifetime
    }
}
