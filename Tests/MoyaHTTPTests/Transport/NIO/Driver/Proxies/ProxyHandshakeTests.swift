#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Handshakes with proxies succeed or fail with specific errors", .timeLimit(.minutes(5)))
struct ProxyHandshakeTests {
    /// A proxy's replies to each message, and the result of the handshake.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var credential: TransportProxy.Credential?
        let said: [[UInt8]]
        let error: ProxyError?

        init(_ name: String, login: Bool = false, _ said: [[UInt8]], _ error: ProxyError? = nil) {
            (self.name, self.said, self.error) = (name, said, error)
            credential = login ? TransportProxy.Credential(user: "u", password: "pw") : nil
        }

        var testDescription: String { name }
    }

    private static let done: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    static let socksRows: [Row] = [
        Row("no login", [[5, 0], done]),
        Row("a name as bound address", [[5, 0], [5, 0, 0, 3, 2, 65, 66, 0, 80]]),
        Row("an IPv6 address as bound address", [[5, 0], [5, 0, 0, 4] + [UInt8](repeating: 1, count: 18)]),
        Row("login, not asked for", login: true, [[5, 0], done]),
        Row("login", login: true, [[5, 2], [1, 0], done]),
        Row("login refused", login: true, [[5, 2], [1, 1]], .credentialRefused),
        Row("login without credentials", [[5, 2]], .authenticationRequired),
        Row("no method", [[5, 0xFF]], .authenticationRequired),
        Row("no method, with credentials", login: true, [[5, 0xFF]], .noAcceptableMethod),
        Row("a method that nobody offered, with credentials", login: true, [[5, 1]], .noAcceptableMethod),
        Row("a method that nobody offered", [[5, 1]], .authenticationRequired),
        Row("version 4", [[4, 0]], .notSOCKS),
        Row("HTTP", [Array("HTTP/1.1 400".utf8)], .notSOCKS),
        Row("version 4 in the reply", [[5, 0], [4, 0]], .notSOCKS),
        Row("refused", [[5, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]], .notConnected(code: 5)),
        Row("a kind of address that there is not", [[5, 0], [5, 0, 0, 9]], .notSOCKS),
    ]

    private func play(
        _ handshake: some ProxyHandshake,
        _ said: [[UInt8]],
        by count: Int
    ) throws -> ([String], Bool) {
        var handshake = handshake
        var sent = [Self.hex(handshake.begin())]
        var isDone = false
        for bytes in said {
            for start in stride(from: 0, to: bytes.count, by: count) {
                #expect(!isDone)
                switch try handshake.receive(ByteBuffer(bytes: bytes[start..<min(start + count, bytes.count)])) {
                case .wait, .waitForRest: break
                case .send(let bytes): sent.append(Self.hex(bytes))
                case .reconnect: sent.append("reconnect")
                case .done: isDone = true
                }
            }
        }
        return (sent, isDone)
    }

    private static func hex(_ bytes: ByteBuffer) -> String {
        bytes.readableBytesView.map { String($0, radix: 16) }.joined(separator: " ")
    }

    @Test(
        "a SOCKS 5 handshake has one result, however the replies are split (RFC 1928, RFC 1929)",
        arguments: socksRows,
        [1, 2, 100]
    )
    func socks(_ row: Row, pieces: Int) throws {
        let handshake = SOCKSHandshake(host: "ab.c", port: 258, credential: row.credential)
        if let error = row.error {
            #expect(throws: error) { try play(handshake, row.said, by: pieces) }
            return
        }
        let (sent, isDone) = try play(handshake, row.said, by: pieces)
        #expect(isDone)
        #expect(sent.first == (row.credential == nil ? "5 1 0" : "5 2 0 2"))
        #expect(sent.last == "5 1 0 3 4 61 62 2e 63 1 2")
        if row.said.count == 3 { #expect(sent[1] == "1 1 75 2 70 77") }
    }

    @Test("an IP address is sent to a SOCKS proxy as an address")
    func addresses() throws {
        for (host, text) in [
            ("127.0.0.1", "5 1 0 1 7f 0 0 1 0 50"), ("[::1]", "5 1 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 50"),
            // A zone has a meaning only on the client (RFC 6874, section 4).
            ("fe80::1%eth0", "5 1 0 4 fe 80 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 50"),
        ] {
            let said: [[UInt8]] = [[5, 0], Self.done]
            let (sent, _) = try play(SOCKSHandshake(host: host, port: 80, credential: nil), said, by: 100)
            #expect(sent.last == text)
        }
    }

    @Test("bytes that a SOCKS proxy sends too early fail the handshake")
    func early() {
        for said: [[UInt8]] in [[[5, 0, 5]], [[5, 0], Self.done + [1]]] {
            #expect(throws: ProxyError.unexpectedBytes) {
                try play(SOCKSHandshake(host: "a", port: 80, credential: nil), said, by: 100)
            }
        }
    }

    @Test(
        "a CONNECT handshake has one result, however the response is split (RFC 9110, section 9.3.6)",
        arguments: [1, 7, 10_000]
    )
    func connect(pieces: Int) throws {
        func reply(_ text: String) throws -> Bool {
            let proxy = HTTPProxy(host: "p", port: 80, credential: .init(user: "u", password: "p"))
            let handshake = ConnectHandshake(host: "::1", port: 443, proxy: proxy)
            let (sent, isDone) = try play(handshake, [Array(text.utf8)], by: pieces)
            let request =
                "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\nProxy-Authorization: Basic dTpw\r\n\r\n"
            #expect(sent == [Self.hex(ByteBuffer(string: request))])
            return isDone
        }
        #expect(try reply("HTTP/1.1 200 Connection established\r\n\r\n"))
        #expect(try reply("HTTP/1.0 204 x\r\nContent-Length: 3\r\n\r\n"))
        #expect(try reply("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
        #expect(try !reply("HTTP/1.1 200 OK\r\nA: b\r\n"))
        #expect(throws: ProxyError.unsupportedChallenge(schemes: [])) { try reply("HTTP/1.1 407 x\r\n\r\n") }
        #expect(throws: ProxyError.credentialRefused) {
            try reply("HTTP/1.1 407 x\r\nProxy-Authenticate: Basic realm=a\r\n\r\n")
        }
        #expect(throws: ProxyError.refused(status: 502)) {
            try reply("HTTP/1.1 502 x\r\nContent-Length: 9\r\n\r\n")
        }
        #expect(throws: ProxyError.invalidResponse(.notHTTP)) { try reply("SSH-2.0") }
        #expect(throws: ProxyError.invalidResponse(.headTooLarge)) {
            try reply("HTTP/1.1 200 OK\r\nA: \(String(repeating: "a", count: HTTP1Limits.head))")
        }
        #expect(throws: ProxyError.switchedProtocol) { try reply("HTTP/1.1 101 x\r\n\r\n") }
        if pieces > 100 {
            #expect(throws: ProxyError.unexpectedBytes) { try reply("HTTP/1.1 200 OK\r\n\r\nevil") }
        }
    }

    @Test(
        "a SOCKS proxy gets the credential, and its refusal of the credential is a specific error",
        arguments: [true, false]
    )
    func login(isRight: Bool) async throws {
        let proxy = try await TestProxy(.socksWithLogin(user: "us:er", password: "pass word"))
        let server = try await SecureServer(tls: nil)
        var configuration = TransportConfiguration()
        configuration.proxy = .socks(
            host: "127.0.0.1",
            port: proxy.port,
            credential: .init(user: "us:er", password: isRight ? "pass word" : "secret")
        )
        let request = TransportRequest(method: .get, url: server.url("/s", host: "api.invalid", scheme: "http"))
        if isRight {
            #expect(try await SecureExchanges.send(request, configuration) == "GET /s 1")
        } else {
            let error = await #expect(throws: URLError.self) {
                try await SecureExchanges.send(request, configuration)
            }
            #expect(error?.code == .userAuthenticationRequired)
            #expect(error.map { "\($0)" }?.contains("secret") == false)
            let text = "The proxy 127.0.0.1:\(proxy.port) did not accept the user name and the password."
            #expect(error?.localizedDescription == text)
        }
        try await server.shutDown()
        _ = try await proxy.shutDown()
    }

    @Test(
        "a host name that is too long fails its request, with and without a proxy",
        arguments: [254, 255, 256, 300, 5000]
    )
    func longHost(length: Int) async throws {
        let host = String(String(repeating: "a.", count: length / 2 + 1).prefix(length - 1)) + "c"
        let url = try #require(URL(string: "http://\(host)/"))
        let proxies: [TransportProxy?] = [
            nil, .socks(host: "127.0.0.1", port: 9), .http(host: "127.0.0.1", port: 9),
        ]
        for proxy in proxies {
            var configuration = TransportConfiguration()
            configuration.proxy = proxy
            let error = await #expect(throws: URLError.self) {
                try await SecureExchanges.send(TransportRequest(method: .get, url: url), configuration)
            }
            #expect(error?.code == .cannotFindHost)
            #expect(error?.localizedDescription.contains("253") == true)
            #expect(error?.failingURL == url)
        }
    }

    @Test("an invalid port fails its request", arguments: [0, 65_536, 99_999])
    func port(port: Int) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        let error = await #expect(throws: URLError.self) {
            try await SecureExchanges.send(TransportRequest(method: .get, url: url), TransportConfiguration())
        }
        #expect(error?.code == .badURL)
    }

    @Test("the connect timeout limits the proxy handshake, unless it is nil")
    func connectTimeout() async throws {
        #expect(TransportConfiguration().connectTimeout == .seconds(10))
        var configuration = TransportConfiguration()
        #expect(try ConnectionSettings(configuration).connectTimeout == .seconds(10))
        configuration.connectTimeout = nil
        #expect(try ConnectionSettings(configuration).connectTimeout == nil)
    }

    @Test(
        "a proxy that replies byte by byte is subject to the connect timeout",
        arguments: [false, true]
    )
    func slowProxy(isSOCKS: Bool) async throws {
        let proxy = try await RawServer { connection in
            for byte in (isSOCKS ? Data([5]) : Data("HTTP/1.1 200 OK\r\nA: ".utf8)) {
                try await connection.writer.write(Data([byte]))
            }
            await connection.waitUntilClosed()
        }
        var configuration = TransportConfiguration()
        configuration.connectTimeout = .milliseconds(300)
        configuration.proxy =
            isSOCKS ? .socks(host: "127.0.0.1", port: proxy.port) : .http(host: "127.0.0.1", port: proxy.port)
        let url = try #require(URL(string: "https://api.invalid/"))
        let request = TransportRequest(method: .get, url: url, idleTimeout: .seconds(3600))
        let error = await #expect(throws: URLError.self) { try await SecureExchanges.send(request, configuration) }
        #expect(error?.code == .timedOut)
        await proxy.shutDown()
    }
}
#endif
