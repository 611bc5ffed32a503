import Foundation
import Testing

@testable import MoyaHTTP

@Suite("An origin consists of scheme, host and port (RFC 9110, 4.3.1)")
struct OriginTests {
    @Test(
        "URLs with the same scheme, host and port have equal origins",
        arguments: [
            ("http://a.example", "http://a.example/x?y#z"), ("http://a.example", "http://a.example:80/"),
            ("https://a.example", "https://a.example:443/"), ("HTTPS://A.Example/", "https://a.example/"),
            ("http://[::1]/", "http://[::1]:80/"), ("http://u:p@a.example/", "http://a.example/"),
        ]
    )
    func same(_ first: String, _ second: String) throws {
        let origins = try [first, second].map { Origin(try #require(URL(string: $0))) }
        #expect(origins[0] != nil)
        #expect(origins[0] == origins[1])
    }

    @Test(
        "URLs that differ in scheme, host or port have different origins",
        arguments: [
            ("scheme", "http://a.example/", "https://a.example/"),
            ("scheme, the same port", "http://a.example:443/", "https://a.example/"),
            ("host", "http://a.example/", "http://b.example/"),
            ("a subdomain", "http://a.example/", "http://x.a.example/"),
            ("port", "http://a.example/", "http://a.example:8080/"),
            ("a dot", "http://a.example/", "http://a.example./"),
            ("a longer name", "http://a.example/", "http://a.example.b.example/"),
            ("an address in another form", "http://127.0.0.1/", "http://127.1/"),
        ]
    )
    func different(rule: String, _ first: String, _ second: String) throws {
        let origins = try [first, second].map { Origin(try #require(URL(string: $0))) }
        #expect(origins[0] != nil && origins[1] != nil, "\(rule)")
        #expect(origins[0] != origins[1], "\(rule)")
    }

    @Test(
        "a URL with a scheme other than http and https, or without a host, has no origin",
        arguments: ["file:///x", "mailto:x@a.example", "ws://a.example/", "/x", "http:"]
    )
    func none(_ url: String) throws {
        #expect(Origin(try #require(URL(string: url))) == nil)
    }

    /// curl 7.88 and Go 1.19 send the same field.
    @Test(
        "the Host field has no zone (RFC 6874, section 4), and URLs with different zones have different origins",
        arguments: [
            ("http://[fe80::1%25eth0]/", "[fe80::1]"), ("http://[fe80::1%25eth0]:8080/x", "[fe80::1]:8080"),
            ("https://[FE80::1%251]:443/", "[fe80::1]"), ("http://[::1]/", "[::1]"),
        ]
    )
    func hostHeader(_ url: String, _ header: String) throws {
        let url = try #require(URL(string: url))
        let origin = try #require(Origin(url))
        #expect(origin.hostHeader == header)
        #expect(!header.contains("fe80") || origin != Origin(scheme: origin.scheme, host: "fe80::1", port: origin.port))
    }

    @Test(
        "a request target in absolute form has no zone",
        arguments: [
            ("http://[fe80::1%25eth0]:80/a%25b?c#d", "http://[fe80::1]:80/a%25b?c"),
            ("http://u:p@[fe80::1%251]", "http://[fe80::1]/"), ("http://a.example/b%25c", "http://a.example/b%25c"),
        ]
    )
    func absoluteTarget(_ url: String, _ target: String) throws {
        #expect(try #require(URL(string: url)).absoluteTarget == target)
    }
}
