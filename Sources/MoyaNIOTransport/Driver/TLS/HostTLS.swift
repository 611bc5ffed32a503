#if NIO && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOSSL

    /// The TLS of the connections to a host: the rule that its certificates must satisfy, and the configuration of the handshake.
    struct HostTLS: Sendable {
        let rule: ServerTrustRule
        /// The configuration without the offered protocols.
        let configuration: TLSConfiguration
        let contexts: TLSContexts

        /// Returns the TLS context of a connection that offers protocols.
        func context(offering protocols: OfferedProtocols, on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
            var configuration = configuration
            configuration.applicationProtocols = protocols.names
            return contexts.context(for: configuration, on: loop)
        }
    }

    /// A cache of TLS contexts by configuration.
    ///
    /// Creating a context reads the system's root certificates, which takes milliseconds and megabytes.
    final class TLSContexts: Sendable {
        /// The maximum number of contexts; most hosts share one.
        private static let maximumContexts = 8

        private let contexts = Locked<[(configuration: TLSConfiguration, context: NIOSSLContext)]>([])

        func context(for configuration: TLSConfiguration, on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
            if let context = known(configuration) { return loop.makeSucceededFuture(context) }
            let promise = loop.makePromise(of: NIOSSLContext.self)
            DispatchQueue.global().async {
                promise.completeWith(
                    Result {
                        let context = try NIOSSLContext(configuration: configuration)
                        return self.keep(context, for: configuration)
                    }
                )
            }
            return promise.futureResult
        }

        private func known(_ configuration: TLSConfiguration) -> NIOSSLContext? {
            contexts.withLock { $0.first { $0.configuration.bestEffortEquals(configuration) }?.context }
        }

        /// Stores a context, or returns an existing one that another connection has stored in the meantime.
        private func keep(_ context: NIOSSLContext, for configuration: TLSConfiguration) -> NIOSSLContext {
            contexts.withLock { contexts in
                if let known = contexts.first(where: { $0.configuration.bestEffortEquals(configuration) }) {
                    return known.context
                }
                if contexts.count == Self.maximumContexts { contexts.removeFirst() }
                contexts.append((configuration, context))
                return context
            }
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
