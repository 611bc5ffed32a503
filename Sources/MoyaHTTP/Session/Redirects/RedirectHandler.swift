/// A type that decides whether redirects are followed.
///
/// ``Redirector`` is sufficient for most purposes. Implement a handler for other decisions:
///
///     struct SameSite: RedirectHandler {
///         func redirect(_ redirect: Redirect) async throws -> RedirectDecision {
///             redirect.isCrossOrigin ? .stop : .follow
///         }
///     }
///
/// A handler is called before a redirect is checked, so that it can stop at a redirect that is not allowed and read
/// its headers. Its decision is checked afterwards, against the ``options`` and the rules that always apply.
public protocol RedirectHandler: Sendable {
    /// The limits for all redirects.
    var options: RedirectOptions { get }

    /// Decides about a redirect.
    ///
    /// A thrown error fails the request.
    func redirect(_ redirect: Redirect) async throws -> RedirectDecision
}

extension RedirectHandler {
    /// The default limits.
    public var options: RedirectOptions { RedirectOptions() }
}
