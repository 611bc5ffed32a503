import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The connectionProxyDictionary of a URLSessionConfiguration", .timeLimit(.minutes(5)))
struct ProxyDictionaryTests {
    private func proxies(_ dictionary: [String: Any]) throws -> [String: TransportProxy] {
        var configuration = TransportConfiguration()
        try configuration.takeProxies(from: dictionary)
        return configuration.proxiesByScheme
    }

    @Test("proxies are for one scheme each, and SOCKS for what is left")
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

    @Test("what cannot be honored is refused, by name")
    func refused() {
        let entries: [[String: Any]] = [
            ["ProxyAutoConfigEnable": 1, "ProxyAutoConfigURLString": "http://p/pac"], ["ProxyAutoDiscoveryEnable": 1],
            ["ExceptionsList": ["*.local"]], ["ExcludeSimpleHostnames": 1], ["Unknown": 1],
        ]
        for entry in entries {
            let error = #expect(throws: TransportConfigurationError.self) { try proxies(entry) }
            #expect(error?.localizedDescription.contains(entry.keys.sorted().first ?? "?") == true)
        }
        #expect(throws: TransportConfigurationError.self) { try proxies(["HTTPEnable": 1]) }
        #expect(throws: TransportConfigurationError.self) { try proxies(["HTTPEnable": 1, "HTTPProxy": "p"]) }
    }

    #if NIO && !canImport(Darwin)
        @Test("a session's requests go through the proxy that is named, over NIOTransport")
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
            #expect(try await proxy.shutDown() == [.tunnel("api.invalid:\(server.port)", authorization: nil)])
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
