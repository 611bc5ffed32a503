#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOSSL
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("TLS failures have specific errors", .timeLimit(.minutes(5)))
struct TLSFailureTests {
    private func failure(
        _ url: URL,
        _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) async throws -> URLError? {
        var configuration = TransportConfiguration(trusting: DisabledTrustEvaluator())
        change(&configuration)
        let request = TransportRequest(method: .get, url: url)
        return await #expect(throws: URLError.self) { try await SecureExchanges.send(request, configuration) }
    }

    private func failure(
        of tls: TLSConfiguration,
        http2: Bool = true,
        _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) async throws -> URLError? {
        let server = try await SecureServer(tls: tls, http2: http2)
        let error = try await failure(server.url(), change)
        try await server.shutDown()
        return error
    }

    private func expect(_ error: URLError?, _ failure: TLSFailure) {
        #expect(error?.code == failure.urlErrorCode)
        #expect(error?.localizedDescription == failure.reason)
        let cause = error?.userInfo[NSUnderlyingErrorKey]
        #expect(cause is NIOSSLError || cause is BoringSSLError)
    }

    @Test("the error for a TLS connection to a server with plain HTTP is specific")
    func plainHTTP() async throws {
        let server = try await MisbehavingServer()
        expect(try await failure(server.url(scheme: "https")), .notTLS)
        try await server.shutDown()
    }

    @Test("the error for a server that closes the connection in the TLS handshake is specific")
    func closed() async throws {
        let server = try await RawServer { connection in _ = try await connection.read() }
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        expect(try await failure(url), .closedInHandshake)
        await server.shutDown()
    }

    @Test(
        "invalid TLS bytes after the handshake break the connection and do not count as plain HTTP",
        arguments: [NIOSSL.TLSVersion.tlsv12, .tlsv13],
        ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"]
    )
    func invalidRecord(_ version: NIOSSL.TLSVersion, response: String) async throws {
        for http in response.isEmpty ? ["http/1.1", "h2"] : ["http/1.1"] {
            var tls = try TestCertificate("Server").serverConfiguration()
            tls.maximumTLSVersion = version
            tls.applicationProtocols = [http]
            let server = try await RawServer(tls: tls) { connection in
                _ = try await connection.read()
                if !response.isEmpty { try await connection.writer.write(response) }
                try await connection.writer.writeBelowTLS("plain garbage, which is not TLS")
                await connection.waitUntilClosed()
            }
            let url = try #require(URL(string: "https://localhost:\(server.port)/"))
            expect(try await failure(url), .invalidRecord)
            await server.shutDown()
        }
    }

    @Test(
        "BoringSSL's texts after the TLS handshake map to errors",
        arguments: [
            ("WRONG_VERSION_NUMBER", .invalidRecord), ("DECRYPTION_FAILED_OR_BAD_RECORD_MAC", .invalidRecord),
            ("UNEXPECTED_RECORD", .invalidRecord), ("ENCRYPTED_LENGTH_TOO_LONG", .invalidRecord),
            ("SSLV3_ALERT_BAD_RECORD_MAC", nil), ("SSLV3_ALERT_HANDSHAKE_FAILURE", .clientCertificateRequired),
            ("TLSV1_ALERT_CERTIFICATE_REQUIRED", .clientCertificateRequired), ("NO_RENEGOTIATION", .renegotiation),
            ("DECODE_ERROR", nil),
        ] as [(String, TLSFailure?)]
    )
    func textsAfterHandshake(_ text: String, _ expected: TLSFailure?) {
        let stack = ["Error: 268435703 error:100000f7:SSL routines:OPENSSL_internal:\(text) at /ssl.cc:1"]
        #expect(TLSFailure(stackAfterHandshake: stack) == expected)
    }

    @Test(
        "the error for a missing common TLS version is specific",
        arguments: [(MoyaHTTP.TLSVersion.tls12, NIOSSL.TLSVersion.tlsv11), (.tls13, .tlsv12)]
    )
    func version(oldest: MoyaHTTP.TLSVersion, newest: NIOSSL.TLSVersion) async throws {
        var tls = try TestCertificate("Server").serverConfiguration()
        tls.maximumTLSVersion = newest
        expect(try await failure(of: tls) { $0.minimumTLSVersion = oldest }, .noCommonVersion)
    }

    @Test("the error for a missing common cipher suite or group is specific")
    func cipher() async throws {
        var suites = try TestCertificate("Server").serverConfiguration()
        suites.maximumTLSVersion = .tlsv12
        // The key is for ECDSA, and the suites are for RSA.
        suites.cipherSuites = "ECDHE-RSA-AES128-GCM-SHA256"
        expect(try await failure(of: suites), .noCommonCipher)
    }

    @Test(
        "the error for a required client certificate that is missing or refused is specific",
        arguments: [NIOSSL.TLSVersion.tlsv12, .tlsv13],
        [false, true]
    )
    func clientCertificate(_ version: NIOSSL.TLSVersion, http2: Bool) async throws {
        let (authority, stranger) = (try TestCertificate("Clients", .authority), try TestCertificate("Stranger"))
        var tls = try TestCertificate("Server").serverConfiguration()
        tls.maximumTLSVersion = version
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: Array(authority.der), format: .der)])
        expect(try await failure(of: tls, http2: http2), .clientCertificateRequired)
        let identity = try ClientIdentity(certificatePEM: stranger.pem, privateKeyPEM: stranger.keyPEM)
        let error = try await failure(of: tls, http2: http2) { $0.clientIdentity = identity }
        #expect(error?.code == .clientCertificateRejected)
        #expect(error?.localizedDescription == "The server does not accept the client's certificate.")
    }

    @Test("the error for a server that selects HTTP/2 by ALPN and speaks HTTP/1.1 is specific")
    func http2Lie() async throws {
        var tls = try TestCertificate("Server").serverConfiguration()
        tls.applicationProtocols = ["h2"]
        let server = try await RawServer(tls: tls) { connection in
            try await connection.writer.write(
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        }
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let error = try await failure(url)
        #expect(error?.code == .cannotParseResponse)
        #expect(
            error?.localizedDescription == """
                The server selected HTTP/2 in the TLS handshake (ALPN), but speaks HTTP/1.1. \
                TransportConfiguration.httpVersion = .http1Only avoids HTTP/2. (HTTP/2 PROTOCOL_ERROR)
                """
        )
        await server.shutDown()
    }

    @Test(
        "BoringSSL's texts for failed handshakes map to errors",
        arguments: [
            ("WRONG_VERSION_NUMBER", .notTLS), ("TLSV1_ALERT_PROTOCOL_VERSION", .noCommonVersion),
            ("UNSUPPORTED_PROTOCOL", .noCommonVersion), ("SSLV3_ALERT_HANDSHAKE_FAILURE", .noCommonCipher),
            ("TLSV1_ALERT_INSUFFICIENT_SECURITY", .noCommonCipher),
            ("TLSV1_ALERT_NO_APPLICATION_PROTOCOL", .noCommonProtocol),
            ("TLSV1_ALERT_UNRECOGNIZED_NAME", .unknownHost),
            ("TLSV1_ALERT_CERTIFICATE_REQUIRED", .clientCertificateRequired),
            ("TLSV1_ALERT_UNKNOWN_CA", .clientCertificateRejected),
            ("SSLV3_ALERT_CERTIFICATE_EXPIRED", .clientCertificateRejected),
            ("NO_RENEGOTIATION", .renegotiation), ("TLSV1_ALERT_NO_RENEGOTIATION", nil), ("DECODE_ERROR", nil),
        ] as [(String, TLSFailure?)]
    )
    func texts(_ text: String, _ expected: TLSFailure?) {
        let stack = ["Error: 268435703 error:100000f7:SSL routines:OPENSSL_internal:\(text) at /ssl.cc:1"]
        #expect(TLSFailure(stack: stack) == expected)
    }

    @Test("the error for a TLS renegotiation names the option that allows it")
    func renegotiation() {
        #expect(TLSFailure.renegotiation.reason?.contains("TransportConfiguration.allowsRenegotiation") == true)
    }
}
#endif
