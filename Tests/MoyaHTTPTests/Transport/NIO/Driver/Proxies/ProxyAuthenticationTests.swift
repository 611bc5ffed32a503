#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("A proxy's challenges to a tunnel and to a request in absolute form get responses", .timeLimit(.minutes(5)))
struct ProxyAuthenticationTests {
    /// A proxy in front of one server, with or without TLS.
    private struct Setting {
        let proxy: TestProxy
        let server: SecureServer
        var configuration: TransportConfiguration
        let overTLS: Bool

        init(overTLS: Bool, _ ask: @escaping @Sendable (String, String?) -> TestProxy.Refusal?) async throws {
            let authority = try TestAuthority()
            proxy = try await TestProxy(.asking(ask))
            server = try await SecureServer(
                tls: overTLS ? authority.issue().serverConfiguration() : nil,
                http2: false
            )
            configuration = try TransportConfiguration(trusting: authority)
            self.overTLS = overTLS
        }

        var url: URL { server.url("/a?b", scheme: overTLS ? "https" : "http") }

        mutating func use(_ credential: TransportProxy.Credential?) {
            configuration.proxy = .http(host: "127.0.0.1", port: proxy.port, credential: credential)
        }

        func shutDown() async throws -> [TestProxy.Event] {
            try await server.shutDown()
            return try await proxy.shutDown()
        }
    }

    private static func refusal(_ fields: String..., body: String = "no", closes: Bool = false) -> TestProxy.Refusal {
        let lines = ["HTTP/1.1 407 -"] + fields + ["Content-Length: \(body.utf8.count)", "", body]
        return TestProxy.Refusal(lines.joined(separator: "\r\n"), closes: closes)
    }

    /// Sends a Digest challenge for the target of the request line.
    private static func ask(
        _ check: DigestCheck,
        closes: Bool = false
    ) -> @Sendable (String, String?) -> TestProxy.Refusal? {
        { line, given in
            let words = line.split(separator: " ").map(String.init)
            switch check.check(given, method: words[0], target: words[1]) {
            case .accepted: return nil
            case let verdict:
                let challenge = check.challenge(isStale: verdict == .stale)
                return refusal("Proxy-Authenticate: \(challenge)", closes: closes)
            }
        }
    }

    /// Sends a Basic challenge for the credential.
    private static let askForBasic: @Sendable (String, String?) -> TestProxy.Refusal? = { _, given in
        let wanted = "Basic \(Data("Mufasa:Circle of Life".utf8).base64EncodedString())"
        return given == wanted ? nil : refusal("Proxy-Authenticate: Basic realm=\"r\"")
    }

    private static let credential = TransportProxy.Credential(user: "Mufasa", password: "Circle of Life")

    @Test(
        "a proxy's Digest challenge gets a response on the same or a new connection, and later requests need no challenge",
        arguments: [false, true],
        [false, true]
    )
    func digest(overTLS: Bool, closes: Bool) async throws {
        var rules = DigestCheck.Rules()
        rules.proof = .none
        let check = DigestCheck(rules)
        var setting = try await Setting(overTLS: overTLS, Self.ask(check, closes: closes))
        setting.use(Self.credential)
        let transport = try NIOTransport(connection: setting.configuration)
        try await transport.shutDown {
            for _ in 0..<2 {
                var request = TransportRequest(method: .get, url: setting.url)
                request.headers[.connection] = "close"
                let response = try await transport.send(request)
                #expect(try await SecureExchanges.text(of: response) == "GET /a?b 1")
            }
        }
        let events = try await setting.shutDown()
        #expect(events.count == 3)
        #expect(events.dropFirst().allSatisfy { !$0.isRefusal })
        #expect(check.problems == [])
        #expect(check.counts == [[1, 2]])
    }

    @Test("a stale nonce of a proxy is replaced", arguments: [false, true])
    func stale(overTLS: Bool) async throws {
        var rules = DigestCheck.Rules()
        (rules.proof, rules.requestsPerNonce) = (.none, 1)
        let check = DigestCheck(rules)
        var setting = try await Setting(overTLS: overTLS, Self.ask(check))
        setting.use(Self.credential)
        let transport = try NIOTransport(connection: setting.configuration)
        try await transport.shutDown {
            for _ in 0..<3 {
                var request = TransportRequest(method: .get, url: setting.url)
                request.headers[.connection] = "close"
                let response = try await transport.send(request)
                #expect(response.status == 200)
            }
        }
        // The first request with each nonce is accepted, and the second one is not.
        #expect(try await setting.shutDown().count == 6)
        #expect(check.problems == [])
    }

    @Test(
        "a wrong password for a proxy is sent once by each scheme, and fails the request",
        arguments: [false, true],
        [false, true]
    )
    func wrongPassword(overTLS: Bool, isDigest: Bool) async throws {
        let check = DigestCheck()
        var setting = try await Setting(overTLS: overTLS, isDigest ? Self.ask(check) : Self.askForBasic)
        setting.use(.init(user: "Mufasa", password: "secret"))
        let error = await #expect(throws: URLError.self) { try await send(setting) }
        #expect(error?.code == .userAuthenticationRequired)
        let text = "The proxy 127.0.0.1:\(setting.proxy.port) did not accept the user name and the password."
        #expect(error?.localizedDescription == text)
        #expect(error.map { "\($0)" }?.contains("secret") == false)
        #expect(try await setting.shutDown().count == (isDigest ? 2 : 1))
    }

    @Test("a wrong password for a proxy fails the request if the body cannot be sent again")
    func wrongPasswordForStream() async throws {
        var setting = try await Setting(overTLS: false, Self.askForBasic)
        setting.use(.init(user: "Mufasa", password: "secret"))
        let stream = AsyncStream<Data> { continuation in
            continuation.yield(Data("body".utf8))
            continuation.finish()
        }
        let request = TransportRequest(method: .post, url: setting.url, body: .sequence(stream, length: 4))
        let error = await #expect(throws: URLError.self) {
            try await SecureExchanges.send(request, setting.configuration)
        }
        #expect(error?.code == .userAuthenticationRequired)
        #expect(try await setting.shutDown().count == 1)
    }

    private func send(_ setting: Setting) async throws -> String {
        try await SecureExchanges.send(TransportRequest(method: .get, url: setting.url), setting.configuration)
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let requests: ClosedRange<Int>
        let text: String
        let refusal: @Sendable (Int) -> TestProxy.Refusal

        init(
            _ name: String,
            _ requests: ClosedRange<Int>,
            _ text: String = "did not accept",
            _ refusal: @escaping @Sendable (Int) -> TestProxy.Refusal
        ) {
            (testDescription, self.requests, self.text, self.refusal) = (name, requests, text, refusal)
        }
    }

    static let hostileRows: [Hostile] = [
        Hostile("stale for ever", 4...5) {
            refusal("Proxy-Authenticate: Digest realm=r, nonce=\"\($0)\", qop=auth, stale=true")
        },
        Hostile("stale for ever, and closing", 4...5) {
            refusal("Proxy-Authenticate: Digest realm=r, nonce=\"\($0)\", qop=auth, stale=true", closes: true)
        },
        Hostile("a new realm each time", 1...2) { refusal("Proxy-Authenticate: Basic realm=\"\($0)\"") },
        Hostile("no challenge", 1...1, "missing or invalid") { _ in refusal() },
        Hostile("an empty challenge", 1...1, "missing or invalid") { _ in refusal("Proxy-Authenticate: ") },
        Hostile("an unknown scheme", 1...1, "NTLM or Negotiate") { _ in
            refusal("Proxy-Authenticate: NTLM", "Proxy-Authenticate: Negotiate")
        },
        Hostile("a huge body", 2...2) { _ in
            let body = String(repeating: "x", count: 1 << 20)
            return refusal("Proxy-Authenticate: Digest realm=r, nonce=n, qop=auth", body: body)
        },
        Hostile("a body without end", 2...2) { _ in
            TestProxy.Refusal(
                "HTTP/1.0 407 -\r\nProxy-Authenticate: Digest realm=r, nonce=n, qop=auth\r\n\r\nxxx",
                closes: false
            )
        },
    ]

    @Test(
        "a proxy that accepts no credential gets few requests, and the error names the reason",
        arguments: hostileRows
    )
    func hostile(_ row: Hostile) async throws {
        let number = Locked(0)
        var setting = try await Setting(overTLS: true) { _, _ in
            row.refusal(
                number.withLock { number in
                    number += 1
                    return number
                }
            )
        }
        setting.use(.init(user: "u", password: "secret"))
        let error = await #expect(throws: URLError.self) { try await send(setting) }
        #expect(error?.code == .userAuthenticationRequired)
        #expect(error?.localizedDescription.contains(row.text) == true, "\(error?.localizedDescription ?? "")")
        let count = try await setting.shutDown().count
        #expect(row.requests.contains(count))
    }

    @Test("a proxy that closes the connection within a challenge's body gets the request again")
    func closedInBody() async throws {
        let check = DigestCheck()
        var setting = try await Setting(overTLS: true) { line, given in
            guard let refusal = Self.ask(check)(line, given) else { return nil }
            return given?.hasPrefix("Basic") == true
                ? TestProxy.Refusal(
                    "HTTP/1.1 407 -\r\nProxy-Authenticate: \(check.challenge())\r\nContent-Length: 99\r\n\r\nxxx",
                    closes: true
                ) : refusal
        }
        setting.use(Self.credential)
        #expect(try await send(setting) == "GET /a?b 1")
        #expect(try await setting.shutDown().count == 2)
    }

    @Test(
        "a credential of the session's storage is used for a proxy's challenge",
        arguments: [false, true],
        [false, true]
    )
    func storage(overTLS: Bool, isDigest: Bool) async throws {
        let check = DigestCheck()
        var setting = try await Setting(overTLS: overTLS, isDigest ? Self.ask(check) : Self.askForBasic)
        let storage = URLCredentialStorage()
        storage.setDefaultCredential(
            URLCredential(user: "Mufasa", password: "Circle of Life", persistence: .forSession),
            for: URLProtectionSpace(
                proxyHost: "127.0.0.1",
                port: setting.proxy.port,
                type: NSURLProtectionSpaceHTTPProxy,
                realm: isDigest ? check.rules.realm : "r",
                authenticationMethod: isDigest
                    ? NSURLAuthenticationMethodHTTPDigest : NSURLAuthenticationMethodHTTPBasic
            )
        )
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCredentialStorage = storage
        setting.use(nil)
        let session = Session(
            transport: try Session.makeTransport(
                connection: setting.configuration,
                configuration: configuration
            )
        )
        for _ in 0..<2 {
            var request = URLRequest(url: setting.url)
            request.setValue("close", forHTTPHeaderField: "Connection")
            #expect(try await session.data(for: request).text == "GET /a?b 1")
        }
        await session.transport.shutdown()
        let events = try await setting.shutDown()
        #expect(events.map(\.isRefusal) == [true, false, false])
        #expect(check.problems == [])
    }

    @Test("a tunnel without a proxy credential fails, and a request in absolute form returns the 407")
    func noCredential() async throws {
        for overTLS in [true, false] {
            var setting = try await Setting(overTLS: overTLS) { _, _ in
                Self.refusal("Proxy-Authenticate: Basic realm=\"r\"", body: "who?")
            }
            setting.use(nil)
            if overTLS {
                let error = await #expect(throws: URLError.self) { try await send(setting) }
                #expect(error?.code == .userAuthenticationRequired)
            } else {
                #expect(try await send(setting) == "who?")
            }
            #expect(try await setting.shutDown().count == 1)
        }
    }

    @Test("the proxy's and the server's challenges get responses with separate credentials")
    func both() async throws {
        let basic = "Basic dTpw"
        try await HandlerServer.run { seen in
            // The server and the proxy are the same here.
            guard seen["Proxy-Authorization"]?.hasPrefix("Digest") == true else {
                return .init(status: 407, headers: ["Proxy-Authenticate: Digest realm=r, nonce=n, qop=auth"])
            }
            guard seen["Authorization"] == basic else {
                return .init(status: 401, headers: ["WWW-Authenticate: Basic realm=\"s\""])
            }
            return .ok("through")
        } _: { server in
            var configuration = TransportConfiguration()
            configuration.proxy = .http(
                host: "127.0.0.1",
                port: try #require(server.url("/").port),
                credential: Self.credential
            )
            let transport = try NIOTransport(connection: configuration)
            try await transport.shutDown {
                let url = try #require(URL(string: "http://api.invalid/a"))
                let response = try await Session.alone(on: transport)
                    .data(for: URLRequest(url: url), record: .user("u", "p"))
                #expect(response.text == "through")
            }
            #expect(server.seen.map { $0["Authorization"] } == [nil, nil, basic])
            #expect(server.seen.allSatisfy { $0.line == "GET http://api.invalid/a" })
            #expect(server.seen.allSatisfy { $0["Host"] == "api.invalid" })
            #expect(server.seen.allSatisfy { $0["Proxy-Authorization"]?.contains("dTpw") == false })
        }
    }

    @Test("a body is sent again to a proxy, hashed if required, unless it is not repeatable")
    func bodies() async throws {
        var rules = DigestCheck.Rules()
        (rules.qop, rules.proof) = ("auth-int", .none)
        let check = DigestCheck(rules)
        try await HandlerServer.run { seen in
            switch check.check(seen["Proxy-Authorization"], seen, response: "ok") {
            case .accepted: .ok(seen.body)
            default: .init(status: 407, headers: ["Proxy-Authenticate: \(check.challenge())"])
            }
        } _: { server in
            var configuration = TransportConfiguration()
            configuration.proxy = .http(
                host: "127.0.0.1",
                port: try #require(server.url("/").port),
                credential: Self.credential
            )
            let url = try #require(URL(string: "http://api.invalid:81/a?b"))
            let body = HTTPBody.data(Data("text".utf8))
            let request = TransportRequest(method: .post, url: url, body: body)
            #expect(try await SecureExchanges.send(request, configuration) == "text")
            #expect(check.problems == [])
            let pieces = AsyncStream<[UInt8]> { stream in
                stream.yield(Array("once".utf8))
                stream.finish()
            }
            let once = TransportRequest(method: .post, url: url, body: .sequence(pieces))
            let transport = try NIOTransport(connection: configuration)
            try await transport.shutDown {
                let response = try await transport.send(once)
                #expect(response.status == 407)
            }
            #expect(server.seen.map(\.body) == ["text", "text", "once"])
        }
    }

    @Test("a proxy's credentials do not reach a server through a tunnel")
    func secretInTunnel() async throws {
        try await HandlerServer.run { _ in
            .ok("ok")
        } _: { server in
            let proxy = try await TestProxy(.http(authorization: nil))
            var configuration = TransportConfiguration()
            configuration.proxy = .http(host: "127.0.0.1", port: proxy.port, credential: Self.credential)
            // Plain http needs a tunnel if the proxy is to connect to another host.
            configuration.dnsOverride = ["api.invalid": "127.0.0.1"]
            let port = try #require(server.url("/").port)
            let url = try #require(URL(string: "http://api.invalid:\(port)/a"))
            var request = TransportRequest(method: .get, url: url)
            request.headers[.proxyAuthorization] = "Basic secret"
            #expect(try await SecureExchanges.send(request, configuration) == "ok")
            #expect(server.seen.map { $0["Proxy-Authorization"] } == [nil])
            #expect(server.seen.map { $0["Host"] } == ["api.invalid:\(port)"])
            #expect(server.seen.map(\.line) == ["GET /a"])
            let events = try await proxy.shutDown()
            #expect(events.count == 1)
            #expect(events.allSatisfy { if case .tunnel("127.0.0.1:\(port)", _) = $0 { true } else { false } })
        }
    }
}

extension TestProxy.Event {
    fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}
#endif
