import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Environment variables name proxies in curl's notation")
struct EnvironmentProxiesTests {
    private static let http = TransportProxy.http(host: "p", port: 1)
    private static let other = TransportProxy.http(host: "q", port: 2)

    static let namesRows: [([String: String], http: TransportProxy?, https: TransportProxy?)] = [
        ([:], nil, nil),
        (["http_proxy": "p:1"], http, nil),
        // CGI programs get the variable from a request's Proxy header.
        (["HTTP_PROXY": "p:1"], nil, nil),
        (["https_proxy": "p:1"], nil, http),
        (["HTTPS_PROXY": "p:1"], nil, http),
        (["https_proxy": "p:1", "HTTPS_PROXY": "q:2"], nil, http),
        (["all_proxy": "p:1"], http, http),
        (["ALL_PROXY": "p:1"], http, http),
        (["all_proxy": "p:1", "ALL_PROXY": "q:2"], http, http),
        (["http_proxy": "p:1", "ALL_PROXY": "q:2"], http, other),
        (["http_proxy": "", "https_proxy": "", "ALL_PROXY": "q:2"], other, other),
        (["https_proxy": "", "HTTPS_PROXY": "q:2"], nil, other),
        (["http_proxy": "p:1", "no_proxy": "*"], nil, nil),
        (["http_proxy": "p:1", "NO_PROXY": "*"], nil, nil),
        (["http_proxy": "p:1", "no_proxy": "x", "NO_PROXY": "*"], http, nil),
        (["http_proxy": "p:1", "no_proxy": "", "NO_PROXY": "*"], nil, nil),
    ]

    @Test(
        "a proxy variable in lower case is preferred, and the scheme's variable is preferred to the general variable",
        arguments: namesRows
    )
    func names(_ environment: [String: String], http: TransportProxy?, https: TransportProxy?) throws {
        let rules = ProxyRules(environment: environment)
        #expect(try rules.proxy(for: Origin(scheme: "http", host: "a.example", port: 80)) == http)
        #expect(try rules.proxy(for: Origin(scheme: "https", host: "a.example", port: 443)) == https)
    }

    static let valuesRows: [(String, TransportProxy)] = [
        ("p", .http(host: "p", port: 1080)),
        ("p:3128", .http(host: "p", port: 3128)),
        ("http://p", .http(host: "p", port: 1080)),
        ("HTTP://p:80/", .http(host: "p", port: 80)),
        ("http://p:80/path?query", .http(host: "p", port: 80)),
        ("http://192.0.2.1:80", .http(host: "192.0.2.1", port: 80)),
        ("http://[2001:db8::1]:80", .http(host: "[2001:db8::1]", port: 80)),
        ("http://[2001:db8::1]", .http(host: "[2001:db8::1]", port: 1080)),
        ("socks5://p", .socks(host: "p", port: 1080)),
        ("socks5h://p:9050", .socks(host: "p", port: 9050)),
        ("u:w@p:80", .http(host: "p", port: 80, credential: .init(user: "u", password: "w"))),
        ("http://u@p:80", .http(host: "p", port: 80, credential: .init(user: "u", password: ""))),
        ("http://@p:80", .http(host: "p", port: 80)),
        (
            "http://u%40x:w%3A%2F%20:@p:80",
            .http(host: "p", port: 80, credential: .init(user: "u@x", password: "w:/ :"))
        ),
        ("http://u:a@b@p:80", .http(host: "p", port: 80, credential: .init(user: "u", password: "a@b"))),
        ("socks5://u:w@p", .socks(host: "p", port: 1080, credential: .init(user: "u", password: "w"))),
    ]

    @Test("the value of a proxy variable may have a scheme, a credential and a port", arguments: valuesRows)
    func values(_ value: String, _ proxy: TransportProxy) throws {
        let rules = ProxyRules(environment: ["http_proxy": value])
        #expect(try rules.proxy(for: Origin(scheme: "http", host: "a.example", port: 80)) == proxy)
    }

    static let invalidRows: [(String, isUnsupported: Bool)] = [
        ("https://secret@p", true), ("socks4://p", true), ("socks4a://p", true), ("socks://p", true),
        ("ftp://p", false), ("secret://p", false), ("http://", false), ("http://u:secret@", false),
        ("p:x", false), ("p:0", false), ("p:65536", false), ("p:99999999999999999999", false), ("u:secret", false),
        (" secret", false), ("secret word@p:x", false), ("u%3A:secret@p", false), ("u:secret%@p", false),
        ("http://[::1:80", false), ("http://a b", false), ("*.secret", false),
        ("socks5://u@p", false), ("http://p:80:80", false), ("http://u:secret%0A@p", false),
    ]

    @Test(
        "an invalid value of a proxy variable fails the requests that need it and is not shown",
        arguments: invalidRows
    )
    func invalid(_ value: String, isUnsupported: Bool) throws {
        let rules = ProxyRules(environment: ["https_proxy": value, "no_proxy": "b.example"])
        let error = #expect(throws: TransportConfigurationError.self) {
            try rules.proxy(for: Origin(scheme: "https", host: "a.example", port: 443))
        }
        switch error {
        case .unsupported(.usesSystemProxies, _, _): #expect(isUnsupported)
        case .invalid(.usesSystemProxies, _): #expect(!isUnsupported)
        default: Issue.record("\(String(describing: error))")
        }
        let text = try #require(error?.localizedDescription)
        #expect(text.contains("https_proxy") && !text.contains("secret") && !text.contains("cret@"))
        #expect(try rules.proxy(for: Origin(scheme: "http", host: "a.example", port: 80)) == nil)
        #expect(try rules.proxy(for: Origin(scheme: "https", host: "b.example", port: 443)) == nil)
    }

    /// Compared with curl 7.88, which does not support ports and brackets, and compares IPv6 networks as text.
    static let exceptionsRows: [(String, String, isDirect: Bool)] = [
        ("a.example", "*", true), ("a.example", "*,b", false), ("a.example", "", false), ("a.example", ", ,", false),
        ("a.example", "example", true), ("a.example", ".example", true), ("a.example", "..example", false),
        ("example", ".example", true), ("a.example", "*.example", false), ("na.example", "a.example", false),
        ("a.example", "x b.example a.example", true), ("a.example", "x,\ta.example", true),
        ("a.example", "x;a.example", false), ("a.example.", "a.example", true), ("a.example", "a.example.", true),
        ("A.example", "a.EXAMPLE", true), ("b.a.example", "a.example", true), ("localhost", "", false),
        ("127.0.0.1", "localhost", false), ("localhost", "localhost", true),
        ("a.example", "a.example:80", true), ("a.example", "a.example:81", false), ("a.example", "a.example:x", false),
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.7:80", true), ("192.0.2.7", "192.0.2.7:81", false),
        ("192.0.2.7", "192.0.2.0/24", true), ("192.0.2.7", "192.0.2.0/29", true), ("192.0.2.7", "192.0.2.0/30", false),
        ("192.0.2.7", "192.0.2.7/32", true), ("192.0.2.7", "192.0.2.0/33", false), ("192.0.2.7", "0.0.0.0/0", true),
        ("192.0.2.7", "192.0.2.0/", false), ("192.0.2.7", "192.0.2.0/-1", false),
        ("192.0.2.7", "192.0.2.0/24/8", false),
        ("192.0.2.7", "2.7", false), ("192.0.2.7", ".7", false), ("192.0.2.7", "192.0.2", false),
        ("192.0.2.7", "::/0", false), ("a.example", "0.0.0.0/0", false),
        ("2001:db8::1", "2001:db8::1", true), ("2001:db8::1", "[2001:db8::1]", true),
        ("[2001:db8::1]", "2001:DB8:0::1", true), ("2001:db8::1", "2001:db8::/32", true),
        ("2001:db9::1", "2001:db8::/32", false), ("2001:db8::1", "[2001:db8::1]:80", true),
        ("2001:db8::1", "[2001:db8::1]:81", false), ("2001:db8::1", "2001:db8::/129", false),
    ]

    @Test("NO_PROXY lists domains, addresses and networks", arguments: exceptionsRows)
    func exceptions(_ host: String, _ list: String, isDirect: Bool) throws {
        let rules = ProxyRules(environment: ["http_proxy": "p:1", "no_proxy": list])
        let proxy = try rules.proxy(for: Origin(scheme: "http", host: host, port: 80))
        #expect((proxy == nil) == isDirect)
    }

    @Test("tests do not depend on the proxies of the environment")
    func independence() {
        #expect(ProxyRules(environment: ProcessInfo.processInfo.environment) == ProxyRules())
    }
}
