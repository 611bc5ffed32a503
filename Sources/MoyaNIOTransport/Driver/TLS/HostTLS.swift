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

/// A cache of TLS contexts of one transport.
///
/// Creating a context reads the system's root certificates, which takes milliseconds and megabytes. Connections that need the same
/// context at the same time share its creation.
final class TLSContexts: Sendable {
    /// The values on which the contexts of a transport differ.
    ///
    /// Configurations are not compared: NIOSSL compares bytes of them that have no value.
    struct Key: Equatable, Sendable {
        let requirements: TLSRequirements
        let protocols: OfferedProtocols

        init(_ requirements: TLSRequirements, _ protocols: OfferedProtocols) {
            (self.requirements, self.protocols) = (requirements, protocols)
        }
    }

    private enum Context: Sendable {
        case creating(waiters: [EventLoopPromise<NIOSSLContext>])
        case created(NIOSSLContext)
    }

    private enum Step: Sendable {
        case use(NIOSSLContext)
        case create
        case wait
    }

    /// The maximum number of contexts; most hosts share one.
    private static let maximumContexts = 8

    private let create: @Sendable (TLSConfiguration) throws -> NIOSSLContext
    private let contexts = Locked<[(key: Key, context: Context)]>([])

    /// Creates a cache; tests replace the function that creates a context.
    init(
        create: @escaping @Sendable (TLSConfiguration) throws -> NIOSSLContext = {
            try NIOSSLContext(configuration: $0)
        }
    ) {
        self.create = create
    }

    /// Returns the context for a key, which is created of the configuration on another thread if it does not exist.
    func context(
        for key: Key,
        _ configuration: TLSConfiguration,
        on loop: any EventLoop
    ) -> EventLoopFuture<NIOSSLContext> {
        let promise = loop.makePromise(of: NIOSSLContext.self)
        switch step(for: key, promise) {
        case .use(let context): promise.succeed(context)
        case .wait: break
        case .create:
            DispatchQueue.global().async {
                self.finish(key, Result { try self.create(configuration) })
            }
        }
        return promise.futureResult
    }

    private func step(for key: Key, _ promise: EventLoopPromise<NIOSSLContext>) -> Step {
        contexts.withLock { contexts in
            guard let index = contexts.firstIndex(where: { $0.key == key }) else {
                contexts.append((key, .creating(waiters: [promise])))
                return .create
            }
            switch contexts[index].context {
            case .created(let context): return .use(context)
            case .creating(let waiters):
                contexts[index].context = .creating(waiters: waiters + [promise])
                return .wait
            }
        }
    }

    /// Stores a created context, or drops a failed creation, so that the next connection repeats it.
    private func finish(_ key: Key, _ result: Result<NIOSSLContext, any Error>) {
        let waiters = contexts.withLock { contexts -> [EventLoopPromise<NIOSSLContext>] in
            guard let index = contexts.firstIndex(where: { $0.key == key }),
                case .creating(let waiters) = contexts.remove(at: index).context
            else { return [] }
            guard case .success(let context) = result else { return waiters }
            // A context that is being created has waiters, so it stays.
            let oldest = contexts.firstIndex { if case .created = $0.context { true } else { false } }
            if contexts.count >= Self.maximumContexts, let oldest { contexts.remove(at: oldest) }
            contexts.append((key, .created(context)))
            return waiters
        }
        for waiter in waiters { waiter.completeWith(result) }
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
