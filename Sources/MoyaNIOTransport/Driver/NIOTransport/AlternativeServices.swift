#if NIO && !canImport(Darwin)
import NIOCore

/// The alternatives that servers have named for their origins, as a transport remembers them.
final class AlternativeServices: Sendable {
    private let cache = Locked(AlternativeServiceCache())
    private let started = NIODeadline.now()

    private var now: Duration { .nanoseconds((NIODeadline.now() - started).nanoseconds) }

    /// Returns the alternative to use for an origin; `nil` to use the origin.
    func alternative(for origin: Origin) -> Origin? {
        let now = now
        return cache.withLock { $0.alternative(for: origin, at: now) }
    }

    /// Stores the alternatives that a response names.
    func record(_ response: TransportResponse, from origin: Origin) {
        // A response with this status names none (RFC 7838, section 6).
        guard response.status != 421, let field = AlternativeServiceField(response.headers) else { return }
        let now = now
        cache.withLock { $0.store(field, for: origin, at: now) }
    }

    /// Records a failure of an alternative, which is not used for some time.
    func markBroken(_ alternative: Origin, of origin: Origin) {
        let now = now
        cache.withLock { $0.markBroken(alternative, of: origin, at: now) }
    }
}
#endif
