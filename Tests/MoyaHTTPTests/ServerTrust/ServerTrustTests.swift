#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import MoyaHTTP
import TestServers
import Testing

@Suite("A server is accepted or rejected by its trust rule, over real TLS", .timeLimit(.minutes(5)))
struct ServerTrustTests {
    @Test(
        "the chain, the root, the host and the dates of a server's certificate are checked",
        arguments: ServerTrustRow.chains,
        [false, true]
    )
    func chain(_ row: ServerTrustRow, http2: Bool) async throws { try await check(row, http2: http2) }

    @Test("the chain of a server must lead to a custom root", arguments: ServerTrustRow.roots, [false, true])
    func roots(_ row: ServerTrustRow, http2: Bool) async throws { try await check(row, http2: http2) }

    @Test(
        "pinned certificates are compared with the server's certificates",
        arguments: ServerTrustRow.certificates,
        [false, true]
    )
    func certificate(_ row: ServerTrustRow, http2: Bool) async throws { try await check(row, http2: http2) }

    @Test("pinned keys are compared with the server's keys", arguments: ServerTrustRow.keys, [false, true])
    func key(_ row: ServerTrustRow, http2: Bool) async throws { try await check(row, http2: http2) }

    @Test("the stream of a request's body is not started when the server is rejected", arguments: [false, true])
    func upload(http2: Bool) async throws {
        let row = try #require(ServerTrustRow.keys.first { $0.testDescription == "right root but wrong pin" })
        try await check(row, http2: http2, body: .data(Data(count: 100_000)))
        try await check(ServerTrustRow.chains[0], http2: http2, body: .data(Data(count: 100_000)))
    }

    private func check(_ row: ServerTrustRow, http2: Bool, body: HTTPBody? = nil) async throws {
        let parts = try ServerTrustRow.Parts()
        let identity = try row.identity(parts)
        let configuration = TransportConfiguration(trusting: try row.evaluator(parts, identity))
        try await SecureExchanges.withServer(identity, http2: http2) { server in
            let url = server.url("/path")
            let request = TransportRequest(method: .put, url: url, body: body)
            let result: Result<String, any Error>
            do {
                result = .success(try await SecureExchanges.send(request, configuration))
            } catch {
                result = .failure(error)
            }
            let seen = try #require(await server.waitUntilClosed())
            switch try row.outcome(identity) {
            case .accepted:
                #expect(try result.get() == "PUT /path \(http2 ? 2 : 1)")
                #expect(
                    seen.events
                        == [.request("PUT /path", version: http2 ? 2 : 1, host: "localhost:\(server.port)")]
                )
            case .refusedByEngine(let reason):
                let error = expect(refused: result, url)
                #expect(error?.reason == reason)
                #expect(error?.certificate == (try Certificate(der: identity.certificate)))
                #expect(error?.underlyingError != nil)
                #expect(seen.events == [] && seen.bytes == 0)
            case .refused(let reason):
                let error = expect(refused: result, url)
                #expect(error?.reason == reason)
                #expect(seen.events == [])
                #expect(seen.bytes <= (http2 ? SecureExchanges.longestPreface : 0))
            }
        }
    }

    private func expect(refused result: Result<String, any Error>, _ url: URL) -> ServerTrustError? {
        let error = #expect(throws: URLError.self) { try result.get() }
        let refusal = error?.serverTrustError
        let code: URLError.Code =
            switch refusal?.reason {
            case .expired: .serverCertificateHasBadDate
            case .notYetValid: .serverCertificateNotYetValid
            default: .serverCertificateUntrusted
            }
        #expect(error?.code == code)
        #expect(error?.failingURL == url)
        #expect(refusal?.host == "localhost")
        #expect(refusal?.rule == "localhost")
        #expect(refusal?.evaluator?.hasSuffix("Evaluator") == true)
        #expect(error?.localizedDescription.contains("localhost") == true)
        return refusal
    }

    @Test("no connection is opened to a host without a trust rule")
    func unlisted() async throws {
        let nobody = try DeadPort()
        let url = try #require(URL(string: "https://LOCALHOST:\(nobody.port)/"))
        let manager = ServerTrustManager(evaluators: ["*.localhost.example": DisabledTrustEvaluator()])
        let error = await #expect(throws: URLError.self) {
            try await SecureExchanges.send(
                TransportRequest(method: .get, url: url),
                TransportConfiguration(serverTrustManager: manager)
            )
        }
        #expect(error?.code == .serverCertificateUntrusted)
        #expect(error?.serverTrustError == ServerTrustError(host: "LOCALHOST", reason: .noEvaluator))
    }

    @Test("the system evaluates a host without a trust rule if not all hosts need one")
    func unlistedAndAllowed() async throws {
        let manager = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["other.example": DisabledTrustEvaluator()]
        )
        try await SecureExchanges.withServer(try TestAuthority().issue(), http2: true) { server in
            let error = await #expect(throws: URLError.self) {
                try await SecureExchanges.send(
                    TransportRequest(method: .get, url: server.url()),
                    TransportConfiguration(serverTrustManager: manager)
                )
            }
            #expect(error?.code == .serverCertificateUntrusted)
            let refusal = try #require(error?.serverTrustError)
            #expect(refusal == ServerTrustError(host: "localhost", reason: .unknownIssuer))
            #expect(
                error?.localizedDescription == """
                    The server "localhost" was rejected: no valid chain leads from its certificate to a trusted root. To \
                    trust another root, pass it to ServerTrustManager(trustedRoots:); a server must send \
                    intermediate certificates. The certificate's subject is "CN=Leaf", its issuer \
                    "CN=Test Intermediate". The rejected certificate is that of an issuer, "CN=Test Intermediate", \
                    whose issuer is "CN=Test Root".
                    """
            )
        }
    }

    @Test("custom roots apply to each host without a trust rule", arguments: [false, true])
    func trustedRoots(includesSystemRoots: Bool) async throws {
        let (authority, stranger) = (try TestAuthority(), try TestAuthority())
        let manager = ServerTrustManager(
            trustedRoots: [try Certificate(der: authority.root)],
            includesSystemRoots: includesSystemRoots,
            evaluators: [
                "pinned.example": PinnedCertificatesTrustEvaluator(
                    certificates: [try Certificate(der: stranger.root)],
                    acceptSelfSignedCertificates: true
                )
            ]
        )
        var configuration = TransportConfiguration(serverTrustManager: manager)
        let hosts = ["a.example", "b.example", "pinned.example"]
        for host in hosts { configuration.dnsOverride[host] = "127.0.0.1" }
        let transport = try NIOTransport(connection: configuration)
        for (authority, expected) in [
            (authority, [nil, nil, "pinned.example"]), (stranger, ["none", "none", nil] as [String?]),
        ] {
            try await SecureExchanges.withServer(try authority.issue(names: hosts), http2: true) { server in
                var outcomes: [String?] = []
                for host in hosts {
                    let request = TransportRequest(method: .get, url: server.url("/", host: host))
                    do {
                        _ = try await transport.send(request)
                        outcomes.append(nil)
                    } catch let error as URLError {
                        outcomes.append(error.serverTrustError.map { $0.rule ?? "none" } ?? "\(error)")
                    }
                }
                #expect(outcomes == expected)
            }
        }
        await transport.shutdown()
    }

    @Test(
        "the text of the error explains a certificate that contains the host's address as a DNS name",
        arguments: [
            ("127.0.0.1", ["a.example", "127.0.0.1"], true), ("::1", ["0:0:0:0:0:0:0:1"], true),
            ("[::1]", ["::1"], true), ("127.0.0.1", ["127.0.0.2"], false), ("127.0.0.1", ["*.0.0.1"], false),
            ("a.example", ["127.0.0.1"], false), ("a.example", ["b.example"], false),
        ] as [(String, [String], Bool)]
    )
    func addressAsName(host: String, names: [String], isNamed: Bool) {
        let error = ServerTrustError(host: host, reason: .hostNotInCertificate(names: names))
        let reason =
            isNamed
            ? "its certificate has the address as a DNS name (dNSName), but clients look for an address among the IP"
                + " addresses (iPAddress; RFC 9110, section 4.3.5)."
            : "its certificate is for \(names.joined(separator: ", "))."
        #expect(error.errorDescription == "The server \"\(host)\" was rejected: \(reason)")
    }

    @Test("a certificate with the host's address as a DNS name is rejected, and the error explains the rejection")
    func addressAsNameOfServer() async throws {
        let authority = try TestAuthority()
        let manager = ServerTrustManager(
            trustedRoots: [try Certificate(der: authority.root)],
            includesSystemRoots: false
        )
        let identity = try authority.issue(names: ["127.0.0.1"], addresses: [])
        try await SecureExchanges.withServer(identity, http2: false) { server in
            let error = await #expect(throws: URLError.self) {
                try await SecureExchanges.send(
                    TransportRequest(method: .get, url: server.url("/", host: "127.0.0.1")),
                    TransportConfiguration(serverTrustManager: manager)
                )
            }
            #expect(error?.serverTrustError?.reason == .hostNotInCertificate(names: ["127.0.0.1"]))
            #expect(error?.localizedDescription.contains("as a DNS name (dNSName)") == true)
        }
    }

    @Test("each of several hosts has its trust rule, over one transport")
    func several() async throws {
        let authority = try TestAuthority()
        let key = TestKey()
        let root = try Certificate(der: authority.root)
        let pinned = PinnedCertificatesTrustEvaluator(certificates: [root], acceptSelfSignedCertificates: true)
        var configuration = TransportConfiguration(
            serverTrustManager: ServerTrustManager(evaluators: [
                "*.example.com": pinned,
                "www.example.com": PublicKeysTrustEvaluator(
                    certificates: [root],
                    performDefaultValidation: false
                ),
            ])
        )
        let hosts = ["a.example.com", "www.example.com", "b.example.com", "example.com", "a.b.example.com"]
        for host in hosts { configuration.dnsOverride[host] = "127.0.0.1" }
        let identity = try authority.issue(names: ["*.example.com", "example.com", "*.b.example.com"], key: key)
        let transport = try NIOTransport(connection: configuration)
        try await SecureExchanges.withServer(identity, http2: true) { server in
            var outcomes: [String?] = []
            for host in hosts + hosts {
                let request = TransportRequest(method: .get, url: server.url("/", host: host))
                do {
                    _ = try await transport.send(request)
                    outcomes.append(nil)
                } catch let error as URLError {
                    outcomes.append(error.serverTrustError.map { $0.rule ?? "none" } ?? "\(error)")
                }
            }
            let expected = [nil, "www.example.com", nil, "none", "none"]
            #expect(outcomes == expected + expected)
        }
        await transport.shutdown()
    }

    @Test("all concurrent requests to a rejected server fail with the rejection", arguments: [false, true])
    func manyRefused(http2: Bool) async throws {
        let (authority, key) = (try TestAuthority(), TestKey())
        let evaluator = try PublicKeysTrustEvaluator(hashes: [TestKey().pin], performDefaultValidation: false)
        let transport = try NIOTransport(connection: TransportConfiguration(trusting: evaluator))
        try await SecureExchanges.withServer(try authority.issue(key: key), http2: http2) { server in
            let url = server.url()
            let outcomes = await withTaskGroup(of: String.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        do {
                            _ = try await transport.send(TransportRequest(method: .get, url: url))
                            return "a response"
                        } catch {
                            return (error as? URLError)?.serverTrustError.map { "\($0.reason)" } ?? "\(error)"
                        }
                    }
                }
                return await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            let refusal = ServerTrustError.Reason.publicKeyNotPinned(presented: [try PublicKeyPin(key.pin)])
            #expect(outcomes == ["\(refusal)"])
        }
        await transport.shutdown()
    }

    @Test("more hosts than the connection pool keeps are served one after the other", .timeLimit(.minutes(5)))
    func manyHosts() async throws {
        let authority = try TestAuthority()
        let root = PinnedCertificatesTrustEvaluator(
            certificates: [try Certificate(der: authority.root)],
            acceptSelfSignedCertificates: true
        )
        var configuration = TransportConfiguration(
            serverTrustManager: ServerTrustManager(evaluators: ["*.example.com": root])
        )
        for number in 0..<80 { configuration.dnsOverride["h\(number).example.com"] = "127.0.0.1" }
        configuration.maximumIdleConnections = 16
        let transport = try NIOTransport(connection: configuration)
        let identity = try authority.issue(names: ["*.example.com"])
        try await SecureExchanges.withServer(identity, http2: true) { server in
            var never = TransportRequest(method: .get, url: server.url("/never", host: "h0.example.com"))
            // A busy machine may delay the other requests.
            never.idleTimeout = .seconds(3_600)
            let running = Task { [never] in try await transport.send(never) }
            #expect(await server.waitForEvent { if case .request = $0 { true } else { false } })
            for number in 1..<80 {
                let url = server.url("/", host: "h\(number).example.com")
                let response = try await transport.send(TransportRequest(method: .get, url: url))
                #expect(response.status == 200)
            }
            // The transport has closed unused connections, and keeps used ones open.
            var isNever = false
            #expect(
                await server.waitForEvent {
                    if case .brokenOff = $0 { isNever = true }
                    if case .closed = $0 { return true }
                    return false
                }
            )
            #expect(!isNever)
            running.cancel()
            _ = await running.result
        }
        await transport.shutdown()
    }

    @Test("a transport sends no request after its shutdown, even if it was never used before")
    func afterShutdown() async throws {
        let authority = try TestAuthority()
        let configuration = try TransportConfiguration(trusting: authority)
        let transport = try NIOTransport(connection: configuration)
        let unused = try NIOTransport(connection: configuration)
        try await SecureExchanges.withServer(try authority.issue(), http2: true) { server in
            let request = TransportRequest(method: .get, url: server.url())
            _ = try await transport.send(request)
            for transport in [transport, unused] {
                await transport.shutdown()
                let error = await #expect(throws: URLError.self) { try await transport.send(request) }
                #expect(error?.code == .resourceUnavailable)
            }
        }
    }

    @Test("a trust manager does not prevent requests over plain HTTP")
    func plain() async throws {
        let server = try await SecureServer(tls: nil)
        let text = try await SecureExchanges.send(
            TransportRequest(method: .get, url: server.url("/plain", scheme: "http")),
            TransportConfiguration(serverTrustManager: ServerTrustManager(evaluators: [:]))
        )
        #expect(text == "GET /plain 1")
        try await server.shutDown()
    }
}
#endif
