#if NIO && !canImport(Darwin)
import HTTPTypes
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Alternatives of origins are parsed and remembered (RFC 7838)")
struct AlternativeServiceTests {
    private typealias Alternative = AlternativeServiceField.Alternative

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let values: [String]
        /// `nil` if the fields are ignored.
        let alternatives: [AlternativeServiceField.Alternative]?

        init(_ rule: String, _ values: String..., is alternatives: [AlternativeServiceField.Alternative]?) {
            (self.rule, self.values, self.alternatives) = (rule, values, alternatives)
        }

        var testDescription: String { "\(rule): \(values)" }
    }

    private static func alternative(_ port: Int, host: String? = nil, maxAge: Double = 86_400) -> Alternative {
        Alternative(host: host, port: port, maxAge: maxAge)
    }

    static let rows: [Row] = [
        Row("3: a port", "h2=\":8000\"", is: [alternative(8_000)]),
        Row("3: a host", "h2=\"alt.example.com:443\"", is: [alternative(443, host: "alt.example.com")]),
        Row("3: an IPv6 address", "h2=\"[2001:db8::1]:443\"", is: [alternative(443, host: "2001:db8::1")]),
        Row("3: preference", "h2=\"a:1\", h2=\":2\"", is: [alternative(1, host: "a"), alternative(2)]),
        Row("3: several fields", "h2=\":1\"", "h2=\":2\"", is: [alternative(1), alternative(2)]),
        Row("3: another protocol", "h3=\":443\"; ma=2592000", is: []),
        Row("3: another protocol", "h3=\":443\", h2=\":444\"", is: [alternative(444)]),
        Row("3: another protocol", "w%3Dx%3Ay#z=\":443\"", is: []),
        Row("3: one spelling of an identifier", "%682=\":443\", H2=\":443\"", is: []),
        Row("3.1: ma", "h2=\":1\"; ma=60", is: [alternative(1, maxAge: 60)]),
        Row("3.1: ma", "h2=\":1\" ;\tMA=\"60\"; persist=1; x=\"a,;b\"", is: [alternative(1, maxAge: 60)]),
        Row("3.1: ma=0", "h2=\":1\"; ma=0", is: []),
        Row("3: clear", "clear", is: []),
        Row("3: clear beside alternatives", "h2=\":1\", clear", is: []),
        Row("3: clear is case-sensitive", "Clear", is: nil),
        Row("3: clear is no prefix", "clear x", is: nil),
        Row("3: empty elements", " , h2=\":1\",, ", is: [alternative(1)]),
        Row("3: no quotes", "h2=:1", is: nil),
        Row("3: no port", "h2=\"a\", h2=\"a:\"", is: nil),
        Row("3: a port out of range", "h2=\":0\", h2=\":65536\", h2=\":+1\"", is: nil),
        Row("3: a host with other characters", "h2=\"a/b:1\", h2=\"a b:1\", h2=\"u@a:1\"", is: nil),
        Row("3: an address without brackets", "h2=\"::1:443\"", is: nil),
        Row("3: an open quoted string", "h2=\":1", is: nil),
        Row("3: an invalid parameter", "h2=\":1\"; ma", "h2=\":2\"; ma=x", "h2=\":3\"; =1", is: nil),
        Row("3: an invalid element beside a valid one", "x, \"h2=,\", h2=\":1\"", is: [alternative(1)]),
        Row("3: empty", "", is: nil),
    ]

    @Test("the alternatives for HTTP/2 are read from fields, and invalid elements are ignored", arguments: rows)
    func field(_ row: Row) { #expect(AlternativeServiceField(row.values)?.alternatives == row.alternatives) }

    @Test("the age of a response shortens the lifetime of its alternatives (RFC 7838, section 3.1)")
    func age() throws {
        var headers: HTTPFields = [.age: "40"]
        #expect(AlternativeServiceField(headers) == nil)
        headers[try #require(AlternativeServiceField.name)] = "h2=\":1\"; ma=100, h2=\":2\"; ma=40"
        #expect(AlternativeServiceField(headers)?.alternatives == [Self.alternative(1, maxAge: 60)])
    }

    private let origin = Origin(scheme: "https", host: "a.test", port: 443)

    private func place(_ port: Int, host: String = "a.test") -> Origin {
        Origin(scheme: "https", host: host, port: port)
    }

    private func field(_ value: String) throws -> AlternativeServiceField {
        try #require(AlternativeServiceField([value]))
    }

    @Test("the first alternative that is fresh and has not failed is used, and the next field replaces all")
    func cache() throws {
        var cache = AlternativeServiceCache()
        #expect(cache.alternative(for: origin, at: .zero) == nil)
        try cache.store(field("h2=\"b.test:1\"; ma=10, h2=\":2\"; ma=1000"), for: origin, at: .zero)
        #expect(cache.alternative(for: origin, at: .seconds(9)) == place(1, host: "b.test"))
        #expect(cache.alternative(for: place(444), at: .seconds(9)) == nil)
        #expect(cache.alternative(for: origin, at: .seconds(10)) == place(2))

        cache.markBroken(place(2), of: origin, at: .seconds(10))
        #expect(cache.alternative(for: origin, at: .seconds(10)) == nil)
        // The origin sends the field with each response.
        try cache.store(field("h2=\":2\"; ma=1000"), for: origin, at: .seconds(20))
        #expect(cache.alternative(for: origin, at: .seconds(309)) == nil)
        #expect(cache.alternative(for: origin, at: .seconds(310)) == place(2))

        try cache.store(field("h3=\":443\""), for: origin, at: .seconds(310))
        #expect(cache.alternative(for: origin, at: .seconds(310)) == nil)
        #expect(cache.count == 0)
    }

    @Test("an origin that prefers its own host and port is used")
    func own() throws {
        var cache = AlternativeServiceCache()
        try cache.store(field("h2=\"A.test:443\", h2=\":2\""), for: origin, at: .zero)
        #expect(cache.alternative(for: origin, at: .zero) == nil)
    }

    @Test("the number of remembered origins and alternatives has a limit")
    func limits() throws {
        var cache = AlternativeServiceCache()
        let many = (1...20).map { "h2=\":\($0)\"; ma=100" }.joined(separator: ", ")
        for port in 1...(AlternativeServiceCache.maximumOrigins + 1) {
            try cache.store(field(many), for: place(port + 1_000), at: .seconds(port))
        }
        #expect(cache.count == AlternativeServiceCache.maximumOrigins)
        let now = Duration.seconds(50)
        #expect(cache.alternative(for: place(1_001), at: now) == nil)
        let last = place(AlternativeServiceCache.maximumOrigins + 1_001)
        for port in 1...AlternativeServiceCache.maximumAlternatives {
            #expect(cache.alternative(for: last, at: now) == place(port))
            cache.markBroken(place(port), of: last, at: now)
        }
        #expect(cache.alternative(for: last, at: now) == nil)
    }
}
#endif
