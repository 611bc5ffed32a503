#if Observability
import Foundation
import HTTPTypes
import MoyaHTTP
import Testing

@testable import MoyaObservability

@Suite("Attributes have the values of the conventions")
struct ConventionsTests {
    private static let urls: [(url: String, text: String)] = [
        ("https://a.example/b", "https://a.example/b"),
        ("https://a.example/b?c=d#e", "https://a.example/b?c=d#e"),
        ("https://user:pw@a.example/b", "https://REDACTED:REDACTED@a.example/b"),
        ("https://user@a.example/b?sig=1", "https://REDACTED:REDACTED@a.example/b?sig=REDACTED"),
        ("https://a.example/?color=blue&sig=s3&n=1", "https://a.example/?color=blue&sig=REDACTED&n=1"),
        (
            "https://a.example/?AWSAccessKeyId=A&Signature=B&x=",
            "https://a.example/?AWSAccessKeyId=REDACTED&Signature=REDACTED&x="
        ),
        (
            "https://a.example/?X-Amz-Signature=1&X-Amz-Credential=2",
            "https://a.example/?X-Amz-Signature=REDACTED&X-Amz-Credential=REDACTED"
        ),
        ("https://a.example/?X-Amz-Security-Token=1", "https://a.example/?X-Amz-Security-Token=REDACTED"),
        ("https://a.example/?X-Goog-Signature=1", "https://a.example/?X-Goog-Signature=REDACTED"),
        // Our own mask knows more names, which the conventions do not.
        ("https://a.example/?access_token=1&q=2", "https://a.example/?access_token=REDACTED&q=2"),
        ("https://a.example/?%73ig=1", "https://a.example/?%73ig=REDACTED"),
        ("https://a.example/?signal=1", "https://a.example/?signal=1"),
    ]

    @Test("url.full has neither credentials nor the values of sensitive parameters", arguments: urls)
    func redactedURL(row: (url: String, text: String)) throws {
        let url = try #require(URL(string: row.url))
        #expect(RedactedURL(sensitiveQueryKeys: HTTPConventions.sensitiveQueryKeys).text(of: url) == row.text)
    }

    @Test("the application's list replaces the sensitive parameters of the conventions")
    func ownSensitiveKeys() throws {
        let url = try #require(URL(string: "https://a.example/?color=blue&AWSAccessKeyIdentifier=1"))
        #expect(
            RedactedURL(sensitiveQueryKeys: ["color"]).text(of: url)
                == "https://a.example/?color=REDACTED&AWSAccessKeyIdentifier=1"
        )
    }

    private static let servers: [(url: String, host: String?, address: String, port: Int)] = [
        ("http://a.example/b", nil, "a.example", 80),
        ("https://A.Example/b", nil, "a.example", 443),
        ("https://a.example:8443/", nil, "a.example", 8443),
        ("http://127.0.0.1:80/", nil, "127.0.0.1", 80),
        ("http://[::1]/", nil, "::1", 80),
        ("http://[2001:db8::1]:8080/", nil, "2001:db8::1", 8080),
        ("http://10.0.0.1/", "virtual.example", "virtual.example", 80),
        ("https://10.0.0.1:1/", "virtual.example:8443", "virtual.example", 8443),
        ("http://10.0.0.1/", "[::1]:81", "::1", 81),
        ("https://10.0.0.1/", "[::1]", "::1", 443),
    ]

    @Test("server.address and server.port are those of the Host field", arguments: servers)
    func serverName(row: (url: String, host: String?, address: String, port: Int)) throws {
        var fields = HTTPFields()
        if let host = row.host { fields[try #require(HTTPField.Name("Host"))] = host }
        let name = ServerName(of: try #require(URL(string: row.url)), fields)
        #expect(name == ServerName(address: row.address, port: row.port))
    }

    @Test("a span is named by the method and the template, and by HTTP for an unknown method")
    func spanNames() {
        let known = HTTPConventions.knownMethods(in: [:])
        let rows: [(method: String, template: String?, value: String, original: String?, name: String)] = [
            ("GET", nil, "GET", nil, "GET"),
            ("QUERY", "/a/{b}", "QUERY", nil, "QUERY /a/{b}"),
            ("get", nil, "_OTHER", "get", "HTTP"),
            ("PURGE", "/a", "_OTHER", "PURGE", "HTTP /a"),
        ]
        for row in rows {
            let name = MethodName(HTTPMethod(rawValue: row.method), known: known)
            #expect(name.value == row.value)
            #expect(name.original == row.original)
            #expect(name.spanName(urlTemplate: row.template) == row.name)
        }
    }

    @Test("the environment replaces the known methods")
    func knownMethods() {
        let known = HTTPConventions.knownMethods(in: ["OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS": "GET, PURGE"])
        #expect(known == ["GET", "PURGE"])
        #expect(HTTPConventions.knownMethods(in: [:]).count == 10)
    }

    private struct OwnError: Error {}

    @Test("error.type is a status, the name of a URLError's code, or the name of a type")
    func errorTypes() {
        #expect(ErrorType.of(status: 399) == nil)
        #expect(ErrorType.of(status: 404) == "404")
        #expect(ErrorType.of(URLError(.timedOut)) == "timedOut")
        #expect(ErrorType.of(URLError(.serverCertificateUntrusted)) == "serverCertificateUntrusted")
        #expect(ErrorType.of(OwnError()) == "OwnError")
        #expect(ErrorType.of(RequestValidationError.invalidURL("x")) == "RequestValidationError")
    }

    @Test("network.protocol.version is the number of the version")
    func versions() {
        let rows: [(String?, String?)] = [
            ("HTTP/1.0", "1.0"), ("HTTP/1.1", "1.1"), ("HTTP/2", "2"), ("HTTP/2.0", "2"), ("HTTP/3", "3"), (nil, nil),
            ("other", nil),
        ]
        for (version, number) in rows { #expect(ProtocolVersion.of(version) == number) }
    }
}
#endif
