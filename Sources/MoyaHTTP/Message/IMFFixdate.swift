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
