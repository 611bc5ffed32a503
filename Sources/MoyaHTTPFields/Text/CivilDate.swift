import Foundation

/// Conversions between dates of the Gregorian calendar, also before its introduction, and days since 1 January 1970.
@usableFromInline package enum CivilDate {
    @usableFromInline static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the month with this name in HTTP and cookies, counted from 1; names are case-sensitive.
    @inlinable package static func month(_ name: some Sequence<UInt8>) -> Int64? {
        months.firstIndex { $0.utf8.elementsEqual(name) }.map { Int64($0) + 1 }
    }

    /// Returns the number of days in a month.
    package static func length(ofMonth month: Int64, inYear year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of seconds since 1 January 1970; `time` contains hour, minute and second.
    package static func seconds(year: Int64, month: Int64, day: Int64, time: [Int64] = [0, 0, 0]) -> Int64 {
        days(year: year, month: month, day: day) * 86_400 + time.reduce(0) { $0 * 60 + $1 }
    }

    /// Returns the number of days since 1 January 1970.
    ///
    /// The calculation begins years on 1 March, so that the leap day is the last day of a year.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let leapDays = year.floored(by: 4).quotient - year.floored(by: 100).quotient + year.floored(by: 400).quotient
        return year * 365 + leapDays + dayOfYear - 719_468
    }

    /// Returns the date for a number of days since 1 January 1970.
    package static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (day + 719_468).floored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = era * 400 + yearOfEra + (month < 10 ? 0 : 1)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Divides by a positive number, rounding down; the remainder is not negative.
    package func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Date {
    /// Whether the year has four digits, as RFC 3339 and XML property lists require.
    ///
    /// Foundation writes dates in other years incorrectly.
    package var hasFourDigitYear: Bool {
        (-62_167_219_200.0..<253_402_300_800.0).contains(timeIntervalSince1970)
    }
}
