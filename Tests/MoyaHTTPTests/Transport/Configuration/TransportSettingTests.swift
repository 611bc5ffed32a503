#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import MoyaHTTP
import NIOSSL
import TestServers
import TestSupport
import Testing

@Suite("The settings of a transport configuration take effect on the wire", .timeLimit(.minutes(5)))
struct TransportSettingTests {
    private func configuration(
        _ authority: TestAuthority,
        _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> TransportConfiguration {
        var configuration = try TransportConfiguration(trusting: authority)
        change(&configuration)
        return configuration
    }

    private func send(
        _ method: MoyaHTTP.HTTPMethod = .get,
        _ url: URL,
        _ configuration: TransportConfiguration
    ) async throws -> String {
        try await SecureExchanges.send(TransportRequest(method: method, url: url), configuration)
    }

    @Test(
        "HTTP/2 is used if the server supports it, unless the configuration requests HTTP/1.1",
        arguments: [false, true],
        [false, true]
    )
    func version(http2: Bool, http1Only: Bool) async throws {
        let authority = try TestAuthority()
        let settings = try configuration(authority) { $0.httpVersion = http1Only ? .http1Only : .automatic }
        try await SecureExchanges.withServer(try authority.issue(), http2: http2) { server in
            let text = try await send(.get, server.url("/v"), settings)
            #expect(text == "GET /v \(http2 && !http1Only ? 2 : 1)")
        }
    }

    @Test(
        "a server with a TLS version below the minimum is refused",
        arguments: [
            (MoyaHTTP.TLSVersion.tls12, NIOSSL.TLSVersion.tlsv11, false), (.tls12, .tlsv12, true),
            (.tls13, .tlsv12, false), (.tls13, .tlsv13, true), (.tls10, .tlsv11, true),
        ]
    )
    func minimumVersion(minimum: MoyaHTTP.TLSVersion, newest: NIOSSL.TLSVersion, isAccepted: Bool) async throws {
        let authority = try TestAuthority()
        var tls = try authority.issue().serverConfiguration()
        tls.minimumTLSVersion = .tlsv1
        tls.maximumTLSVersion = newest
        let server = try await SecureServer(tls: tls)
        let settings = try configuration(authority) { $0.minimumTLSVersion = minimum }
        if isAccepted {
            let text = try await send(.get, server.url("/tls"), settings)
            #expect(text.hasPrefix("GET /tls"))
        } else {
            let error = await #expect(throws: URLError.self) { try await send(.get, server.url("/tls"), settings) }
            #expect(error?.code == .secureConnectionFailed)
            let seen = try #require(await server.waitUntilClosed())
            #expect(seen.events == [] && seen.bytes == 0)
        }
        try await server.shutDown()
    }

    @Test("the default transport configuration requires TLS 1.2")
    func defaultMinimum() async throws {
        var tls = try TestAuthority.selfSigned().serverConfiguration()
        tls.minimumTLSVersion = .tlsv1
        tls.maximumTLSVersion = .tlsv11
        let server = try await SecureServer(tls: tls)
        let transport = NIOTransport()
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(method: .get, url: server.url()))
        }
        #expect(error?.code == .secureConnectionFailed)
        await transport.shutdown()
        try await server.shutDown()
    }

    @Test("the host of a URL with an IP address is compared with the certificate's IP addresses only")
    func address() async throws {
        let authority = try TestAuthority()
        let root = PinnedCertificatesTrustEvaluator(
            certificates: [try Certificate(der: authority.root)],
            acceptSelfSignedCertificates: true
        )
        let settings = TransportConfiguration(
            serverTrustManager: ServerTrustManager(evaluators: ["127.0.0.1": root])
        )
        try await SecureExchanges.withServer(try authority.issue(), http2: true) { server in
            let text = try await send(.get, server.url("/ip", host: "127.0.0.1"), settings)
            #expect(text == "GET /ip 2")
        }
        let other = try authority.issue(names: ["127.0.0.1"], addresses: [[127, 0, 0, 2]])
        try await SecureExchanges.withServer(other, http2: true) { server in
            let error = await #expect(throws: URLError.self) {
                try await send(.get, server.url("/ip", host: "127.0.0.1"), settings)
            }
            #expect(
                error?.serverTrustError?.reason
                    == .hostNotInCertificate(names: ["127.0.0.1", "127.0.0.2"])
            )
        }
    }

    @Test(
        "a server that requests a client certificate gets it, from each kind of identity",
        arguments: [false, true],
        ["PEM", "DER", "files", "none", "stranger"]
    )
    func clientCertificate(http2: Bool, form: String) async throws {
        let (authority, clients) = (try TestAuthority(), try TestAuthority(name: "Clients"))
        let client = try (form == "stranger" ? TestAuthority(name: "Strangers") : clients).issue(names: ["client"])
        let folder = try TemporaryFolder()
        let settings = try configuration(authority) { $0.clientIdentity = try? identity(client, form, folder) }
        var tls = try authority.issue().serverConfiguration()
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: Array(clients.root), format: .der)])
        let server = try await SecureServer(tls: tls, http2: http2)
        if ["none", "stranger"].contains(form) {
            let error = await #expect(throws: URLError.self) { try await send(.get, server.url("/me"), settings) }
            let code: URLError.Code = form == "none" ? .clientCertificateRequired : .clientCertificateRejected
            #expect(error?.code == code)
        } else {
            let text = try await send(.get, server.url("/me"), settings)
            #expect(text == "GET /me \(http2 ? 2 : 1)")
        }
        try await server.shutDown()
    }

    private func identity(_ client: TestIdentity, _ form: String, _ folder: TemporaryFolder) throws
        -> ClientIdentity?
    {
        switch form {
        case "PEM", "stranger": return try ClientIdentity(certificatePEM: client.pem, privateKeyPEM: client.key.pem)
        case "DER":
            return ClientIdentity(
                certificates: try ([client.certificate] + client.issuers).map { try Certificate(der: $0) },
                privateKey: client.key.der,
                format: .der
            )
        case "files":
            let (certificate, key) = (folder.file("client.pem"), folder.file("client.key"))
            try Data(client.pem.utf8).write(to: certificate)
            try Data(client.key.pem.utf8).write(to: key)
            return try ClientIdentity(certificateFile: certificate, privateKeyFile: key)
        default: return nil
        }
    }

    @Test("PKCS#12 archives and encrypted keys are decrypted with their passphrase", arguments: [false, true])
    func encrypted(isArchive: Bool) async throws {
        let authority = try TestAuthority()
        let own = try Certificate.certificates(pem: PKCS12.certificate)
        let settings = try configuration(authority) {
            $0.clientIdentity =
                isArchive
                ? ClientIdentity(pkcs12: PKCS12.archive, passphrase: PKCS12.passphrase)
                : ClientIdentity(
                    certificates: own,
                    privateKey: PKCS12.encryptedKey,
                    passphrase: PKCS12.passphrase
                )
        }
        var tls = try authority.issue().serverConfiguration()
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = .certificates(try own.map { try NIOSSLCertificate(bytes: Array($0.der), format: .der) })
        let server = try await SecureServer(tls: tls)
        let text = try await send(.get, server.url("/me"), settings)
        #expect(text == "GET /me 2")
        try await server.shutDown()
    }

    @Test(
        "a host with an overridden address is reached without a resolver, and the server gets the host's name",
        arguments: [false, true]
    )
    func dnsOverride(http2: Bool) async throws {
        let authority = try TestAuthority()
        let root = PinnedCertificatesTrustEvaluator(
            certificates: [try Certificate(der: authority.root)],
            acceptSelfSignedCertificates: true
        )
        var settings = TransportConfiguration(
            serverTrustManager: ServerTrustManager(evaluators: ["api.invalid": root])
        )
        settings.dnsOverride = ["API.invalid": "127.0.0.1"]
        let identity = try authority.issue(names: ["api.invalid"], addresses: [])
        try await SecureExchanges.withServer(identity, http2: http2) { server in
            for host in ["api.invalid", "Api.Invalid"] {
                let text = try await send(.get, server.url("/dns", host: host), settings)
                #expect(text == "GET /dns \(http2 ? 2 : 1)")
                let seen = await server.waitForEvent {
                    $0 == .request("GET /dns", version: http2 ? 2 : 1, host: "api.invalid:\(server.port)")
                }
                #expect(seen)
            }
        }
    }

    @Test(
        "a unix socket carries requests for any host, plain and over TLS",
        arguments: [false, true],
        [0, 100_000]
    )
    func unixSocket(overTLS: Bool, bodyLength: Int) async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        let path = folder.file("a socket").path
        let root = PinnedCertificatesTrustEvaluator(
            certificates: [try Certificate(der: authority.root)],
            acceptSelfSignedCertificates: true
        )
        var settings = TransportConfiguration(
            serverTrustManager: ServerTrustManager(evaluators: ["docker.example": root])
        )
        settings.unixSocketPath = path
        let identity = try authority.issue(names: ["docker.example"], addresses: [])
        let server = try await SecureServer(
            tls: overTLS ? identity.serverConfiguration() : nil,
            unixSocketPath: path
        )
        let url = try #require(URL(string: "\(overTLS ? "https" : "http")://docker.example:8080/v1/a%20b?c=d%26e"))
        let text = try await SecureExchanges.send(
            TransportRequest(
                method: .put,
                url: url,
                body: bodyLength == 0 ? nil : .data(Data(count: bodyLength))
            ),
            settings
        )
        let version = overTLS ? 2 : 1
        #expect(text == "PUT /v1/a%20b?c=d%26e \(version)")
        let seen = await server.waitForEvent {
            $0 == .request("PUT /v1/a%20b?c=d%26e", version: version, host: "docker.example:8080")
        }
        #expect(seen)
        try await server.shutDown()
        let error = await #expect(throws: URLError.self) { try await send(.get, url, settings) }
        #expect(error?.code == .cannotConnectToHost)
        #expect(error?.failingURL == url)
    }
}
#endif
