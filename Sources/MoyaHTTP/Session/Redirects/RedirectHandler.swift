/// Says whether redirects are followed.
///
/// ``Redirector`` is enough for most. Write one of your own to decide by more than the redirect:
///
///     struct SameSite: RedirectHandler {
///         func redirect(_ redirect: Redirect) async throws -> RedirectDecision {
///             redirect.isCrossOrigin ? .stop : .follow
///         }
///     }
///
/// A handler is asked before anything is checked, so that it can stop at a redirect that must not be followed and look at its
/// headers. What it says is checked then: by the ``options``, and by the rules that hold always.
public protocol RedirectHandler: Sendable {
    /// The limits for all redirects.
    var options: RedirectOptions { get }

    /// Decides about one redirect. What is thrown fails the request.
    func redirect(_ redirect: Redirect) async throws -> RedirectDecision
}

extension RedirectHandler {
    /// The standard limits.
    public var options: RedirectOptions { RedirectOptions() }
}
