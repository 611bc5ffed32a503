import Foundation
import HTTPTypes

/// The age and the freshness lifetime of a stored response (RFC 9111, section 4.2).
struct Freshness: Equatable, Sendable {
    /// The time, in seconds, for which the response is fresh after its creation.
    let lifetime: Double
    /// The age of the response in seconds.
    let age: Double

    /// Whether the response is fresh.
    var isFresh: Bool { lifetime > age }

    /// The number of seconds since the response became stale; negative if it is fresh.
    var staleness: Double { age - lifetime }

    /// Computes the freshness.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - control: Its `Cache-Control`.
    ///   - now: The time in seconds since 1970.
    init(of head: CachedHead, control: CacheControl, at now: Double) {
        let date = Self.date(head.headers[.date], at: head.responseTime)
        lifetime = Self.lifetime(of: head, control, date: date)
        age = Self.age(of: head, date: date, at: now)
    }

    // MARK: Lifetime

    private static func lifetime(
        of head: CachedHead,
        _ control: CacheControl,
        date: Double?
    ) -> Double {
        // `s-maxage` applies to shared caches only.
        switch control.maxAge {
        case .valid(let seconds)?: return seconds
        case .invalid?: return 0
        case nil: break
        }
        let base = date ?? head.responseTime
        if head.headers.contains(.expires) {
            // An invalid date such as 0, or several dates, mean that the response has expired (section 5.3).
            let values = head.headers[values: .expires]
            let expires = values.count == 1 ? Self.date(values[0], at: head.responseTime) : nil
            return max(0, (expires ?? base) - base)
        }
        guard heuristicStatuses.contains(head.status) || control.isPublic,
            let changed = Self.date(head.headers[.lastModified], at: head.responseTime)
        else { return 0 }
        // The heuristic lifetime is a tenth of the time since the last change, and at most a week.
        return min(max(0, (base - changed) / 10), 7 * 24 * 3600)
    }

    /// The statuses of responses that may be stored and used without an explicit lifetime (RFC 9110, section 15.1).
    static let heuristicStatuses: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    // MARK: Age

    /// Returns the age (RFC 9111, section 4.2.3); infinite if it is unknown because the clock was set back.
    private static func age(of head: CachedHead, date: Double?, at now: Double) -> Double {
        let apparent = max(0, head.responseTime - (date ?? head.responseTime))
        let delay = max(0, head.responseTime - head.requestTime)
        let initial = max(apparent, receivedAge(head.headers) + delay)
        let resident = now - head.responseTime
        guard resident > -clockTolerance else { return .infinity }
        return initial + max(0, resident)
    }

    /// The tolerated adjustment of a clock, in seconds.
    private static let clockTolerance: Double = 10

    /// Returns the first value of `Age`; 0 if that is invalid (RFC 9111, section 5.1).
    private static func receivedAge(_ headers: HTTPFields) -> Double {
        guard headers.contains(.age) else { return 0 }
        let first = headers[values: .age].first?.split(separator: ",", omittingEmptySubsequences: false).first
        return first.flatMap { DeltaSeconds.parse($0.withoutOptionalWhitespace) } ?? 0
    }

    // MARK: Dates

    /// Returns a date in seconds since 1970; `nil` if it is invalid.
    ///
    /// Letters are compared ignoring case, and every time zone except GMT is invalid (RFC 9111, section 4.2).
    static func date(_ text: String?, at now: Double) -> Double? {
        guard let text else { return nil }
        let seconds = Int64(max(0, min(now, 253_402_300_799)))
        if let date = HTTPDate(text, now: seconds) { return Double(date.seconds) }
        return HTTPDate(inUsualCase(text), now: seconds).map { Double($0.seconds) }
    }

    private static func inUsualCase(_ text: String) -> String {
        var bytes = Array(text.lowercased().utf8)
        for index in bytes.indices where index == 0 || !bytes[index - 1].isLetter {
            if bytes[index].isLetter { bytes[index] &= 0xDF }
        }
        if bytes.suffix(4).elementsEqual(" Gmt".utf8) { bytes.replaceSubrange((bytes.count - 3)..., with: "GMT".utf8) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
