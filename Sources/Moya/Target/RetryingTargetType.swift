/// A target that chooses the retrier of its requests.
///
///     enum Shop: RetryingTargetType {
///         case search(String), pay(Order)
///
///         static let searchPolicy = RetryPolicy(retryLimit: 5)
///
///         var retryChoice: RetryChoice {
///             switch self {
///             case .search: .retrier(Self.searchPolicy)
///             case .pay: .never
///             }
///         }
///         …
///     }
///
/// The choice replaces the retry policies of the provider and of the session. A target that wraps another must forward it.
@preconcurrency
public protocol RetryingTargetType: TargetType {
    // There is no default implementation: a property with another type would not replace it.

    /// The choice of the retrier.
    var retryChoice: RetryChoice { get }
}

extension MultiTarget: RetryingTargetType {
    /// The wrapped target's choice, if it has one.
    public var retryChoice: RetryChoice { (target as? any RetryingTargetType)?.retryChoice ?? .inherited }
}
