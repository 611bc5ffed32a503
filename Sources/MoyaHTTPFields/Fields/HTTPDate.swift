/// A date in any of the three formats that a recipient must accept (RFC 9110, section 5.6.7).
///
/// - `Sun, 06 Nov 1994 08:49:37 GMT`, the preferred format
/// - `Sunday, 06-Nov-94 08:49:37 GMT`, RFC 850
/// - `Sun Nov  6 08:49:37 1994`, C's `asctime()`
package struct HTTPDate: Equatable, Sendable {
    /// The number of seconds since 1 January 1970.
    package let seconds: Int64

    /// Parses a date.
    ///
    /// - Parameters:
    ///   - text: The date, without surrounding whitespace.
    ///   - now: The current time in seconds since 1 January 1970, which determines the century of an RFC 850 date.
    package init?(_ text: String, now: Int64) {
        let bytes = Array(text.utf8)
        guard let seconds = Self.fixdate(bytes) ?? Self.asctime(bytes) ?? Self.rfc850(bytes, now: now) else {
            return nil
        }
        self.seconds = seconds
    }

    /// Creates a date from a number of seconds since 1 January 1970; years before 1 and after 9999 are not possible.
    package init(seconds: Int64) { self.seconds = max(-62_135_596_800, min(seconds, 253_402_300_799)) }

    /// The date in the preferred format.
    package var text: String {
        let (day, time) = seconds.floored(by: 86_400)
        let date = CivilDate.date(ofDay: day)
        func padded(_ number: Int64, to width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: width - digits.utf8.count) + digits
        }
        // 1 January 1970 was a Thursday.
        let name = Self.days[Int((day + 3).floored(by: 7).remainder)].prefix(3)
        return "\(name), \(padded(date.day)) \(CivilDate.months[Int(date.month) - 1]) \(padded(date.year, to: 4)) "
            + "\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
    }

    /// Parses a date in the preferred format.
    package init?(fixdate text: String) {
        guard let seconds = Self.fixdate(Array(text.utf8)) else { return nil }
        self.seconds = seconds
    }

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`: 29 bytes.
    private static func fixdate(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count == 29, days.contains(where: { $0.utf8.prefix(3).elementsEqual(bytes[0..<3]) }),
            bytes[3...4].elementsEqual(", ".utf8), bytes.suffix(4).elementsEqual(" GMT".utf8),
            [7, 11, 16].allSatisfy({ bytes[$0] == UInt8(ascii: " ") }),
            let month = CivilDate.month(bytes[8..<11]), let day = number(bytes[5..<7]), (1...31).contains(day),
            let year = number(bytes[12..<16]), year >= 1, let time = time(bytes[17..<25])
        else { return nil }
        return CivilDate.seconds(year: year, month: month, day: day, time: time)
    }

    /// Parses `Sun Nov  6 08:49:37 1994`: 24 bytes, with the day padded by a space.
    private static func asctime(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count == 24, days.contains(where: { $0.utf8.prefix(3).elementsEqual(bytes[0..<3]) }),
            [3, 7, 10, 19].allSatisfy({ bytes[$0] == UInt8(ascii: " ") }),
            let month = CivilDate.month(bytes[4..<7]),
            let day = number(bytes[8] == UInt8(ascii: " ") ? bytes[9..<10] : bytes[8..<10]),
            let time = time(bytes[11..<19]), let year = number(bytes[20..<24]),
            (1...31).contains(day), year >= 1
        else { return nil }
        return CivilDate.seconds(year: year, month: month, day: day, time: time)
    }

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`: the full name of the day, and 24 bytes from the comma on.
    private static func rfc850(_ bytes: [UInt8], now: Int64) -> Int64? {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), bytes.count - comma == 24,
            days.contains(where: { $0.utf8.elementsEqual(bytes[..<comma]) }), bytes.suffix(4).elementsEqual(" GMT".utf8)
        else { return nil }
        let rest = Array(bytes[comma...])
        guard rest[1] == UInt8(ascii: " "), rest[4] == UInt8(ascii: "-"), rest[8] == UInt8(ascii: "-"),
            rest[11] == UInt8(ascii: " "), let day = number(rest[2..<4]), (1...31).contains(day),
            let month = CivilDate.month(rest[5..<8]), let lastDigits = number(rest[9..<11]),
            let time = time(rest[12..<20])
        else { return nil }
        // A date that appears to be more than 50 years in the future is in the latest past year with the same last two digits.
        let now = max(0, min(now, 253_402_300_799))
        let latest = now + 50 * meanYear
        let century = (1970 + now / meanYear) / 100 + 1
        return (0...3).lazy
            .map { CivilDate.seconds(year: (century - $0) * 100 + lastDigits, month: month, day: day, time: time) }
            .first { $0 <= latest }
    }

    /// The length of a mean Gregorian year in seconds.
    private static let meanYear: Int64 = 31_556_952
    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Parses a time such as `08:49:37` into hour, minute and second, which is 60 in a leap second.
    private static func time(_ bytes: ArraySlice<UInt8>) -> [Int64]? {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count == 2 ? number($0) : nil }
        guard parts.count == 3, numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] <= 60 else {
            return nil
        }
        return numbers
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        digits.allSatisfy(\.isDigit) ? digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } : nil
    }
}
