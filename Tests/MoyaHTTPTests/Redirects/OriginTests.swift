import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Origins (RFC 9110, 4.3.1)")
struct OriginTests {
    @Test(
        "that are the same",
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
        "that differ",
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
        "of other URLs there are none",
        arguments: ["file:///x", "mailto:x@a.example", "ws://a.example/", "/x", "http:"]
    )
    func none(_ url: String) throws {
        #expect(Origin(try #require(URL(string: url))) == nil)
    }
}
