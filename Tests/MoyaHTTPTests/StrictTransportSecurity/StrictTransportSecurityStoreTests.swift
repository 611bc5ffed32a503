import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

@Suite("A store knows the hosts that require TLS (RFC 6797)")
struct StrictTransportSecurityStoreTests {
    private typealias Policy = StrictTransportSecurityPolicy

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        /// The URL whose response has the field.
        let source: String
        let field: String
        /// The URL of the next request.
        let url: String
        let isUpgraded: Bool

        init(_ rule: String, _ source: String, _ url: String, _ isUpgraded: Bool, field: String = "max-age=1") {
            self.rule = rule
            self.source = source
            self.field = field
            self.url = url
            self.isUpgraded = isUpgraded
        }

        var testDescription: String { "\(rule): \(url) after \(source)" }
    }

    private static let all = "max-age=1; includeSubDomains"

    static let rows: [Row] = [
        Row("8.2: congruent", "https://a.example/", "http://a.example/", true),
        Row("8.2: any case", "https://A.Example/", "http://a.eXAMPLE/", true),
        Row("8.2: another host", "https://a.example/", "http://b.example/", false),
        Row("8.2: a longer label", "https://a.example/", "http://xa.example/", false, field: all),
        Row("8.2: a superdomain with subdomains", "https://a.example/", "http://x.a.example/", true, field: all),
        Row("8.2: a superdomain with subdomains", "https://a.example/", "http://x.y.a.example/", true, field: all),
        Row("8.2: a superdomain without subdomains", "https://a.example/", "http://x.a.example/", false),
        Row("8.2: a subdomain", "https://x.a.example/", "http://a.example/", false, field: all),
        Row("8.2: a top-level domain", "https://example/", "http://a.example/", true, field: all),
        Row("8.2: one label", "https://localhost/", "http://localhost/", true),
        Row("8.2: a dot at the end", "https://a.example/", "http://a.example./", true),
        Row("8.2: a dot at the end", "https://a.example./", "http://x.a.example/", true, field: all),
        Row("8.2: two dots at the end", "https://a.example../", "http://a.example/", false),
        Row("8.2: A-labels", "https://xn--bcher-kva.example/", "http://XN--bcher-kva.example/", true),
        Row("8.2: U-labels", "https://xn--bcher-kva.example/", "http://bücher.example/", true),
        Row("8.2: U-labels", "https://BÜCHER.example/", "http://x.xn--bcher-kva.example/", true, field: all),
        Row("8.2: another port", "https://a.example:8443/", "http://a.example:8080/", true),
        Row("8.2: a user name", "https://a.example/", "http://u:p@a.example/", true),
        Row("8.1: not over TLS", "http://a.example/", "http://a.example/", false),
        Row("8.1: no host", "https://a.example/", "http://b.example/a.example", false),
        Row("8.1.1: IPv4", "https://127.0.0.1/", "http://127.0.0.1/", false),
        Row("8.1.1: IPv4 as one number", "https://2130706433/", "http://2130706433/", false),
        Row("8.1.1: IPv4 in two numbers", "https://127.1/", "http://127.1/", false),
        Row("8.1.1: IPv4 in hexadecimal digits", "https://0x7f.0x1/", "http://0x7f.0x1/", false),
        Row("8.1.1: IPv4 with a dot", "https://127.0.0.1./", "http://127.0.0.1./", false),
        Row("8.1.1: IPv6", "https://[::1]/", "http://[::1]/", false),
        Row("8.1.1: IPv6 with a zone", "https://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]/", false),
        Row("6.1: an invalid field", "https://a.example/", "http://a.example/", false, field: "max-age"),
        Row("6.1.1: max-age=0", "https://a.example/", "http://a.example/", false, field: "max-age=0"),
        Row("8.3: https already", "https://a.example/", "https://a.example/", false),
        Row("8.3: another scheme", "https://a.example/", "ftp://a.example/", false),
    ]

    private func record(
        _ field: String,
        from url: String,
        status: Int = 200,
        in store: StrictTransportSecurityStore
    ) throws {
        let response = TransportResponse(status: status, headers: [.strictTransportSecurity: field])
        store.record(response, from: try #require(URL(string: url)))
    }

    private func isUpgraded(_ url: String, by store: StrictTransportSecurityStore) throws -> Bool {
        store.upgradedURL(for: try #require(URL(string: url))) != nil
    }

    @Test("the policy of a host applies to the host, and to its subdomains if it includes them", arguments: rows)
    func hosts(_ row: Row) throws {
        let store = StrictTransportSecurityStore()
        try record(row.field, from: row.source, in: store)
        #expect(try isUpgraded(row.url, by: store) == row.isUpgraded)
    }

    @Test(
        "http becomes https, port 80 becomes 443, and nothing else changes (RFC 6797, section 8.3)",
        arguments: [
            ("http://a.example", "https://a.example"),
            ("http://a.example/", "https://a.example/"),
            ("http://a.example:80/x", "https://a.example:443/x"),
            ("http://a.example:080/x", "https://a.example:443/x"),
            ("http://a.example:8080/x", "https://a.example:8080/x"),
            ("http://a.example:443/x", "https://a.example:443/x"),
            ("http://a.example:/x", "https://a.example:/x"),
            ("http://a.example.:80/", "https://a.example.:443/"),
            ("HTTP://A.Example:80/P?q=http://a.example:80/#f", "https://A.Example:443/P?q=http://a.example:80/#f"),
            ("http://a.example/a%20b%2Fc?d%25e=:80#g%2F", "https://a.example/a%20b%2Fc?d%25e=:80#g%2F"),
            ("http://a.example?q", "https://a.example?q"),
            ("http://u:80@a.example/", "https://u:80@a.example/"),
        ]
    )
    func url(_ url: String, _ expected: String) throws {
        let store = StrictTransportSecurityStore(policies: [Policy(host: "a.example", expires: .distantFuture)])
        #expect(store.upgradedURL(for: try #require(URL(string: url)))?.absoluteString == expected)
    }

    @Test("a later field of a host replaces or ends its policy, and no other policy (RFC 6797, section 8.1)")
    func replacing() throws {
        let time = Locked(Date(timeIntervalSince1970: 0))
        let store = StrictTransportSecurityStore { time.withLock { $0 } }
        try record("max-age=100; includeSubDomains", from: "https://a.example/", in: store)
        try record("max-age=100", from: "https://x.a.example/", in: store)
        time.withLock { $0 += 99 }
        #expect(try isUpgraded("http://y.a.example/", by: store))
        try record("max-age=100", from: "https://a.example/", in: store)
        #expect(try !isUpgraded("http://y.a.example/", by: store))
        time.withLock { $0 += 1 }
        #expect(try !isUpgraded("http://x.a.example/", by: store))
        #expect(try isUpgraded("http://a.example/", by: store))
        try record("max-age=0", from: "https://x.a.example/", in: store)
        #expect(try isUpgraded("http://a.example/", by: store))
        try record("max-age=0", from: "https://A.example./", in: store)
        #expect(try !isUpgraded("http://a.example/", by: store))
    }

    @Test("a subdomain with max-age=0 keeps the policy of its superdomain (RFC 6797, section 8.2)")
    func endOfSubdomain() throws {
        let store = StrictTransportSecurityStore()
        try record(Self.all, from: "https://a.example/", in: store)
        try record("max-age=0", from: "https://x.a.example/", in: store)
        #expect(try isUpgraded("http://x.a.example/", by: store))
    }

    @Test("the response of a proxy sets no policy")
    func proxy() throws {
        let store = StrictTransportSecurityStore()
        try record("max-age=1", from: "https://a.example/", status: 407, in: store)
        #expect(store.policies.isEmpty)
    }

    @Test("a store has a maximum number of hosts, and the host that was not used for the longest time is removed")
    func maximum() throws {
        let time = Locked(Date(timeIntervalSince1970: 0))
        let store = StrictTransportSecurityStore(maximumHostCount: 3) { time.withLock { $0 } }
        for host in ["a", "b", "c"] { try record("max-age=100", from: "https://\(host).example/", in: store) }
        #expect(try isUpgraded("http://a.example/", by: store))
        for number in 0..<10 {
            try record("max-age=10", from: "https://h\(number).example/", in: store)
            #expect(try isUpgraded("http://a.example/", by: store))
        }
        #expect(store.policies.map(\.host) == ["a.example", "h8.example", "h9.example"])
        // Expired policies are removed first.
        time.withLock { $0 += 10 }
        try record("max-age=100", from: "https://d.example/", in: store)
        try record("max-age=100", from: "https://e.example/", in: store)
        #expect(store.policies.map(\.host) == ["a.example", "d.example", "e.example"])

        let none = StrictTransportSecurityStore(maximumHostCount: 0)
        try record("max-age=1", from: "https://a.example/", in: none)
        #expect(none.policies.isEmpty)
    }

    @Test("the policies of a store, encoded and decoded, are those of another store")
    func policies() throws {
        let now = Date(timeIntervalSince1970: 1_000)
        let store = StrictTransportSecurityStore { now }
        try record("max-age=100; includeSubDomains", from: "https://B.example/", in: store)
        try record("max-age=50", from: "https://a.example/", in: store)
        #expect(
            store.policies == [
                Policy(host: "a.example", expires: now + 50),
                Policy(host: "b.example", includesSubdomains: true, expires: now + 100),
            ]
        )
        let data = try JSONEncoder().encode(store.policies)
        let policies = try JSONDecoder().decode([StrictTransportSecurityPolicy].self, from: data)
        let later = StrictTransportSecurityStore(policies: policies) { now + 60 }
        #expect(later.policies == [Policy(host: "b.example", includesSubdomains: true, expires: now + 100)])
        #expect(try isUpgraded("http://x.b.example/", by: later))
        later.removeAll()
        #expect(later.policies.isEmpty)
        #expect(store.policies.count == 2)
    }

    @Test(
        "a store ignores given policies of hosts that cannot have one",
        arguments: [
            "127.0.0.1", "[::1]", "::1", "", ".", "a..example", ".example", String(repeating: "a.", count: 200),
        ]
    )
    func invalidHosts(_ host: String) {
        let store = StrictTransportSecurityStore(policies: [Policy(host: host, expires: .distantFuture)])
        #expect(store.policies.isEmpty)
    }
}
