import Foundation

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
        guard
            let seconds = IMFFixdate(text)?.seconds ?? Self.asctime(Array(text.utf8))
                ?? Self.rfc850(Array(text.utf8), now: now)
        else { return nil }
        self.seconds = seconds
    }

    /// Parses `Sun Nov  6 08:49:37 1994`: 24 bytes, with the day padded by a space.
    private static func asctime(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count == 24, days.contains(where: { $0.utf8.prefix(3).elementsEqual(bytes[0..<3]) }),
            [3, 7, 10, 19].allSatisfy({ bytes[$0] == UInt8(ascii: " ") }),
            let month = IMFFixdate.month(bytes[4..<7]),
            let day = IMFFixdate.number(bytes[8] == UInt8(ascii: " ") ? bytes[9..<10] : bytes[8..<10]),
            let time = time(bytes[11..<19]), let year = IMFFixdate.number(bytes[20..<24]),
            (1...31).contains(day), year >= 1
        else { return nil }
        return IMFFixdate.seconds(year, month, day, time)
    }

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`: the full name of the day, and 24 bytes from the comma on.
    private static func rfc850(_ bytes: [UInt8], now: Int64) -> Int64? {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), bytes.count - comma == 24,
            days.contains(where: { $0.utf8.elementsEqual(bytes[..<comma]) }), bytes.suffix(4).elementsEqual(" GMT".utf8)
        else { return nil }
        let rest = Array(bytes[comma...])
        guard rest[1] == UInt8(ascii: " "), rest[4] == UInt8(ascii: "-"), rest[8] == UInt8(ascii: "-"),
            rest[11] == UInt8(ascii: " "), let day = IMFFixdate.number(rest[2..<4]), (1...31).contains(day),
            let month = IMFFixdate.month(rest[5..<8]), let lastDigits = IMFFixdate.number(rest[9..<11]),
            let time = time(rest[12..<20])
        else { return nil }
        // A date that seems to be more than 50 years in the future is in the past.
        let now = max(0, min(now, 253_402_300_799))
        let latest = now + 50 * meanYear
        let century = (1970 + now / meanYear) / 100 + 1
        return (0...3).lazy
            .map { IMFFixdate.seconds((century - $0) * 100 + lastDigits, month, day, time) }
            .first { $0 <= latest }
    }

    /// The length of a mean Gregorian year in seconds.
    private static let meanYear: Int64 = 31_556_952
    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Parses a time such as `08:49:37` into hour, minute and second.
    private static func time(_ bytes: ArraySlice<UInt8>) -> [Int64]? {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count == 2 ? IMFFixdate.number($0) : nil }
        guard parts.count == 3, numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] <= 60 else {
            return nil
        }
        return numbers
    }
}

/// A date in the preferred format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
///
/// ``HTTPDate`` also parses the two obsolete formats.
struct IMFFixdate: Equatable, Sendable {
    /// The number of seconds since 1 January 1970.
    let seconds: Int64

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, Self.days.contains(text.prefix(5)), text.hasSuffix(" GMT"),
            bytes[7] == UInt8(ascii: " "), bytes[11] == UInt8(ascii: " "), bytes[16] == UInt8(ascii: " "),
            bytes[19] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"),
            let month = Self.month(bytes[8..<11]),
            let day = Self.number(bytes[5..<7]), let year = Self.number(bytes[12..<16]),
            let hour = Self.number(bytes[17..<19]), let minute = Self.number(bytes[20..<22]),
            let second = Self.number(bytes[23..<25]),
            year >= 1, (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        seconds = Self.seconds(year, month, day, [hour, minute, second])
    }

    private static let days = ["Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, ", "Sun, "].map { Substring($0) }
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the month with this name, counted from 1.
    static func month(_ name: ArraySlice<UInt8>) -> Int64? {
        months.firstIndex(of: String(decoding: name, as: UTF8.self)).map { Int64($0) + 1 }
    }

    /// Returns the number of seconds since 1 January 1970; `time` contains hour, minute and second.
    static func seconds(_ year: Int64, _ month: Int64, _ day: Int64, _ time: [Int64]) -> Int64 {
        daysSince1970(year, month, day) * 86_400 + time.reduce(0) { $0 * 60 + $1 }
    }

    static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// Returns the number of days since 1 January 1970.
    ///
    /// Years start on 1 March, so that the leap day is the last day.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}

extension Date {
    /// Whether the year has four digits, as RFC 3339 and XML property lists require.
    ///
    /// Foundation writes other years incorrectly.
    var hasFourDigitYear: Bool {
        (-62_167_219_200.0..<253_402_300_800.0).contains(timeIntervalSince1970)
    }
}
