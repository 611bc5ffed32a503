/// A redirect handler that follows redirects, stops at them or modifies them, within limits.
///
///     let careful = Redirector(maximumCount: 3, sensitiveHeaders: ["X-Tenant"])
///     let login = Redirector(behavior: .doNotFollow)
public struct Redirector: RedirectHandler {
    /// The way a redirect is handled.
    public enum Behavior: Sendable {
        /// Follow the redirect.
        case follow
        /// Return the redirect response.
        case doNotFollow
        /// Send the request that the closure returns; if it is nil, return the redirect response.
        ///
        /// A thrown error fails the request.
        case modify(@Sendable (Redirect) async throws -> RedirectRequest?)
    }

    /// The way redirects are handled.
    public var behavior: Behavior
    /// The limits.
    public var options: RedirectOptions

    /// Creates a redirector.
    ///
    /// - Parameters:
    ///   - behavior: The way redirects are handled.
    ///   - maximumCount: The maximum number of redirects in a row.
    ///   - allowsInsecure: Whether an `https` URL may redirect to `http`.
    ///   - sensitiveHeaders: Additional headers that are not sent to other origins.
    public init(
        behavior: Behavior = .follow,
        maximumCount: Int = 20,
        allowsInsecure: Bool = false,
        sensitiveHeaders: Set<String> = []
    ) {
        self.behavior = behavior
        options = RedirectOptions(
            maximumCount: maximumCount,
            allowsInsecure: allowsInsecure,
            sensitiveHeaders: sensitiveHeaders
        )
    }

    /// Decides according to ``behavior``.
    public func redirect(_ redirect: Redirect) async throws -> RedirectDecision {
        switch behavior {
        case .follow: .follow
        case .doNotFollow: .stop
        case .modify(let change): try await change(redirect).map { .change(to: $0) } ?? .stop
        }
    }
}

extension RedirectHandler where Self == Redirector {
    /// A redirector that follows redirects within the default limits.
    public static var follow: Redirector { Redirector() }
    /// A redirector that returns the redirect response.
    public static var doNotFollow: Redirector { Redirector(behavior: .doNotFollow) }
}
