#if NIO && !canImport(Darwin)
import Foundation
import MoyaHTTP
import TestServers
import Testing

/// A TLS server and the results of requests to it.
enum SecureExchanges {
    /// Sends one request over a new transport.
    static func send(
        _ request: TransportRequest,
        _ configuration: TransportConfiguration
    ) async throws -> String {
        let transport = try NIOTransport(connection: configuration)
        return try await transport.shutDown(after: { try await text(of: transport.send(request)) })
    }

    static func text(of response: TransportResponse) async throws -> String {
        switch response.body {
        case .complete(let data): return String(decoding: data, as: UTF8.self)
        case .stream(let stream):
            var all = Data()
            for try await chunk in stream { all.append(chunk) }
            return String(decoding: all, as: UTF8.self)
        }
    }

    /// Runs a test with a server and stops it.
    static func withServer(
        _ identity: TestIdentity,
        http2: Bool,
        _ body: (SecureServer) async throws -> Void
    ) async throws {
        let server = try await SecureServer(tls: identity.serverConfiguration(), http2: http2)
        do {
            try await body(server)
        } catch {
            try await server.shutDown()
            throw error
        }
        try await server.shutDown()
    }

    /// An HTTP/2 connection begins with its settings, before any request (RFC 9113, section 3.4).
    static let longestPreface = 200
}

extension TransportConfiguration {
    /// Creates a configuration with a rule for `localhost` only.
    init(trusting evaluator: any ServerTrustEvaluating) {
        self.init(serverTrustManager: ServerTrustManager(evaluators: ["localhost": evaluator]))
        // On a busy machine a slow handshake may cause a second connection.
        startsSecondAttempt = false
    }

    /// Creates a configuration that trusts only this authority.
    init(trusting authority: TestAuthority) throws {
        self.init(
            trusting: PinnedCertificatesTrustEvaluator(
                certificates: [try Certificate(der: authority.root)],
                acceptSelfSignedCertificates: true
            )
        )
    }
}
#endif
