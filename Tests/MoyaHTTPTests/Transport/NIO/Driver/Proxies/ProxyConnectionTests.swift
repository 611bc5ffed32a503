#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import TestServers
    import Testing

    @testable import MoyaHTTP

    @Suite("An error tells a proxy from the server")
    struct ProxyConnectionTests {
        @Test(
            "a proxy that does not accept connections is named, and the server is not blamed",
            arguments: ["http://h.test/", "https://h.test/"],
            [true, false]
        )
        func deadProxy(url: String, isSOCKS: Bool) async throws {
            let port = try #require(try DeadPort().url.port)
            var configuration = TransportConfiguration()
            configuration.proxy =
                isSOCKS ? .socks(host: "127.0.0.1", port: port) : .http(host: "127.0.0.1", port: port)
            let transport = try NIOTransport(connection: configuration)
            try await transport.shutDown(after: {
                let request = TransportRequest(method: .get, url: try #require(URL(string: url)))
                let error = await #expect(throws: URLError.self) { try await transport.send(request) }
                #expect(error?.code == .cannotConnectToHost)
                #expect(error?.localizedDescription == "Could not connect to the proxy 127.0.0.1:\(port).")
            })
        }
    }
#endif
