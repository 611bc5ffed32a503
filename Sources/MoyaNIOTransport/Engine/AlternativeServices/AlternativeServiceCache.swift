/// The alternatives of origins (RFC 7838, section 2.2); the current time is passed in.
struct AlternativeServiceCache: Sendable {
    /// The time for which an alternative is not used after a failure.
    static let brokenTime = Duration.seconds(300)
    /// The maximum number of origins.
    static let maximumOrigins = 1_000
    /// The maximum number of alternatives of an origin.
    static let maximumAlternatives = 8

    private struct Entry: Sendable {
        /// The host and port of the alternative; its scheme is `https`.
        let alternative: Origin
        let expires: Duration
        /// The end of the time for which the alternative is not used; `nil` if it has not failed.
        var brokenUntil: Duration?
    }

    private var entries: [Origin: [Entry]] = [:]

    /// The number of origins.
    var count: Int { entries.count }

    /// Stores the alternatives of an origin in place of earlier ones (section 3.1).
    ///
    /// An alternative that has failed remains broken.
    mutating func store(_ field: AlternativeServiceField, for origin: Origin, at now: Duration) {
        let earlier = entries.removeValue(forKey: origin) ?? []
        let stored = field.alternatives.prefix(Self.maximumAlternatives).map { alternative in
            let place = Origin(scheme: "https", host: alternative.host ?? origin.host, port: alternative.port)
            return Entry(
                alternative: place,
                expires: now + .seconds(alternative.maxAge),
                brokenUntil: earlier.first { $0.alternative == place }?.brokenUntil
            )
        }
        guard !stored.isEmpty else { return }
        if entries.count >= Self.maximumOrigins,
            let oldest = entries.min(by: { Self.end(of: $0.value) < Self.end(of: $1.value) })
        {
            entries[oldest.key] = nil
        }
        entries[origin] = stored
    }

    /// Returns the alternative to use for an origin; `nil` to use the origin.
    func alternative(for origin: Origin, at now: Duration) -> Origin? {
        guard !entries.isEmpty, let usable = entries[origin] else { return nil }
        let first = usable.first { $0.expires > now && $0.brokenUntil ?? now <= now }
        // An origin may name its host and port among the alternatives.
        return first.flatMap { $0.alternative == origin ? nil : $0.alternative }
    }

    /// Records a failure of an alternative, which is not used for some time.
    mutating func markBroken(_ alternative: Origin, of origin: Origin, at now: Duration) {
        guard let index = entries[origin]?.firstIndex(where: { $0.alternative == alternative }) else { return }
        entries[origin]?[index].brokenUntil = now + Self.brokenTime
    }

    private static func end(of entries: [Entry]) -> Duration { entries.map(\.expires).max() ?? .zero }
}
