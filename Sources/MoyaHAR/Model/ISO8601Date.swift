import Foundation
import MoyaHTTP

/// Parses and formats the dates of archives (ISO 8601, RFC 3339), such as `2026-01-31T12:00:00.123+01:00`.
enum ISO8601Date {
    /// The years 1 to 9999 in seconds since 1970; earlier and later dates are clamped when they are read and written.
    private static let limits = -62_135_596_800.0...253_402_300_799.0

    /// Parses a date.
    ///
    /// Fractions may have any number of digits; missing parts are zero, and a missing offset is UTC.
    static func date(of text: String) -> Date? {
        var reader = Reader(bytes: Array(text.utf8.prefix(64)))
        guard text.utf8.count <= 64, let year = reader.readNumber(4), reader.skip("-"),
            let month = reader.readNumber(2),
            reader.skip("-"), let day = reader.readNumber(2), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var seconds = Double(CivilDate.seconds(year: year, month: month, day: day))
        if reader.isAtEnd { return Date(timeIntervalSince1970: max(seconds, limits.lowerBound)) }
        guard reader.skip("T") || reader.skip("t") || reader.skip(" "), let hour = reader.readNumber(2),
            reader.skip(":"),
            let minute = reader.readNumber(2), hour <= 24, minute < 60
        else { return nil }
        seconds += Double(hour * 3600 + minute * 60)
        if reader.skip(":") {
            guard let second = reader.readNumber(2), second <= 60 else { return nil }
            seconds += Double(second)
            if reader.skip(".") || reader.skip(",") {
                guard let fraction = reader.readFraction() else { return nil }
                seconds += fraction
            }
        }
        guard let offset = reader.readOffset(), reader.isAtEnd else { return nil }
        // The time is rounded to microseconds, so that writing and reading does not change a date.
        let time = min(max(seconds - Double(offset), limits.lowerBound), limits.upperBound)
        return Date(timeIntervalSince1970: (time * 1_000_000).rounded() / 1_000_000)
    }

    /// Formats a date in UTC, to the millisecond, or to the microsecond if necessary.
    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        // The time is clamped, because an Int64 initialized with a larger value would trap.
        let clamped = seconds.isNaN ? 0 : min(max(seconds, limits.lowerBound), limits.upperBound)
        let microseconds = Int64((clamped * 1_000_000).rounded())
        let (milliseconds, fraction) = microseconds.floored(by: 1000)
        let (day, time) = milliseconds.floored(by: 86_400_000)
        let (year, month, dayOfMonth) = CivilDate.date(ofDay: day)
        let clock = "\(pad(time / 3_600_000, 2)):\(pad(time / 60_000 % 60, 2)):\(pad(time / 1000 % 60, 2))"
        return
            "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))T\(clock).\(pad(time % 1000, 3))\(fraction > 0 ? pad(fraction, 3) : "")Z"
    }

    private static func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func skip(_ character: Character) -> Bool {
            guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
            position += 1
            return true
        }

        mutating func readNumber(_ count: Int) -> Int64? {
            guard position + count <= bytes.count else { return nil }
            var number: Int64 = 0
            for byte in bytes[position..<(position + count)] {
                guard (0x30...0x39).contains(byte) else { return nil }
                number = number * 10 + Int64(byte - 0x30)
            }
            position += count
            return number
        }

        mutating func readFraction() -> Double? {
            var (fraction, unit) = (0.0, 0.1)
            let start = position
            while let digit = readNumber(1) {
                fraction += Double(digit) * unit
                unit /= 10
            }
            return position > start ? fraction : nil
        }

        /// Reads an offset, in seconds east of UTC.
        mutating func readOffset() -> Int64? {
            if isAtEnd || skip("Z") || skip("z") { return 0 }
            let isWest = skip("-")
            guard isWest || skip("+"), let hours = readNumber(2) else { return nil }
            _ = skip(":")
            let minutes = isAtEnd ? 0 : readNumber(2)
            guard let minutes, hours <= 24, minutes < 60 else { return nil }
            return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
    }
}
