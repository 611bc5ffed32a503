import Foundation
import HTTPTypes

/// The value of the `Retry-After` header (RFC 9110, section 10.2.3).
///
/// It is a number of seconds, or a date in any of the three formats of HTTP. Invalid values are ignored.
package struct RetryAfter: Equatable, Sendable {
    /// The delay, from zero to one year; zero for a date in the past.
    package let delay: Duration

    /// Parses a header value; a date is relative to `now`.
    package init?(_ value: some StringProtocol, now: Date) {
        let text = String(value).withoutOptionalWhitespace
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // More digits than fit mean a delay beyond any limit.
            delay = Duration(clampingSeconds: Double(text) ?? .infinity)
            return
        }
        let now = now.timeIntervalSince1970
        guard let date = HTTPDate(text, now: Int64(exactly: now.rounded(.down)) ?? 0) else { return nil }
        delay = Duration(clampingSeconds: Double(date.seconds) - now)
    }

    /// Parses the headers of a response.
    ///
    /// There should be one value; of several, the longest delay is used.
    package init?(_ headers: HTTPFields, now: Date) {
        let values = headers[values: .retryAfter].compactMap { RetryAfter($0, now: now) }
        guard let longest = values.max(by: { $0.delay < $1.delay }) else { return nil }
        self = longest
    }
}
