import Foundation

/// A day of the calendar without a time, such as `2026-01-31`.
struct CalendarDate: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// The year.
    var year: Int
    /// The month, from 1.
    var month: Int
    /// The day, from 1.
    var day: Int

    /// Creates a date.
    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a date from its text.
    init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The text, in ISO 8601.
    var description: String {
        let digits = [String(year), String(month), String(day)]
        let lengths = [4, 2, 2]
        return zip(digits, lengths).map { digits, length in
            String(repeating: "0", count: max(0, length - digits.count)) + digits
        }.joined(separator: "-")
    }

    /// The components, for a `Calendar`.
    var components: DateComponents { DateComponents(year: year, month: month, day: day) }

    /// Returns whether a date is before another one.
    static func < (lhs: CalendarDate, rhs: CalendarDate) -> Bool {
        (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
    }
}

extension CalendarDate: Codable {
    /// Decodes a date from its text.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = CalendarDate(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a date: \(text)")
        }
        self = date
    }

    /// Encodes the date as its text.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
