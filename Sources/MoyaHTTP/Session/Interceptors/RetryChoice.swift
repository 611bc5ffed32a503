/// The choice of the retrier for the requests of a target.
///
/// A retry policy is a ``RetryPolicy`` or a ``ConnectionLostRetryPolicy``. A choice replaces the policies of the session and the provider.
/// Their other retriers, such as one that refreshes a token after a 401, are kept, and decide first.
public enum RetryChoice: Sendable {
    /// The policies of the session and the provider decide.
    case inherited
    /// No policy decides, so that a request is not repeated after a failure.
    case never
    /// This retrier decides in place of the policies. Use one retrier for all requests of a target: its copies share one budget.
    case retrier(any RequestRetrier)
}

/// A retry policy, which the choice of a target replaces.
package protocol ReplaceableRetrier: RequestRetrier {}

extension RetryChoice {
    /// Returns an interceptor with the chosen retrier in place of the policies; `nil` if there is nothing to call.
    func apply(to interceptor: (any RequestInterceptor)?) -> (any RequestInterceptor)? {
        let chosen: any RequestRetrier
        switch self {
        case .inherited: return interceptor
        case .never:
            return interceptor.map { Interceptor(adapters: [$0], retriers: $0.retriersWithoutPolicies) }
        case .retrier(let retrier): chosen = retrier
        }
        return Interceptor(
            adapters: interceptor.map { [$0] } ?? [],
            retriers: (interceptor?.retriersWithoutPolicies ?? []) + [chosen]
        )
    }

    /// Whether the policies of the session and the provider decide.
    var isInherited: Bool { if case .inherited = self { true } else { false } }

    /// The chosen retrier; `nil` if there is none.
    var retrier: (any RequestRetrier)? { if case .retrier(let retrier) = self { retrier } else { nil } }
}

extension RequestRetrier {
    /// The retriers that this one consists of, without policies.
    fileprivate var retriersWithoutPolicies: [any RequestRetrier] {
        switch self {
        case is any ReplaceableRetrier: []
        case let interceptor as Interceptor: interceptor.retriers.flatMap { $0.retriersWithoutPolicies }
        default: [self]
        }
    }
}
