import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// This file has every line of the documentation's Swift blocks about sessions, and the tests run them.

struct Printer: EventMonitor {
    func record(_ event: RequestEvent) { print(event.id, event.retryCount, event.kind) }
}

extension ReadmeTests {
    /// Where the application keeps its credential.
    actor Keychain {
        private var credential: OAuth2Credential?
        func load() -> OAuth2Credential? { credential }
        func store(_ newCredential: OAuth2Credential) { credential = newCredential }
    }

    @Test("the documentation's example of an expiring token and of retries runs")
    func tokens() async throws {
        let keychain = Keychain()
        await keychain.store(OAuth2Credential(accessToken: "old", refreshToken: "refresh"))
        let tokenURL = URL(string: "https://github.com/login/oauth/access_token")!
        let oauth2 = OAuth2Authenticator(
            tokenURL: tokenURL,
            client: .public(id: "app"),
            origins: [GitHub.zen.baseURL]
        ) { await keychain.store($0) }
        let interceptor = AuthenticationInterceptor(authenticator: oauth2, credential: await keychain.load())
        do {
            let authenticated = MoyaProvider<GitHub>(session: Session(interceptor: interceptor))
            let response = try await authenticated.request(.zen)
            #expect(response.statusCode == 200)
        }
        let retrying = Session(interceptor: Interceptor(interceptors: [RetryPolicy(retryLimit: 3), interceptor]))
        #expect(retrying.interceptor is Interceptor)

        // The same code runs with a server that no longer accepts the old token.
        let transport = FakeTransport { request in
            if request.url == tokenURL {
                let answer = #"{"access_token": "new", "token_type": "Bearer", "expires_in": 3600}"#
                return TransportResponse(status: 200, body: .complete(Data(answer.utf8)))
            }
            return TransportResponse(status: request.headers[.authorization] == "Bearer new" ? 200 : 401)
        }
        let provider = Moya.MoyaProvider<GitHub>(session: Session(transport: transport, interceptor: interceptor))
        let response = try await provider.request(.zen)
        #expect(response.statusCode == 200)
        #expect(await keychain.load()?.accessToken == "new")

        interceptor.credential = OAuth2Credential(
            accessToken: "first",
            refreshToken: "refresh",
            expiration: Date(timeIntervalSinceNow: 3_600)
        )
        #expect(interceptor.credential?.accessToken == "first")
    }

    @Test("the documentation's example of redirects runs")
    func redirects() async throws {
        let careful = Session(redirectHandler: Redirector(maximumCount: 3, sensitiveHeaders: ["X-Tenant"]))
        let still = Session(redirectHandler: Redirector.doNotFollow)
        let server = try await StubServer([
            "/old": StubServer.Response(status: "301 Moved Permanently", headers: ["Location: /new"]),
            "/new": StubServer.Response(body: Data("new".utf8)),
        ])
        let followed = try await careful.data(for: URLRequest(url: server.url("/old")))
        #expect(followed.data == Data("new".utf8))
        #expect(followed.url == server.url("/new"))
        let stayed = try await still.data(for: URLRequest(url: server.url("/old")))
        #expect(stayed.statusCode == 301)
        await server.shutDown()
    }

    @Test("the documentation's example of cookies runs")
    func cookies() async throws {
        let cookieFile = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).cookies")
        defer { try? FileManager.default.removeItem(at: cookieFile) }
        let server = try await StubServer([
            "/": StubServer.Response(headers: ["Set-Cookie: a=1; Max-Age=60"])
        ])
        do {
            let jar = try CookieJar(file: cookieFile)
            let persistent = Session(options: SessionOptions(cookieStorage: jar))
            _ = try await persistent.data(for: URLRequest(url: server.url("/")))
            try await jar.flush()
        }
        let jar = try CookieJar(file: cookieFile)
        #expect(jar.cookies.map(\.name) == ["a"])
        await server.shutDown()
    }

    @Test("the documentation's example of challenges runs")
    func challenges() async throws {
        let credentials = CredentialsPlugin { _ in URLCredential(user: "ash", password: "secret", persistence: .none) }
        let transport = FakeTransport { request in
            request.headers[.authorization] == nil
                ? TransportResponse(status: 401, headers: [.wwwAuthenticate: "Basic realm=\"r\""])
                : TransportResponse(status: 200)
        }
        let provider = Moya.MoyaProvider<GitHub>(session: Session(transport), plugins: [credentials])
        #expect(try await provider.request(.zen).statusCode == 200)
    }

    @Test("the documentation's example of private certificate authorities runs")
    func roots() {
        #expect(throws: CertificateError.unreadableFile(path: "/etc/example/roots.pem")) {
            let roots = try Certificate.certificates(contentsOf: URL(fileURLWithPath: "/etc/example/roots.pem"))
            let trusting = Session(serverTrustManager: ServerTrustManager(trustedRoots: roots))
            _ = trusting
        }
    }

    @Test("the documentation's examples of a pin with a private root, weak certificates and renegotiation run")
    func rules() throws {
        let roots: [Certificate] = []
        let pinnedToday = try PublicKeysTrustEvaluator(hashes: ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])
        let privateAndPinned = CompositeTrustEvaluator(evaluators: [
            RootCertificatesTrustEvaluator(certificates: roots), pinnedToday,
        ])
        #expect(privateAndPinned.verification == .systemRootsAndAnchors([], validatesHost: true))

        let legacy = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["printer.example.com": WeakCertificatesTrustEvaluator()]
        )
        #expect(try legacy.serverTrustEvaluator(forHost: "printer.example.com")?.acceptsWeakCertificates == true)

        let archive = Data()
        var renegotiating = TransportConfiguration()
        renegotiating.clientIdentity = ClientIdentity(pkcs12: archive, passphrase: "secret")
        renegotiating.allowsRenegotiation = true
        #expect(throws: TransportConfigurationError.self) { try Session.makeTransport(connection: renegotiating) }
    }

    @Test("the documentation's example of trust and connections runs", .unlessURLSessionOnLinux)
    func trust() async throws {
        let keyOfToday = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let trust = ServerTrustManager(evaluators: [
            "example.com": try PublicKeysTrustEvaluator(hashes: [keyOfToday]),
            "*.example.com": DefaultTrustEvaluator(),
        ])
        let pinned = Session(serverTrustManager: trust)
        #expect(pinned.serverTrustManager?.invalidPatterns == [])

        var connection = TransportConfiguration(serverTrustManager: trust)
        connection.minimumTLSVersion = .tls13
        connection.proxy = .http(host: "proxy.example.com", port: 3128)
        let connected = Session(transport: try Session.makeTransport(connection: connection))
        #expect(connected.serverTrustManager == nil)
    }

    @Test("the documentation's consent to URLSession on Linux runs, and all tests give the consent")
    func consent() {
        #expect(URLSessionTransport.acceptsTermination)
        URLSessionTransport.acceptsTermination = true
    }

    @Test("the documentation's example of connection limits and of a shutdown runs", .ifNIO)
    func connections() async throws {
        var limited = TransportConfiguration()
        limited.maximumConnectionsPerHost = 20
        limited.maximumIdleConnections = 64
        limited.connectionPoolTimeout = .seconds(10)
        let crawler = Session(transport: try Session.makeTransport(connection: limited))
        let session = crawler
        let result = await session.shutdown(grace: .seconds(10))
        print("\(result.finished) requests have ended, \(result.cancelled) were cancelled")
        #expect(result == ShutdownResult())
    }

    @Test("the documentation's example of Expect: 100-continue runs", .ifNIO)
    func expectContinue() throws {
        var asking = TransportConfiguration()
        asking.expectContinueSize = 1_048_576
        asking.expectContinueTimeout = .seconds(2)
        let uploads = Session(transport: try Session.makeTransport(connection: asking))
        #expect(uploads.maximumBodySize > 0)
    }

    @Test("the documentation's example of an application's resolver runs")
    func hostResolver() async throws {
        struct TableResolver: HostResolver {
            let table: [String: [String]]

            func resolve(_ host: String) async throws -> ResolvedHost {
                guard let addresses = table[host] else { return try await SystemHostResolver().resolve(host) }
                return ResolvedHost(addresses: addresses, lifetime: .seconds(300))
            }
        }
        var named = TransportConfiguration()
        named.hostResolver = TableResolver(table: ["api.example.com": ["2001:db8::1", "192.0.2.1"]])
        named.hostCachePolicy = HostCachePolicy(addressLifetime: .seconds(10), notFoundLifetime: .zero)
        #if canImport(FoundationNetworking) && NIO
        let resolving = Session(transport: try Session.makeTransport(connection: named))
        #expect(resolving.maximumBodySize > 0)
        #else
        #expect(throws: TransportConfigurationError.self) { try Session.makeTransport(connection: named) }
        #endif
        #expect(try await named.hostResolver?.resolve("api.example.com").addresses.count == 2)
    }

    @Test("the documentation's examples of connections without proxies, and of preconnects, run")
    func direct() async throws {
        var direct = TransportConfiguration()
        direct.usesSystemProxies = false
        #if canImport(FoundationNetworking) && !NIO
        #expect(throws: TransportConfigurationError.self) { try Session.makeTransport(connection: direct) }
        #else
        let transport = try Session.makeTransport(connection: direct)
        let session = Session(transport: transport)
        let preconnect = {
            try await session.preconnect(to: URL(string: "https://api.example.com")!)
        }
        _ = preconnect
        #endif
    }

    @Test("the documentation's example of hosts that require TLS runs")
    func strictTransportSecurity() async throws {
        let strictStore = StrictTransportSecurityStore()
        let strict = Session(options: SessionOptions(strictTransportSecurity: strictStore))
        #expect(strict.maximumBodySize > 0)
        let transport = FakeTransport { request in
            let isSecure = request.url.scheme == "https"
            return TransportResponse(
                status: isSecure ? 200 : 301,
                headers: [.strictTransportSecurity: "max-age=1000", .location: "https://example.com/"]
            )
        }
        let options = SessionOptions(strictTransportSecurity: strictStore)
        let session = Session(transport: transport, options: options)
        _ = try await session.data(for: URLRequest(url: URL(string: "http://example.com/")!))
        let encodedPolicies = try JSONEncoder().encode(strictStore.policies)
        let policies = try JSONDecoder().decode([StrictTransportSecurityPolicy].self, from: encodedPolicies)
        let nextStore = StrictTransportSecurityStore(policies: policies)
        #expect(nextStore.policies.map(\.host) == ["example.com"])
    }

    @Test("the documentation's example of alternative services runs")
    func alternativeServices() throws {
        var alternative = TransportConfiguration()
        alternative.usesAlternativeServices = true
        #if canImport(FoundationNetworking) && NIO
        let rerouted = Session(transport: try Session.makeTransport(connection: alternative))
        #expect(rerouted.maximumBodySize > 0)
        #else
        #expect(throws: TransportConfigurationError.self) { try Session.makeTransport(connection: alternative) }
        #endif
    }

    @Test("a unix socket path that is too long for the transport is an error")
    func unsupported() throws {
        var connection = TransportConfiguration()
        connection.unixSocketPath = String(repeating: "x", count: 200)
        #expect(throws: TransportConfigurationError.self) { try Session.makeTransport(connection: connection) }
    }

    @Test("the documentation's example of middleware runs")
    func middleware() async throws {
        let identified = Session(middleware: [RequestID()])
        _ = identified
        let sent = Locked<[String?]>([])
        let transport = FakeTransport { request in
            sent.withLock { $0.append(request.headers[HTTPField.Name("X-Request-ID")!]) }
            return TransportResponse(status: 200)
        }
        let session = Session(transport: transport, middleware: [RequestID()])
        _ = try await session.data(for: URLRequest(url: URL(string: "http://example.com")!))
        #expect(sent.withLock { $0.compactMap { $0.flatMap { UUID(uuidString: $0) } }.count } == 1)
    }

    @Test("the documentation's example of monitors runs")
    func monitors() async throws {
        let session = Session(eventMonitors: [Printer()])
        #expect(session.eventMonitors.count == 1)
    }
}

struct RequestID: HTTPMiddleware {
    func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        var request = request
        request.headers[HTTPField.Name("X-Request-ID")!] = context.id.uuidString
        return try await next(request)
    }
}
