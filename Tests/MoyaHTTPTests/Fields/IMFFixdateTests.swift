import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Dates are parsed and written in the preferred format (RFC 9110, 5.6.7)")
struct IMFFixdateTests {
    @Test(
        "a date is written in the preferred format",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_825_600, "Tue, 29 Feb 2000 12:00:00 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (.min, "Mon, 01 Jan 0001 00:00:00 GMT"),
        ] as [(Int64, String)]
    )
    func write(_ seconds: Int64, text: String) {
        #expect(HTTPDate(seconds: seconds).text == text)
    }

    @Test(
        "a date in the preferred format is parsed to the second",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
            // The last second is a leap second.
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ] as [(String, Int64)]
    )
    func parse(_ text: String, seconds: Int64) {
        #expect(HTTPDate(fixdate: text)?.seconds == seconds)
    }

    @Test(
        "a date in another format than the preferred one is rejected",
        arguments: [
            "", "now", "0", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37", "sun, 06 nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08-49-37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT ",
            "Sun, 06 Nov 1994 08:49:37 GMT\0", "Sün, 6 Nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
            String(repeating: "ü", count: 14) + "x",
        ]
    )
    func refuse(_ text: String) {
        #expect(HTTPDate(fixdate: text) == nil)
    }
}
