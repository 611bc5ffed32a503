import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The connectionProxyDictionary of a URLSessionConfiguration selects proxies", .timeLimit(.minutes(5)))
struct ProxyDictionaryTests {
    private func rules(_ dictionary: [String: Any]) throws -> ProxyRules {
        var configuration = TransportConfiguration()
        try configuration.takeProxies(from: dictionary)
        return try #require(configuration.dictionaryProxies)
    }

    private func proxies(_ dictionary: [String: Any]) throws -> [String: TransportProxy] {
        try rules(dictionary).proxies.mapValues { try $0.get() }
    }

    @Test("hosts of a proxy dictionary's ExceptionsList, and simple names if excluded, are reached without a proxy")
    func exceptions() throws {
        let rules = try rules([
            "HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": 80, "ExcludeSimpleHostnames": 1,
            "ExceptionsList": ["*.local", "a.example", "169.254/16", "fe80::/10", "192.0.2.1"],
        ])
        for (host, isDirect) in [
            ("a.local", true), ("local", true), ("a.b.local", true), ("xlocal.b", false), ("a.example", true),
            ("b.a.example", false), ("169.254.3.4", true), ("169.253.3.4", false), ("[fe81::1]", true),
            ("[fd00::1]", false), ("192.0.2.1", true), ("192.0.2.2", false), ("intranet", true), ("b.example", false),
        ] {
            let proxy = try rules.proxy(for: Origin(scheme: "http", host: host, port: 80))
            #expect((proxy == nil) == isDirect, "\(host)")
        }
    }

    @Test("a proxy dictionary has one proxy for each scheme, and a SOCKS proxy for the other schemes")
    func schemes() throws {
        let http: [String: Any] = ["HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": 80]
        let https: [String: Any] = ["HTTPSEnable": true, "HTTPSProxy": "q", "HTTPSPort": NSNumber(value: 81)]
        let socks: [String: Any] = ["SOCKSEnable": 1, "SOCKSProxy": "s"]
        let login: [String: Any] = ["kCFProxyUsernameKey": "u", "kCFProxyPasswordKey": "w"]
        #expect(try proxies([:]) == [:])
        #expect(try proxies(http) == ["http": .http(host: "p", port: 80)])
        #expect(try proxies(https) == ["https": .http(host: "q", port: 81)])
        #expect(try proxies(socks) == ["http": .socks(host: "s"), "https": .socks(host: "s")])
        let all = http.merging(https) { a, _ in a }.merging(socks) { a, _ in a }.merging(login) { a, _ in a }
        let credential = TransportProxy.Credential(user: "u", password: "w")
        #expect(
            try proxies(all)
                == [
                    "http": .http(host: "p", port: 80, credential: credential),
                    "https": .http(host: "q", port: 81, credential: credential),
                ]
        )
        #expect(try proxies(["HTTPEnable": 0, "HTTPProxy": "p", "HTTPPort": 80, "FTPEnable": 1]) == [:])
        let off: [String: Any] = [
            "ProxyAutoConfigEnable": 0, "ProxyAutoConfigURLString": "x", "ExceptionsList": [String](),
        ]
        #expect(try proxies(off) == [:])
    }

    @Test("an unsupported entry of a proxy dictionary is refused, and the error names the entry")
    func refused() {
        let entries: [[String: Any]] = [
            ["ProxyAutoConfigEnable": 1, "ProxyAutoConfigURLString": "http://p/pac"], ["ProxyAutoDiscoveryEnable": 1],
            ["ExceptionsList": ["a*.local"]], ["ExceptionsList": [1]], ["Unknown": 1],
        ]
        for entry in entries {
            let error = #expect(throws: TransportConfigurationError.self) { try proxies(entry) }
            #expect(error?.localizedDescription.contains(entry.keys.sorted().first ?? "?") == true)
        }
        #expect(throws: TransportConfigurationError.self) { try proxies(["HTTPEnable": 1]) }
        #expect(throws: TransportConfigurationError.self) { try proxies(["HTTPEnable": 1, "HTTPProxy": "p"]) }
    }

    #if NIO && !canImport(Darwin)
    @Test("a session's requests are sent through the given proxy over NIOTransport")
    func session() async throws {
        let proxy = try await TestProxy(.http(authorization: nil))
        let server = try await SecureServer(tls: nil)
        let configuration = URLSessionConfiguration.default
        configuration.connectionProxyDictionary = [
            "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": proxy.port,
        ]
        let session = Session(configuration: configuration)
        #expect(session.transport is NIOTransport)
        let url = server.url("/d", host: "api.invalid", scheme: "http")
        let response = try await session.data(for: URLRequest(url: url))
        #expect(response.data == Data("GET /d 1".utf8))
        try await server.shutDown()
        #expect(
            try await proxy.shutDown()
                == [.forwarded("GET http://api.invalid:\(server.port)/d", authorization: nil)]
        )
    }

    @Test("a proxy script fails each request with the reason")
    func script() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.connectionProxyDictionary = ["ProxyAutoConfigEnable": 1]
        let session = Session(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        await #expect(throws: TransportConfigurationError.self) {
            try await session.data(for: URLRequest(url: url))
        }
    }
    #endif
}
