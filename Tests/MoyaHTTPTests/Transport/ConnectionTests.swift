import Foundation
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Connection attempts fail with specific errors on every transport")
struct ConnectionTests {
    @Test(
        "a connection to a port without a server fails with a specific URLError code",
        arguments: TransportKind.allCases
    )
    func refused(kind: TransportKind) async throws {
        let nobody = try DeadPort()
        await expect(.cannotConnectToHost, from: nobody.url, on: kind)
    }

    @Test(
        "an unknown host fails with a specific URLError code (RFC 6761, section 6.4: .invalid never resolves)",
        arguments: TransportKind.allCases
    )
    func unknownHost(kind: TransportKind) async throws {
        let url = try #require(URL(string: "http://nowhere.invalid/"))
        await expect(.cannotFindHost, from: url, on: kind)
    }

    @Test("a server without TLS fails with a specific URLError code", arguments: TransportKind.allCases)
    func noTLS(kind: TransportKind) async throws {
        let server = try await MisbehavingServer()
        await expect(.secureConnectionFailed, from: server.url(scheme: "https"), on: kind)
        try await server.shutDown()
    }

    @Test("an untrusted certificate fails with a specific URLError code", arguments: TransportKind.allCases)
    func untrusted(kind: TransportKind) async throws {
        let server = try await MisbehavingServer(tls: SelfSigned.serverConfiguration())
        await expect(.serverCertificateUntrusted, from: server.url(scheme: "https"), on: kind)
        try await server.shutDown()
    }

    private func expect(_ code: URLError.Code, from url: URL, on kind: TransportKind) async {
        let transport = kind.make()
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(method: .get, url: url))
        }
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(error?.userInfo[NSUnderlyingErrorKey] != nil)
        #expect(error?.failingURL == url)
        await transport.shutdown()
    }
}
