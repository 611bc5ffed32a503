/// A target whose requests have idempotency keys, by which a server recognizes a request that it gets again.
///
///     struct Payment: IdempotentTargetType {
///         var idempotencyKeys: IdempotencyKeys? { IdempotencyKeys() }
///         …
///     }
///
/// Each request whose method is not idempotent, such as a POST, gets one key, which its retries keep. A request that has the header
/// `Idempotency-Key` keeps its value. A target that wraps another must forward the keys.
@preconcurrency
public protocol IdempotentTargetType: TargetType {
    // There is no default implementation: a property with another type would not replace it.

    /// The keys; `nil` for those of the session, if it has some (``Resilience/idempotencyKeys``).
    var idempotencyKeys: IdempotencyKeys? { get }
}

extension MultiTarget: IdempotentTargetType {
    /// The wrapped target's keys, if it has some.
    public var idempotencyKeys: IdempotencyKeys? { (target as? any IdempotentTargetType)?.idempotencyKeys }
}
