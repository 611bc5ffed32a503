#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOSSL

/// The TLS of the connections to a host: the rule that its certificates must satisfy, and the configuration of the handshake.
struct HostTLS: Sendable {
    let rule: ServerTrustRule
    let requirements: TLSRequirements
    /// The configuration for these requirements, without the offered protocols.
    let configuration: TLSConfiguration
    let contexts: TLSContexts

    /// Returns the TLS context of a connection that offers protocols.
    func context(offering protocols: OfferedProtocols, on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
        var configuration = configuration
        configuration.applicationProtocols = protocols.names
        return contexts.context(for: TLSContexts.Key(requirements, protocols), configuration, on: loop)
    }
}

/// The requirements of a rule on the certificates of a host that are a part of the TLS configuration.
struct TLSRequirements: Equatable, Sendable {
    /// The verification, without the host name, which NIOSSL does not verify.
    let verification: ServerTrustVerification
    let acceptsWeakCertificates: Bool

    init(_ evaluator: any ServerTrustEvaluating) {
        verification = evaluator.verification.validatingHost(false)
        acceptsWeakCertificates = evaluator.acceptsWeakCertificates
    }
}

extension ServerTrustRule {
    /// Returns a more specific error for a failed handshake: the reason why BoringSSL rejected the server, or why the server
    /// rejected the client.
    ///
    /// BoringSSL reports only that verification failed. So the function derives the reason from the rejected certificate.
    func explain(
        _ error: any Error,
        on channel: any Channel,
        host: String,
        hasIdentity: Bool,
        verification: ChainVerification?
    ) -> any Error {
        guard let presented = try? channel.pipeline.syncOperations.nioSSL_peerCertificate() else { return error }
        guard URLError.code(forConnectionError: error) == .serverCertificateUntrusted else {
            return TLSHandshakeError(afterServerCertificate: error, hasIdentity: hasIdentity) ?? error
        }
        guard let certificate = Certificate(presented) else {
            return refusal(of: host, .malformedCertificate, cause: error)
        }
        let now = Date()
        return refusal(
            of: host,
            verification?.reason(at: now) ?? ServerTrustError.Reason(rejected: certificate, at: now),
            certificate: certificate,
            rejected: verification?.rejectedCertificate,
            cause: error
        )
    }

    /// Evaluates the rule for a connection after the handshake of ``TLSSettings``.
    ///
    /// It runs on the event loop, since the result is needed before the first request is sent.
    ///
    /// - Throws: ``ServerTrustError``.
    func check(_ channel: any Channel, host: String, _ chain: ChainVerification?) throws {
        var certificates: [Certificate] = []
        var validatedChain: [Certificate] = []
        if let presented = try channel.pipeline.syncOperations.nioSSL_peerCertificate() {
            guard let certificate = Certificate(presented) else {
                throw refusal(of: host, .malformedCertificate)
            }
            certificates = [certificate]
            if let chain {
                guard let taken = chain.takeChain(of: certificate) else {
                    throw refusal(of: host, .notVerified, certificate: certificate)
                }
                validatedChain = taken
            }
        }
        try evaluate(
            ServerTrust(
                host: host,
                certificates: certificates,
                validatedChain: validatedChain,
                verification: evaluator.verification.validatingHost(false)
            )
        )
    }
}
#endif
