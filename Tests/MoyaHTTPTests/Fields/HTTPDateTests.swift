import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Dates are parsed in all formats of HTTP (RFC 9110, 5.6.7)")
struct HTTPDateTests {
    /// A time in November 2026.
    static let now: Int64 = 1_795_000_000

    @Test(
        "a date in each format of HTTP is parsed to the second",
        arguments: [
            ("IMF-fixdate", "Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("asctime", "Sun Nov  6 08:49:37 1994", 784_111_777),
            ("asctime, two digits of a day", "Wed Nov 16 08:49:37 1994", 784_975_777),
            ("RFC 850, this century", "Friday, 01-Jan-27 00:00:00 GMT", 1_798_761_600),
            ("RFC 850, less than 50 years ahead", "Tuesday, 01-Sep-76 00:00:00 GMT", 3_366_144_000),
            ("RFC 850, more than 50 years ahead is the past", "Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
            ("RFC 850, the turn of the century", "Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800),
            ("RFC 850, the longest day's name", "Wednesday, 09-Nov-94 08:49:37 GMT", 784_370_977),
        ] as [(String, String, Int64)]
    )
    func parse(rule: String, text: String, seconds: Int64) {
        #expect(HTTPDate(text, now: Self.now)?.seconds == seconds, "\(rule)")
    }

    @Test(
        "a date that has none of HTTP's formats is rejected",
        arguments: [
            "", ",", "now", "0", "1994-11-06T08:49:37Z", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT", "Sunday, 00-Nov-94 08:49:37 GMT",
            "Sunday, 32-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 24:49:37 GMT", "Sunday, 06-Nov-94 08:60:37 GMT",
            "Sunday, 06-Nov-94 08:49:61 GMT", "Sunday, 06-Foo-94 08:49:37 GMT", "Someday, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 UTC", "Sunday, 06-Nov-94 8:049:37 GMT", "Sunday, 06-Nov-94 ::::::::: GMT",
            "Sun Nov 06 08:49:37 94", "Sun Nov  6 08:49:37 1994 ", "Sun Nov  0 08:49:37 1994",
            "Sun Nov 32 08:49:37 1994", "Foo Nov  6 08:49:37 1994", "Sun Foo  6 08:49:37 1994",
            "Sun Nov  6 08:49:61 1994", "Sun Nov  6 08.49.37 1994", "Sun Nov  6 08:49:37 0000",
            "Sün Nov 6 08:49:37 1994", "Sunday, 06-Növ-9 08:49:37 GMT", String(repeating: "\u{1F4A3}", count: 6),
        ]
    )
    func refuse(_ text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }

    @Test(
        "the year of an RFC 850 date is interpreted relative to any time",
        arguments: [Int64.min, -1, 0, 253_402_300_799, .max]
    )
    func anyTime(_ now: Int64) {
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: now) != nil)
    }
}
