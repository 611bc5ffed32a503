import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("Patterns and the names in certificates match hosts")
struct HostNameTests {
    @Test(
        "a host pattern matches a host in any spelling, and its wildcard matches exactly one label",
        arguments: [
            ("example.com", "example.com", true), ("Example.COM", "eXample.com", true),
            ("example.com", "example.com.", true), ("example.com.", "example.com", true),
            ("example.com", "www.example.com", false), ("*.example.com", "www.example.com", true),
            ("*.example.com", "example.com", false), ("*.example.com", "a.b.example.com", false),
            ("*.example.com", ".example.com", false), ("*.example.com", "wwwexample.com", false),
            ("localhost", "localhost", true), ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
            ("::1", "[::1]", true), ("[0:0::0:1]", "::1", true), ("::1", "::2", false),
            ("a_b.example.com", "a_b.example.com", true), ("xn--bcher-kva.example", "xn--bcher-kva.example", true),
        ]
    )
    func match(_ pattern: String, _ host: String, isMatch: Bool) throws {
        #expect(try #require(HostName.Pattern(pattern)).matches(HostName(host)) == isMatch)
    }

    @Test(
        "an invalid host pattern is rejected",
        arguments: [
            "", ".", "*", "*.", "*.com", "*.*.example.com", "a.*.example.com", "*a.example.com", "a*.example.com",
            "example..com", ".example.com", "example.com:443", "https://example.com", "example.com/", "bücher.example",
            "exam ple.com", "user@example.com", "*.127.0.0.1:80", "a\0.example.com",
        ]
    )
    func invalid(_ pattern: String) { #expect(HostName.Pattern(pattern) == nil) }

    @Test(
        "the names of a certificate match a host by the rules of RFC 9525, section 6",
        arguments: [
            (["example.com"], "example.com", true), (["*.example.com"], "a.example.com", true),
            (["*.example.com"], "example.com", false), (["*.example.com"], "a.b.example.com", false),
            (["a*.example.com"], "ab.example.com", false), (["*"], "example.com", false),
            (["*.com"], "example.com", false),
            (["127.0.0.1"], "127.0.0.1", false), (["x", "EXAMPLE.com"], "example.COM", true),
            (["example.com\0.evil.example"], "example.com", false), ([], "example.com", false),
            (["*.0.0.1"], "127.0.0.1", false),
        ] as [([String], String, Bool)]
    )
    func names(_ names: [String], _ host: String, isMatch: Bool) {
        #expect(CertificateFields.Names(dns: names).matches(host: host) == isMatch)
    }

    @Test("an IP address matches itself in every spelling")
    func addresses() {
        let names = CertificateFields.Names(
            addresses: [Data([127, 0, 0, 1]), Data([UInt8](repeating: 0, count: 15) + [1]), Data([1, 2])]
        )
        for (host, isMatch) in [
            ("127.0.0.1", true), ("127.0.0.2", false), ("[::1]", true), ("0:0::1", true), ("::2", false),
        ] {
            #expect(names.matches(host: host) == isMatch, "\(host)")
        }
        #expect(names.texts == ["127.0.0.1", "::1", "1:2"])
    }
}
