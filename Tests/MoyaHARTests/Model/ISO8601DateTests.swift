import Foundation
import TestSupport
import Testing

@testable import MoyaHAR

@Suite("Dates in HAR files are parsed and written")
struct ISO8601DateTests {
    @Test(
        "HAR dates with or without fractions and offsets are parsed",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00", 0),
            ("1970-01-01", 0),
            ("1970-01-01T01:00:00.5+01:00", 0.5),
            ("1970-01-01T00:00:00.123456789Z", 0.123456789),
            ("1970-01-01T00:00:01,25z", 1.25),
            ("1969-12-31T19:00-0500", 0),
            ("1969-12-31 23:30:00-00:30", 0),
            ("2000-02-29T12:00:00+00", 951_825_600),
            ("2024-02-29T00:00:00.000Z", 1_709_164_800),
            ("0001-01-01T00:00:00Z", -62_135_596_800),
            // This is the last date that can be written.
            ("9999-12-31T23:59:60Z", 253_402_300_799),
        ]
    )
    func reads(_ text: String, _ seconds: Double) throws {
        let date = try #require(ISO8601Date.date(of: text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
    }

    @Test(
        "invalid HAR dates are not parsed",
        arguments: [
            "", "now", "1970", "1970-13-01T00:00:00Z", "1970-01-32", "1970-00-01", "1970-01-00", "1970-01-01T",
            "1970-01-01T25:00",
            "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00+",
            "1970-01-01T00:00:00+1",
            "1970-01-01T00:00:00Zx", "-970-01-01", "１９７０-01-01", "1970-01-01T00:00:00+25:00",
            String(repeating: "1", count: 1000), "1970-01-01T00:00:00." + String(repeating: "0", count: 60),
        ]
    )
    func refuses(_ text: String) { #expect(ISO8601Date.date(of: text) == nil) }

    @Test("HAR dates are written in UTC to the millisecond or the microsecond, and parsed back unchanged")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 20_261_122)
        for _ in 0..<2_000 {
            let milliseconds = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            let text = ISO8601Date.text(of: date)
            let back = try #require(ISO8601Date.date(of: text), "\(text)")
            #expect(abs(back.timeIntervalSince(date)) < 0.0006, "\(text)")
        }
        #expect(ISO8601Date.text(of: Date(timeIntervalSince1970: 951_825_600.0625)) == "2000-02-29T12:00:00.062500Z")
        #expect(ISO8601Date.text(of: Date(timeIntervalSince1970: -0.001)) == "1969-12-31T23:59:59.999Z")
    }

    @Test(
        "dates beyond the range of HAR dates are written as the nearest date in range",
        arguments: [Double.infinity, -.infinity, .nan, 1e300]
    )
    func extremes(_ seconds: Double) {
        #expect(ISO8601Date.date(of: ISO8601Date.text(of: Date(timeIntervalSince1970: seconds))) != nil)
    }
}
