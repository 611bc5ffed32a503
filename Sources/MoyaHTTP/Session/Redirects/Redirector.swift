/// Follows redirects, or does not, or changes them, within limits of your choice.
///
///     let careful = Redirector(maximumCount: 3, sensitiveHeaders: ["X-Api-Key"])
///     let login = Redirector(behavior: .doNotFollow)
public struct Redirector: RedirectHandler {
    /// What is done with a redirect.
    public enum Behavior: Sendable {
        /// It is followed.
        case follow
        /// The redirecting response is the answer.
        case doNotFollow
        /// What the closure makes of it is followed; nil for the redirecting response as the answer. What it throws fails the
        /// request.
        case modify(@Sendable (Redirect) async throws -> RedirectRequest?)
    }

    /// What is done with a redirect.
    public var behavior: Behavior
    /// The limits.
    public var options: RedirectOptions

    /// Makes a redirector.
    ///
    /// - Parameters:
    ///   - behavior: What is done with a redirect.
    ///   - maximumCount: How many redirects are followed in a row.
    ///   - allowsInsecure: Whether an `https` URL may redirect to `http`.
    ///   - sensitiveHeaders: Headers that must not cross an origin, beside those that never do.
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

    /// Does what the behaviour says.
    public func redirect(_ redirect: Redirect) async throws -> RedirectDecision {
        switch behavior {
        case .follow: .follow
        case .doNotFollow: .stop
        case .modify(let change): try await change(redirect).map { .change(to: $0) } ?? .stop
        }
    }
}

extension RedirectHandler where Self == Redirector {
    /// Follows redirects within the standard limits.
    public static var follow: Redirector { Redirector() }
    /// Takes the redirecting response for the answer.
    public static var doNotFollow: Redirector { Redirector(behavior: .doNotFollow) }
}
