#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import MoyaHTTP
import NIOSSL
import TestServers
import TestSupport
import Testing

@Suite("Each type of certificate key works over real TLS", .timeLimit(.minutes(5)))
struct TLSPeersTests {
    private static let versions: [NIOSSL.TLSVersion] = [.tlsv12, .tlsv13]

    private func configuration(
        _ root: TestCertificate,
        _ change: (inout TransportConfiguration) throws -> Void = { _ in }
    ) throws -> TransportConfiguration {
        let roots = RootCertificatesTrustEvaluator(certificates: [try Certificate(der: root.der)])
        var configuration = TransportConfiguration(trusting: roots)
        try change(&configuration)
        return configuration
    }

    private func expectResponse(_ tls: TLSConfiguration, _ configuration: TransportConfiguration) async throws {
        let server = try await SecureServer(tls: tls)
        let request = TransportRequest(method: .get, url: server.url("/key"))
        let text = try await SecureExchanges.send(request, configuration)
        #expect(text == "GET /key 2")
        try await server.shutDown()
    }

    @Test(
        "a server with each kind of certificate key is accepted",
        arguments: TestCertificate.Key.allCases,
        versions
    )
    func key(_ key: TestCertificate.Key, _ version: NIOSSL.TLSVersion) async throws {
        let root = try TestCertificate("Root", key: key, .authority)
        var tls = try TestCertificate("Server", key: key, issuer: root).serverConfiguration()
        tls.maximumTLSVersion = version
        try await expectResponse(tls, configuration(root))
    }

    @Test(
        "a server that supports only one key exchange group is reached",
        arguments: [NIOTLSCurve.x25519_MLKEM768, .x25519, .secp256r1, .secp384r1, .secp521r1]
    )
    func group(_ group: NIOTLSCurve) async throws {
        let root = try TestCertificate("Root", .authority)
        var tls = try TestCertificate("Server", key: .rsa, issuer: root).serverConfiguration()
        tls.curves = [group]
        try await expectResponse(tls, configuration(root))
    }

    @Test(
        "a client is accepted with each type of certificate key",
        arguments: TestCertificate.Key.allCases,
        versions
    )
    func client(_ key: TestCertificate.Key, _ version: NIOSSL.TLSVersion) async throws {
        let root = try TestCertificate("Root", .authority)
        let client = try TestCertificate("Client", key: key, issuer: root)
        var tls = try TestCertificate("Server", issuer: root).serverConfiguration()
        tls.maximumTLSVersion = version
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: Array(root.der), format: .der)])
        tls.verifySignatureAlgorithms = [
            .ecdsaSecp256R1Sha256, .ecdsaSecp384R1Sha384, .ecdsaSecp521R1Sha512, .ed25519, .rsaPssRsaeSha256,
        ]
        let identity = try ClientIdentity(certificatePEM: client.pem, privateKeyPEM: client.keyPEM)
        try await expectResponse(tls, configuration(root) { $0.clientIdentity = identity })
    }

    @Test("a client key that does not belong to its certificate is detected when the transport is created")
    func foreignKey() throws {
        let root = try TestCertificate("Root", .authority)
        let keys = TestCertificate.Key.allCases
        for (one, other) in zip(keys, [.p256] + keys.dropLast()) {
            let own = try TestCertificate("Client", key: one, issuer: root)
            let foreign = try TestCertificate("Other", key: other, issuer: root)
            let identity = try ClientIdentity(certificatePEM: own.pem, privateKeyPEM: foreign.keyPEM)
            #expect(
                throws: TransportConfigurationError.invalid(
                    .clientIdentity,
                    reason: "The private key does not belong to the first certificate."
                )
            ) { try NIOTransport(connection: configuration(root) { $0.clientIdentity = identity }) }
            let right = try ClientIdentity(certificatePEM: own.pem, privateKeyPEM: own.keyPEM)
            #expect(throws: Never.self) {
                try NIOTransport(connection: configuration(root) { $0.clientIdentity = right })
            }
        }
    }

    @Test("TLS renegotiation is off by default, and supported with HTTP/1.1 only")
    func renegotiation() async throws {
        let root = try TestCertificate("Root", .authority)
        #expect(!TransportConfiguration().allowsRenegotiation)
        let settings = try configuration(root) { $0.allowsRenegotiation = true }
        let server = try await SecureServer(tls: TestCertificate("Server", issuer: root).serverConfiguration())
        let request = TransportRequest(method: .get, url: server.url("/r"))
        let text = try await SecureExchanges.send(request, settings)
        #expect(text == "GET /r 1")
        try await server.shutDown()
    }

    @Test(
        "a server that renegotiates TLS fails the request, unless one renegotiation is allowed",
        .enabled(if: OpenSSL.isInstalled, "needs the command openssl"),
        arguments: [(isAllowed: false, count: 1), (true, 1), (true, 2)]
    )
    func renegotiatingServer(isAllowed: Bool, count: Int) async throws {
        let folder = try TemporaryFolder()
        let root = try TestCertificate("Root", .authority)
        let certificate = try TestCertificate("Server", issuer: root)
        let input = Pipe()
        let log = try FileHandle(forWritingTo: folder.write("", to: "output"))
        let server = Process()
        server.executableURL = OpenSSL.url
        server.arguments = [
            "s_server", "-accept", "0", "-tls1_2", "-state",
            "-cert", try folder.write(certificate.pem, to: "certificate").path,
            "-key", try folder.write(certificate.keyPEM, to: "key").path,
        ]
        server.standardInput = input
        server.standardOutput = log
        server.standardError = log
        try server.run()
        defer { server.terminate() }
        func output(matching pattern: some RegexComponent<(Substring, Substring)>, count: Int = 1) async throws
            -> Substring
        {
            while true {
                let matches = try folder.text("output").matches(of: pattern)
                if matches.count >= count { return matches[count - 1].output.1 }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        let port = try await output(matching: /ACCEPT .*:(\d+)\n/)
        let url = try #require(URL(string: "https://localhost:\(port)/r"))
        let settings = try configuration(root) { $0.allowsRenegotiation = isAllowed }
        let response = Task {
            try await SecureExchanges.send(TransportRequest(method: .get, url: url), settings)
        }
        _ = try await output(matching: /(GET \/r HTTP\/1.1)/)
        for number in 1...count {
            try input.fileHandleForWriting.write(contentsOf: Data("R\n".utf8))
            guard isAllowed, number == 1 else {
                let error = await #expect(throws: URLError.self) { try await response.value }
                #expect(error?.code == .secureConnectionFailed)
                #expect(error?.localizedDescription.contains("allowsRenegotiation") == true)
                return
            }
            // A resumed session and a new one end with different messages.
            _ = try await output(matching: /(read finished)/, count: 2)
            _ = try await output(matching: /(write finished)/, count: 2)
        }
        try input.fileHandleForWriting.write(
            contentsOf: Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        )
        try await expectEqual(response.value, "ok")
    }
}
#endif
