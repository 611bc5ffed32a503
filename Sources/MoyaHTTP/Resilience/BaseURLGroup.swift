import Foundation

/// The base URLs of a service in the order of preference, with the health that all requests share.
final class BaseURLGroup: Sendable {
    /// The base URLs; empty if the first one is invalid.
    private let bases: [BaseURL]
    private let clock: LimiterClock
    private let health: Locked<BaseURLHealth>

    /// Creates a group; other URLs than absolute `http` and `https` URLs are left out.
    init(_ urls: [URL], period: Duration, clock: any Clock<Duration>) {
        let first = urls.first.flatMap { BaseURL($0) }
        bases = first.map { [$0] + urls.dropFirst().compactMap { BaseURL($0) } } ?? []
        self.clock = LimiterClock(clock)
        health = Locked(BaseURLHealth(count: bases.count, period: min(max(period, .zero), .longestTimeout)))
    }

    /// The number of base URLs.
    var count: Int { bases.count }

    /// Returns a base URL.
    func url(of base: Int) -> URL { bases[base].url }

    /// Returns the part of a URL after the first base URL; `nil` if it does not begin with that.
    func suffix(of url: URL) -> Substring? { bases.first?.suffix(of: url) }

    /// Returns the URLs that have a URL's suffix after each of the base URLs; empty if the URL begins with none of them.
    func alternatives(to url: URL) -> [URL] {
        guard let suffix = bases.lazy.compactMap({ $0.suffix(of: url) }).first else { return [] }
        return bases.compactMap { $0.url(appending: suffix) }
    }

    /// Returns the URL of a request to a base URL.
    func url(of base: Int, appending suffix: Substring) -> URL? { bases[base].url(appending: suffix) }

    // MARK: Health

    /// The permission to send a request to a base URL, whose result must be recorded.
    struct Ticket: Sendable {
        let base: Int
        fileprivate let isProbe: Bool
        fileprivate let sent: Duration
    }

    /// The decision about a request that wants to use a base URL.
    enum Permission: Sendable {
        case send(Ticket)
        case avoided(for: Duration)
    }

    /// Returns whether a request may use a base URL.
    func permission(for base: Int, canProbe: Bool) -> Permission {
        let now = clock.now
        return switch health.withLock({ $0.permission(for: base, canProbe: canProbe, at: now) }) {
        case .allowed: .send(Ticket(base: base, isProbe: false, sent: now))
        case .probe: .send(Ticket(base: base, isProbe: true, sent: now))
        case .avoided(let time): .avoided(for: time)
        }
    }

    /// Returns the permission to use a base URL that is avoided, because no other one is left.
    func lastResort(_ base: Int) -> Ticket { Ticket(base: base, isProbe: false, sent: clock.now) }

    /// Records the result of a request.
    func record(_ result: BaseURLHealth.Result, of ticket: Ticket) {
        let now = clock.now
        health.withLock {
            $0.record(result, of: ticket.base, isProbe: ticket.isProbe, sent: ticket.sent, at: now)
        }
    }
}
