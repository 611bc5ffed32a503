#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOSSL

/// Records how BoringSSL verifies the certificate chain of one server.
///
/// BoringSSL reports a certificate that it does not accept, and then one certificate after the other, from the trusted root
/// to the server's certificate.
///
/// It must be used on one event loop only.
final class ChainVerification {
    /// The recorded parts of a certificate; `certificate` is `nil` if it cannot be parsed.
    private struct Step {
        let certificate: Certificate?
        let policies: CertificatePolicies?
        let constraints: CertificateConstraints?

        init(_ presented: NIOSSLCertificate) {
            certificate = Certificate(presented)
            policies = certificate.flatMap(CertificatePolicies.init)
            constraints = certificate.flatMap(CertificateConstraints.init)
        }

        var isSelfIssued: Bool { certificate?.isSelfIssued == true }
    }

    /// The reason why a certificate is rejected.
    private enum Cause {
        /// BoringSSL found no issuer, or an extension that does not allow the use of the certificate.
        case issuerOrExtension
        /// The dates, the signature or a name is invalid, in a chain with all issuers.
        case content
        case known(ServerTrustError.Reason)
    }

    private typealias Rejection = (step: Step, cause: Cause)

    /// The certificates that the rule names as trusted, besides the system's.
    private let anchors: [Certificate]
    private var accepted: [Step] = []
    private var rejected: Rejection?
    /// The trusted certificate of an authority at the end of a chain that has no root.
    private var anchor: Step?
    /// The certificate of the server, as soon as it is known.
    private var server: Certificate?
    /// Whether BoringSSL has rejected the chain of a server whose own certificate is trusted.
    private var hasTrustedServer = false

    /// Creates the verification for a rule.
    ///
    /// - Parameter anchors: The certificates that are trusted, besides the system's roots.
    init(anchors: [Certificate]) { self.anchors = anchors }

    /// Creates the TLS handler of a connection, and records the certificates that it verifies.
    func makeHandler(
        _ context: NIOSSLContext,
        serverHostname: String?,
        _ channel: any Channel
    ) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler.observed(context, serverHostname: serverHostname) {
            [self, weak channel] result, certificate in
            // The certificates that the server has presented are known before they are verified.
            server =
                server ?? (try? channel?.pipeline.syncOperations.nioSSL_peerCertificate()).flatMap(Certificate.init)
            return report(result, Step(certificate))
        }
    }

    /// Returns the validated chain, from the server's certificate to the trust anchor, and forgets it: the connection
    /// keeps this object.
    ///
    /// Certificates that cannot be parsed are left out. The result is `nil` if the server has not been verified.
    func takeChain(of server: Certificate) -> [Certificate]? {
        defer { accepted = [] }
        guard rejected == nil else { return nil }
        if hasTrustedServer { return anchors.contains(server) ? [server] : nil }
        guard accepted.last?.certificate == server else { return nil }
        return (accepted.reversed() + [anchor].compactMap(\.self)).compactMap(\.certificate)
    }

    /// The certificate that is not accepted, if it can be parsed.
    var rejectedCertificate: Certificate? { rejected?.step.certificate }

    /// The reason why the certificate is not accepted; `nil` if it cannot be parsed.
    ///
    /// BoringSSL does not report it. The order of its checks is known: issuers, extensions, then dates and signatures
    /// from the root to the server, and names.
    func reason(at date: Date) -> ServerTrustError.Reason? {
        guard let (step, cause) = rejected else {
            // BoringSSL does not report a certificate whose extensions it cannot parse.
            return accepted.isEmpty ? .notTrusted("an extension of a certificate in its chain is malformed") : nil
        }
        if case .known(let reason) = cause { return reason }
        guard let certificate = step.certificate else { return nil }
        let invalid = ServerTrustError.Reason(invalid: certificate, at: date)
        let other = ServerTrustError.Reason.notTrusted("a signature or a constraint in its chain is invalid")
        guard case .issuerOrExtension = cause else {
            // BoringSSL verifies no signature with MD5.
            let weakness = CertificateWeakness(signatureOn: certificate).flatMap { $0.isAcceptable ? nil : $0 }
            return invalid ?? weakness.map { .weakCertificate($0) } ?? other
        }
        if certificate == server {
            let withoutIssuer = ServerTrustError.Reason(rejected: certificate, at: date)
            return certificate.isSelfIssued ? withoutIssuer : step.constraints?.rejectionAsServer ?? withoutIssuer
        }
        // The highest certificate of a chain has no issuer. Any other one has an extension that does not allow its use.
        guard let position = accepted.firstIndex(where: { $0.certificate == certificate }), position > 0 else {
            return invalid ?? .unknownIssuer
        }
        return step.constraints?.rejectionAsIssuer(issuersBelow: issuers(after: position)) ?? invalid ?? other
    }

    /// Returns the number of issuers between an accepted certificate and the server's own.
    ///
    /// Self-issued certificates do not count (RFC 5280, section 6.1.4, step l).
    private func issuers(after position: Int) -> Int {
        accepted[(position + 1)...].count { !$0.isSelfIssued && $0.certificate != server }
    }

    // MARK: Reports

    private func report(_ result: NIOSSLVerificationResult, _ step: Step) -> NIOSSLVerificationResult {
        let isAccepted = result == .certificateVerified
        if isAccepted { accepted.append(step) }
        if rejected == nil {
            rejected = isAccepted ? rejection(after: step) : rejection(of: step)
            guard let rejected else { return .certificateVerified }
            if case .known = rejected.cause { return .failed }
        }
        // BoringSSL continues up to the server's certificate, so that the whole chain is known when the reason is determined.
        // It must not get further, because the handshake would succeed.
        let isUnreported = server != nil && !accepted.contains { $0.certificate == server }
        return isUnreported && step.certificate != server ? .certificateVerified : .failed
    }

    /// Returns the rejection of a certificate that BoringSSL does not accept; `nil` if it is accepted nevertheless.
    private func rejection(of step: Step) -> Rejection? {
        if let server, anchors.contains(server) {
            // It needs no issuer, and no extension: the application has named it.
            hasTrustedServer = true
            return Self.rejection(byDatesOf: server).map { (step, .known($0)) }
        }
        if let certificate = step.certificate, certificate != server, anchors.contains(certificate),
            accepted.isEmpty, anchor == nil
        {
            guard step.constraints?.canIssue == true else { return (step, .known(.issuerIsNotAuthority)) }
            anchor = step
            return Self.rejection(byDatesOf: certificate).map { (step, .known($0)) }
        }
        return (step, accepted.isEmpty ? .issuerOrExtension : .content)
    }

    /// Returns the reason for which a trust anchor is not accepted: BoringSSL does not look at its dates.
    private static func rejection(byDatesOf anchor: Certificate) -> ServerTrustError.Reason? {
        guard anchor.notBefore != nil, anchor.notAfter != nil else { return .notTrusted("its dates are malformed") }
        return ServerTrustError.Reason(invalid: anchor, at: Date())
    }

    /// Returns the rejection for a rule that BoringSSL does not have; `nil` if there is none.
    private func rejection(after step: Step) -> Rejection? {
        // NIOSSL ends the process when BoringSSL finds that a chain lacks a required policy, which it checks last, and
        // reports without a certificate. Thus such a chain must not get there. The first certificate is the root.
        let policies = accepted.dropFirst(anchor == nil ? 1 : 0).map(\.policies)
        let read = policies.compactMap(\.self)
        guard read.count == policies.count, CertificatePolicies.hasCommonPolicy(read) else {
            let words = "its chain requires a certificate policy, and has policy mappings or none in common"
            return (step, .known(.notTrusted(words)))
        }
        guard let server, step.certificate == server, !anchors.contains(server) else { return nil }
        // BoringSSL does not look at the extensions of a trust anchor: a server's self-signed certificate could issue
        // one for any host.
        for (position, issuer) in accepted.dropLast().enumerated() where position > 0 {
            guard let certificate = issuer.certificate, anchors.contains(certificate) else { continue }
            guard let reason = issuer.constraints?.rejectionAsIssuer(issuersBelow: issuers(after: position)) else {
                continue
            }
            return (issuer, .known(reason))
        }
        if let anchor {
            let below = accepted.dropLast().count { !$0.isSelfIssued }
            return anchor.constraints?.rejectionAsIssuer(issuersBelow: below).map { (anchor, .known($0)) }
        }
        guard accepted.count > 1, let root = accepted.first, root.constraints?.canBeRoot == false else {
            return nil
        }
        return (root, .known(.issuerIsNotAuthority))
    }
}

extension Certificate {
    /// Creates a certificate from that of the TLS engine, if it can be parsed.
    init?(_ presented: NIOSSLCertificate) {
        guard let bytes = try? presented.toDERBytes() else { return nil }
        do throws(CertificateError) {
            try self.init(der: Data(bytes))
        } catch {
            return nil
        }
    }
}

/// The initializer of NIOSSL's handler that observes BoringSSL's verification.
///
/// It is deprecated in favor of an initializer that replaces the verification. A call through a protocol gives no warning.
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
        serverHostname: String?,
        by callback: @escaping NIOSSLVerificationCallback
    ) throws -> Self {
        try Self(context: context, serverHostname: serverHostname, verificationCallback: callback)
    }
}
#endif
