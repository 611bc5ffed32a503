import Foundation
import HTTPTypes

/// How long a server asks to be left alone: the header `Retry-After` (RFC 9110, section 10.2.3). Pure.
///
/// It is a number of seconds or a date in any of the three forms. What is anything else counts as not there.
struct RetryAfter: Equatable, Sendable {
    /// From zero to a year; zero for a date that has passed.
    let delay: Duration

    /// Reads one value.
    ///
    /// - Parameter now: What a date is compared to.
    init?(_ value: some StringProtocol, now: Date) {
        let text = String(value).withoutOptionalWhitespace
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // As many digits as do not fit are more seconds than anybody waits.
            delay = Duration(clampingSeconds: Double(text) ?? .infinity)
            return
        }
        let now = now.timeIntervalSince1970
        guard let date = HTTPDate(text, now: Int64(exactly: now.rounded(.down)) ?? 0) else { return nil }
        delay = Duration(clampingSeconds: Double(date.seconds) - now)
    }

    /// Reads the headers of a response. There should be one value; of several the longest counts.
    init?(_ headers: HTTPFields, now: Date) {
        let values = headers[values: .retryAfter].compactMap { RetryAfter($0, now: now) }
        guard let longest = values.max(by: { $0.delay < $1.delay }) else { return nil }
        self = longest
    }
}
