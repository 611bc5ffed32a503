import Foundation

extension CacheEntry {
    /// Returns the age of the response in seconds (RFC 9111, section 4.2.3); infinite if the clock was set back by more than
    /// ten seconds after it arrived.
    public func age(at date: Date = Date()) -> TimeInterval { freshness(at: date).age }

    /// Returns the number of seconds until the response becomes stale; negative if it is stale (RFC 9111, section 4.2).
    public func remainingFreshness(at date: Date = Date()) -> TimeInterval { -freshness(at: date).staleness }

    private func freshness(at date: Date) -> Freshness {
        Freshness(of: head, control: CacheControl(head.headers), at: date.timeIntervalSince1970)
    }
}
