#if NIO && !canImport(Darwin)
    import Foundation
    import NIOSSL

    /// BoringSSL's verification of the chain of one server, as it reports it: one certificate after the other, from the
    /// trusted root to the server's own.
    ///
    /// It must be used on one event loop only.
    final class ChainVerification {
        /// What is recorded of a certificate; there is no certificate if it cannot be parsed.
        private struct Step {
            let certificate: Certificate?
            let policies: CertificatePolicies?

            init(_ presented: NIOSSLCertificate) {
                certificate = (try? presented.toDERBytes()).flatMap { try? Certificate(der: Data($0)) }
                policies = certificate.flatMap(CertificatePolicies.init)
            }
        }

        private var accepted: [Step] = []
        private var rejected: Step?
        private var hasUnsupportedPolicy = false

        /// Creates the TLS handler of a connection, and records what it verifies.
        func makeHandler(_ context: NIOSSLContext, serverHostname: String?) throws -> NIOSSLClientHandler {
            try NIOSSLClientHandler.observed(context, serverHostname) { [self] in report($0, $1) }
        }

        /// Returns the validated chain, from the server's certificate to the trusted root, and forgets it: the connection
        /// keeps this object.
        ///
        /// Certificates that cannot be parsed are left out.
        func takeChain(of server: Certificate) -> [Certificate] {
            defer { accepted = [] }
            guard rejected == nil, accepted.last?.certificate == server else { return [] }
            return accepted.reversed().compactMap(\.certificate)
        }

        /// The certificate that BoringSSL did not accept, if it can be parsed.
        var rejectedCertificate: Certificate? { rejected?.certificate }

        /// The reason why the certificate was not accepted.
        ///
        /// BoringSSL does not report it. The order of its checks is known: it looks for the issuers first.
        func reason(at date: Date) -> ServerTrustError.Reason? {
            if hasUnsupportedPolicy {
                return .notTrusted("its chain requires a certificate policy, and has policy mappings or none in common")
            }
            guard let certificate = rejected?.certificate else { return nil }
            let reason = ServerTrustError.Reason(rejected: certificate, at: date)
            return switch reason {
            case .unknownIssuer where !accepted.isEmpty, .selfSigned where !accepted.isEmpty:
                .notTrusted("a signature or a constraint in its chain is invalid")
            default: reason
            }
        }

        private func report(
            _ result: NIOSSLVerificationResult,
            _ certificate: NIOSSLCertificate
        ) -> NIOSSLVerificationResult {
            let step = Step(certificate)
            guard result == .certificateVerified else {
                rejected = rejected ?? step
                return .failed
            }
            accepted.append(step)
            // NIOSSL ends the process when BoringSSL finds that a chain lacks a required policy, which it checks last, and
            // reports without a certificate. Thus such a chain must not get there. The first certificate is the root.
            let policies = accepted.dropFirst().map(\.policies)
            let read = policies.compactMap(\.self)
            guard read.count == policies.count, CertificatePolicies.agree(read) else {
                (rejected, hasUnsupportedPolicy) = (step, true)
                return .failed
            }
            return .certificateVerified
        }
    }

    /// NIOSSL's only way to observe BoringSSL's own verification is deprecated, in favor of one that replaces it.
    ///
    /// Called by a requirement of a protocol, it gives no warning.
    private protocol ObservedHandler {
        init(
            context: NIOSSLContext,
            serverHostname: String?,
            verificationCallback: NIOSSLVerificationCallback?
        ) throws
    }

    extension NIOSSLClientHandler: ObservedHandler {}

    extension ObservedHandler {
        fileprivate static func observed(
            _ context: NIOSSLContext,
            _ serverHostname: String?,
            _ callback: @escaping NIOSSLVerificationCallback
        ) throws -> Self {
            try Self(context: context, serverHostname: serverHostname, verificationCallback: callback)
        }
    }
#endif
