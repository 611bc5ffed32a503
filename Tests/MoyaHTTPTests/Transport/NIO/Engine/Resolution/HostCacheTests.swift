#if NIO && !canImport(Darwin)
import NIOCore
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Resolved host names are cached")
struct HostCacheTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let isFound: Bool
        var lifetime: Duration?
        var policy = HostCachePolicy()
        /// The last time at which the result is valid, and the first at which it is not.
        let last: Duration?
        let expired: Duration

        var testDescription: String { "\(isFound) \(String(describing: lifetime)) \(policy)" }
    }

    static let rows = [
        Row(isFound: true, last: .milliseconds(29_999), expired: .seconds(30)),
        Row(isFound: false, last: .milliseconds(4_999), expired: .seconds(5)),
        Row(isFound: true, lifetime: .seconds(1), last: .milliseconds(999), expired: .seconds(1)),
        Row(isFound: true, lifetime: .seconds(300), last: .seconds(299), expired: .seconds(300)),
        Row(isFound: false, lifetime: .seconds(60), last: .seconds(59), expired: .seconds(60)),
        Row(isFound: true, lifetime: .zero, last: nil, expired: .zero),
        Row(isFound: false, lifetime: .seconds(-1), last: nil, expired: .zero),
        Row(isFound: true, policy: HostCachePolicy(addressLifetime: .zero), last: nil, expired: .zero),
        Row(
            isFound: false,
            policy: HostCachePolicy(addressLifetime: .zero),
            last: .seconds(4),
            expired: .seconds(5)
        ),
        Row(isFound: false, policy: HostCachePolicy(notFoundLifetime: .zero), last: nil, expired: .zero),
        Row(
            isFound: true,
            lifetime: .seconds(Int64.max),
            last: .seconds(364 * 86_400),
            expired: .seconds(365 * 86_400)
        ),
    ]

    @Test("a cached host is valid for the lifetime of its result or of the policy", arguments: rows)
    func lifetime(_ row: Row) {
        let start = Duration.seconds(7)
        var cache = HostCache<String>()
        cache.store(row.isFound ? .addresses("1") : .notFound, for: "a", lifetime: row.lifetime, at: start)
        if let last = row.last {
            switch cache.found("a", row.policy, at: start + last) {
            case .addresses("1"): #expect(row.isFound)
            case .notFound: #expect(!row.isFound)
            default: Issue.record("It has expired.")
            }
        }
        #expect(cache.found("a", row.policy, at: start + row.expired) == nil)
        #expect(cache.found("b", row.policy, at: start) == nil)
    }

    @Test("the oldest host is evicted from the cache, and a host has one result")
    func capacity() {
        var cache = HostCache<String>(capacity: 3)
        let policy = HostCachePolicy()
        for (second, host) in ["a", "b", "a", "c", "d"].enumerated() {
            cache.store(.addresses("\(second)"), for: host, lifetime: nil, at: .seconds(second))
        }
        #expect(cache.count == 3)
        #expect(cache.found("b", policy, at: .seconds(5)) == nil)
        guard case .addresses("2")? = cache.found("a", policy, at: .seconds(5)) else {
            Issue.record("The older result of a host is kept.")
            return
        }
    }

    @Test(
        "a failed connection removes the addresses of a cached host, but not the record that a host was not found"
    )
    func removal() {
        var cache = HostCache<String>()
        cache.store(.addresses("1"), for: "a", lifetime: nil, at: .zero)
        cache.store(.notFound, for: "b", lifetime: nil, at: .zero)
        for host in ["a", "b", "c"] { cache.removeAddresses(of: host) }
        #expect(cache.found("a", HostCachePolicy(), at: .zero) == nil)
        #expect(cache.found("b", HostCachePolicy(), at: .zero) != nil)
    }
}

@Suite("The addresses of a connection attempt are ordered and limited")
struct ConnectionTargetsTests {
    @Test(
        "a connection attempt begins with the best address and alternates between the IP versions (RFC 8305, section 4)",
        arguments: [
            ([], []),
            (["192.0.2.1"], ["192.0.2.1"]),
            (["::1", "127.0.0.1"], ["::1", "127.0.0.1"]),
            (["127.0.0.1", "::1"], ["127.0.0.1", "::1"]),
            (["::1", "::2", "::3", "1.1.1.1", "1.1.1.2"], ["::1", "1.1.1.1", "::2", "1.1.1.2", "::3"]),
            (["1.1.1.1", "::1", "::2", "1.1.1.1", "::1"], ["1.1.1.1", "::1", "::2"]),
        ]
    )
    func order(_ addresses: [String], _ expected: [String]) {
        let sorted = HappyEyeballsOrder.sorted(addresses.compactMap { SocketAddress(numeric: $0) })
        #expect(sorted.map(\.ipAddress) == expected)
    }

    @Test("the addresses of a connection attempt are limited in number")
    func count() {
        let many = (0..<200).flatMap { ["10.0.0.\($0)", "fd00::\($0)"] }
        #expect(HappyEyeballsOrder.sorted(many.compactMap { SocketAddress(numeric: $0) }).count == 32)
    }

    @Test(
        "the addresses of a connection attempt are not looked up if the host is an address",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("fe80::1%lo", "fe80::1"), ("127.1", "127.0.0.1"),
            ("2130706433", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("::ffff:127.0.0.1", "::ffff:127.0.0.1"),
            ("localhost", nil), ("example.com", nil), ("1.example", nil), ("a.1b", nil), ("127.0.0.256", nil),
            ("::g", nil), ("fe80::1%nothing", nil), ("127.0.0.1:80", nil), ("", nil), (".", nil), ("12\0", nil),
        ]
    )
    func literal(_ host: String, _ address: String?) {
        #expect(SocketAddress(literal: host)?.ipAddress?.prefix { $0 != "%" } == address.map { $0[...] })
    }
}
#endif
