import HTTPTypes
import Testing

@testable import MoyaHTTP

@Suite("The Strict-Transport-Security field is parsed (RFC 6797, section 6.1)")
struct StrictTransportSecurityFieldTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let value: String
        /// `nil` if the field is ignored.
        let maxAge: Double?
        let includesSubdomains: Bool

        init(_ rule: String, _ value: String, _ maxAge: Double?, subdomains: Bool = false) {
            self.rule = rule
            self.value = value
            self.maxAge = maxAge
            includesSubdomains = subdomains
        }

        var testDescription: String { "\(rule): \(value)" }
    }

    static let rows: [Row] = [
        Row("6.2: max-age", "max-age=31536000", 31_536_000),
        Row("6.2: subdomains", "max-age=15768000 ; includeSubDomains", 15_768_000, subdomains: true),
        Row("6.2: a quoted max-age", "max-age=\"31536000\"", 31_536_000),
        Row("6.2: the end of a policy", "max-age=0", 0),
        Row("6.2: the end of a policy", "max-age=0; includeSubDomains", 0, subdomains: true),
        Row("6.1, 1: any order", "includeSubDomains;max-age=1", 1, subdomains: true),
        Row("6.1, 3: any case", "MAX-Age=1; includesubdomains", 1, subdomains: true),
        Row("6.1: empty directives", ";; max-age=1 ; ;", 1),
        Row("6.1: spaces", " \tmax-age = 1\t", 1),
        Row("6.1: a quoted pair", "max-age=\"\\1\"", 1),
        Row("6.1, 5: unknown directives", "max-age=1; preload; x=\"a;b=,\"; y=z", 1),
        Row("6.1, 2: max-age twice", "max-age=1; max-age=1", nil),
        Row("6.1, 2: includeSubDomains twice", "includeSubDomains; max-age=1; INCLUDESUBDOMAINS", nil),
        Row("6.1, 2: an unknown directive twice", "max-age=1; x; X=1", nil),
        Row("6.1.1: no max-age", "includeSubDomains", nil),
        Row("6.1.1: no max-age", "", nil),
        Row("6.1.1: no max-age", " ; ", nil),
        Row("6.1.1: no value", "max-age", nil),
        Row("6.1.1: no value", "max-age=; includeSubDomains", nil),
        Row("6.1.1: no digit", "max-age=\"\"", nil),
        Row("6.1.1: a sign", "max-age=-1", nil),
        Row("6.1.1: a fraction", "max-age=1.5", nil),
        Row("6.1.1: a unit", "max-age=1s", nil),
        Row("6.1.1: other digits", "max-age=١", nil),
        Row("6.1.1: a long number", "max-age=\(String(repeating: "9", count: 400))", 2_147_483_648),
        Row("6.1.2: includeSubDomains with a value", "max-age=1; includeSubDomains=1", nil),
        Row("6.1.2: includeSubDomains with a value", "max-age=1; includeSubDomains=\"\"", nil),
        Row("6.1, 4: two values", "max-age=1 2", nil),
        Row("6.1, 4: a list", "max-age=1, max-age=2", nil),
        Row("6.1, 4: no name", "max-age=1; =2", nil),
        Row("6.1, 4: no end of a quoted string", "max-age=\"1", nil),
        Row("6.1, 4: text after a quoted string", "max-age=\"1\"2", nil),
        Row("6.1, 4: two signs of equality", "max-age=1; x=y=z", nil),
        Row("6.1, 4: a name that is no token", "max-age=1; ü", nil),
    ]

    @Test("a field is read, or ignored as a whole if a part of it is invalid", arguments: rows)
    func value(_ row: Row) {
        let field = StrictTransportSecurityField(row.value)
        #expect(field?.maxAge == row.maxAge)
        #expect(field?.includesSubdomains == row.maxAge.map { _ in row.includesSubdomains })
    }

    @Test(
        "only the first of several fields is read (RFC 6797, section 8.1)",
        arguments: [(["max-age=1", "max-age=2"], 1), (["x", "max-age=2"], nil), ([], nil)] as [([String], Double?)]
    )
    func first(_ values: [String], maxAge: Double?) {
        var headers = HTTPFields()
        headers[fields: .strictTransportSecurity] = values.map {
            HTTPField(name: .strictTransportSecurity, value: $0)
        }
        #expect(StrictTransportSecurityField(headers)?.maxAge == maxAge)
    }
}
