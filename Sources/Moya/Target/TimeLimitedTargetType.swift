/// A target that limits the time of its requests, or of their parts.
///
///     struct Search: TimeLimitedTargetType {
///         var timeouts: RequestTimeouts { RequestTimeouts(total: .seconds(10), firstByte: .seconds(3)) }
///         …
///     }
///
/// The times replace those of the provider and of the session. A target that wraps another must forward them.
@preconcurrency
public protocol TimeLimitedTargetType: TargetType {
    // There is no default implementation: a property with another type would not replace it.

    /// The times; a time that is `nil` is that of the provider or of the session.
    var timeouts: RequestTimeouts { get }
}

extension MultiTarget: TimeLimitedTargetType {
    /// The wrapped target's times, if it has some.
    public var timeouts: RequestTimeouts { (target as? any TimeLimitedTargetType)?.timeouts ?? RequestTimeouts() }
}
