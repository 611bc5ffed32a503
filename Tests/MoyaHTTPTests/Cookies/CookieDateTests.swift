import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPCookies

@Suite("Cookie dates are parsed")
struct CookieDateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let text: String
        let expected: String?

        init(_ rule: String, _ text: String, _ expected: String?) {
            self.rule = rule
            self.text = text
            self.expected = expected
        }

        var testDescription: String { "\(rule): \(text.prefix(80))" }
    }

    static let rows: [Row] = [
        Row("5.1.1: IMF-fixdate", "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        Row("5.1.1: RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        Row("5.1.1: asctime", "Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
        Row("5.1.1: the attribute's example", "Wed, 09 Jun 2021 10:18:14 GMT", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 2: any order", "10:18:14 2021 jun 9", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 2: the month's name may go on", "9 Juneau 2021 10:18:14", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 2: case does not matter", "9 jUN 2021 10:18:14", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 2.1: one digit is enough", "9 Jun 2021 1:2:3", "2021-06-09T01:02:03Z"),
        Row("5.1.1, 2.1: text after the time", "9 Jun 2021 10:18:14z", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 2.1: a fourth field", "9 Jun 2021 10:18:14:99", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 2.1: the first time counts", "9 Jun 2021 10:18:14 11:11:11", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 2.2: text after the day", "9th Jun 2021 10:18:14", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 2.4: text after the year", "9 Jun 2021AD 10:18:14", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 2: the day is before the year", "21 Jun 09 10:18:14", "2009-06-21T10:18:14Z"),
        Row("5.1.1, 2: what is nothing is skipped", "x 9 y Jun z 2021 GMT 10:18:14 +0200", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 1: all delimiters", "\t9!\"#$%&'()*+,-./Jun;<=>?@2021[\\]^_`10:18:14{|}~", "2021-06-09T10:18:14Z"),
        Row("5.1.1, 1: other bytes are none", "9 Jun 2021\u{A0}10:18:14", nil),
        Row("5.1.1, 3: 70 is 1970", "1 Jan 70 00:00:00", "1970-01-01T00:00:00Z"),
        Row("5.1.1, 3: 99 is 1999", "1 Jan 99 00:00:00", "1999-01-01T00:00:00Z"),
        Row("5.1.1, 4: 69 is 2069", "1 Jan 69 00:00:00", "2069-01-01T00:00:00Z"),
        Row("5.1.1, 4: 00 is 2000", "1 Jan 00 00:00:00", "2000-01-01T00:00:00Z"),
        Row("5.1.1, 4: 0099 is 1999, too", "1 Jan 0099 00:00:00", "1999-01-01T00:00:00Z"),
        Row("5.1.1, 5: 1601", "1 Jan 1601 00:00:00", "1601-01-01T00:00:00Z"),
        Row("5.1.1, 5: before 1601", "31 Dec 1600 23:59:59", nil),
        Row("5.1.1, 5: three digits", "1 Jan 100 00:00:00", nil),
        Row("5.1.1, 5: 9999", "31 Dec 9999 23:59:59", "9999-12-31T23:59:59Z"),
        Row("5.1.1, 2.4: five digits", "1 Jan 10000 00:00:00", nil),
        Row("5.1.1, 2.2: three digits are no day", "009 Jun 2021 10:18:14", nil),
        Row("5.1.1, 2.1: three digits are no hour", "9 Jun 2021 010:18:14", nil),
        Row("5.1.1, 2.1: three digits are no second", "9 Jun 2021 10:18:140", nil),
        Row("5.1.1, 2.1: a field is missing", "9 Jun 2021 10:18", nil),
        Row("5.1.1, 2.1: a field is empty", "9 Jun 2021 10::14", nil),
        Row("5.1.1, 5: no day", "Jun 2021 10:18:14", nil),
        Row("5.1.1, 5: no month", "9 2021 10:18:14", nil),
        Row("5.1.1, 5: no year", "9 Jun 10:18:14", nil),
        Row("5.1.1, 5: no time", "9 Jun 2021", nil),
        Row("5.1.1, 5: day 0", "0 Jun 2021 10:18:14", nil),
        Row("5.1.1, 5: day 32", "32 Jan 2021 10:18:14", nil),
        Row("5.1.1, 5: hour 24", "9 Jun 2021 24:00:00", nil),
        Row("5.1.1, 5: minute 60", "9 Jun 2021 00:60:00", nil),
        Row("5.1.1, 5: second 60", "9 Jun 2021 00:00:60", nil),
        Row("5.1.1, 6: 31 June", "31 Jun 2021 10:18:14", nil),
        Row("5.1.1, 6: 29 February", "29 Feb 2021 10:18:14", nil),
        Row("5.1.1, 6: 29 February of a leap year", "29 Feb 2024 10:18:14", "2024-02-29T10:18:14Z"),
        Row("5.1.1, 6: 29 February 1900", "29 Feb 1900 10:18:14", nil),
        Row("5.1.1, 6: 29 February 2000", "29 Feb 2000 10:18:14", "2000-02-29T10:18:14Z"),
        Row("nothing", "", nil),
        Row("delimiters", " ,;-", nil),
        Row("colons", ":::: :: :", nil),
        Row("full-width digits", "９ Jun 2021 10:18:14", nil),
        Row("a long number", "9 Jun 2021 10:18:14 " + String(repeating: "9", count: 1000), "2021-06-09T10:18:14Z"),
    ]

    @Test("cookie dates are parsed as RFC 6265bis specifies", arguments: rows)
    func dates(_ row: Row) throws {
        let expected = try row.expected.map { try Date($0, strategy: .iso8601) }
        #expect(CookieDate.parse(row.text) == expected)
    }

    @Test("parsed cookie dates agree with Foundation's calendar on any day")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var random = SeededGenerator(seed: 6265)
        for _ in 0..<1000 {
            let date = Date(
                timeIntervalSince1970: TimeInterval(Int.random(in: -11_644_473_600...253_402_300_799, using: &random))
            )
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let year = try #require(parts.year)
            let month = months[try #require(parts.month) - 1]
            let (day, hour) = (try #require(parts.day), try #require(parts.hour))
            let (minute, second) = (try #require(parts.minute), try #require(parts.second))
            let text = "\(day) \(month) \(year) \(hour):\(minute):\(second)"
            #expect(CookieDate.parse(text) == date, "seed 6265: \(text)")
        }
    }
}
