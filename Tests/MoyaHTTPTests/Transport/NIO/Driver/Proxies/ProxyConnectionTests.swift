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

    /// Sends a request through a proxy, and returns its error.
    private func error(
        of url: String,
        throughSOCKS isSOCKS: Bool = false,
        connectTimeout: Duration? = .seconds(60),
        idleTimeout: Duration = .seconds(60),
        _ serve: @escaping @Sendable (RawConnection) async throws -> Void
    ) async throws -> (error: URLError?, port: Int) {
        let proxy = try await RawServer(serve)
        var configuration = TransportConfiguration()
        configuration.connectTimeout = connectTimeout
        configuration.proxy =
            isSOCKS ? .socks(host: "127.0.0.1", port: proxy.port) : .http(host: "127.0.0.1", port: proxy.port)
        let url = try #require(URL(string: url))
        let request = TransportRequest(method: .get, url: url, idleTimeout: idleTimeout)
        let error = await #expect(throws: URLError.self) { try await SecureExchanges.send(request, configuration) }
        await proxy.shutDown()
        return (error, proxy.port)
    }

    @Test("a proxy that does not respond within the connect timeout is named", arguments: [true, false])
    func silentProxy(isSOCKS: Bool) async throws {
        // On a busy machine the first times may pass before the transport connects to the proxy.
        for (time, isLast) in [(Duration.milliseconds(500), false), (.seconds(5), false), (.seconds(50), true)] {
            let (error, port) = try await error(
                of: "https://h.test/",
                throughSOCKS: isSOCKS,
                connectTimeout: time
            ) { await $0.waitUntilClosed() }
            #expect(error?.code == .timedOut)
            let isNamed =
                error?.localizedDescription == "The proxy 127.0.0.1:\(port) did not respond within \(time)."
            if isNamed { return }
            #expect(!isLast, "\(String(describing: error))")
        }
    }

    @Test("a request that times out during the handshake with a proxy names the proxy", arguments: [true, false])
    func slowTunnel(isSOCKS: Bool) async throws {
        let (error, port) = try await error(
            of: "https://h.test/",
            throughSOCKS: isSOCKS,
            idleTimeout: .milliseconds(200)
        ) { await $0.waitUntilClosed() }
        #expect(error?.code == .timedOut)
        let text = "for a first connection to https://h.test through the proxy 127.0.0.1:\(port), and was not sent."
        #expect(error?.localizedDescription.hasSuffix(text) == true, "\(String(describing: error))")
    }

    /// A reply of a proxy to its first bytes, and the rest of the error's text after the name of the proxy.
    struct Reply: Sendable, CustomTestStringConvertible {
        let url: String
        var isSOCKS = false
        let reply: String
        let code: URLError.Code
        let text: String

        var testDescription: String { "\(isSOCKS ? "SOCKS" : url): \(text)" }
    }

    static let replies = [
        Reply(
            url: "https://h.test/",
            reply: "SSH-2.0-OpenSSH_9.6\r\n",
            code: .cannotParseResponse,
            text: " has sent an invalid response. The response is not HTTP."
        ),
        Reply(
            url: "http://h.test/",
            reply: "SSH-2.0-OpenSSH_9.6\r\n",
            code: .cannotParseResponse,
            text: " has sent an invalid response. The response is not HTTP."
        ),
        Reply(
            url: "https://h.test/",
            reply: "HTTP/1.1 101 x\r\nUpgrade: y\r\n\r\n",
            code: .badServerResponse,
            text: " switched protocols (101) without a request for it."
        ),
        Reply(
            url: "https://h.test/",
            reply: "HTTP/1.1 503 x\r\n\r\n",
            code: .badServerResponse,
            text: " refused to connect with status 503."
        ),
        Reply(
            url: "http://h.test/",
            isSOCKS: true,
            reply: "SSH-2.0-OpenSSH_9.6\r\n",
            code: .cannotConnectToHost,
            text: " does not support SOCKS 5."
        ),
        Reply(
            url: "https://h.test/",
            reply: "",
            code: .networkConnectionLost,
            text: " has closed the connection."
        ),
        Reply(
            url: "http://h.test/",
            isSOCKS: true,
            reply: "",
            code: .networkConnectionLost,
            text: " has closed the connection."
        ),
    ]

    @Test("a proxy that does not open a tunnel, or speaks another protocol, is named", arguments: replies)
    func otherProtocol(_ row: Reply) async throws {
        let (error, port) = try await error(of: row.url, throughSOCKS: row.isSOCKS) { connection in
            _ = try await connection.read()
            try await connection.writer.write(row.reply)
        }
        #expect(error?.code == row.code)
        #expect(error?.localizedDescription == "The proxy 127.0.0.1:\(port)\(row.text)")
    }
}
#endif
