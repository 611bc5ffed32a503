import Foundation

/// Trusts a server whose certificate, or one that its chain leads to, is among given ones.
///
/// Transports show the server's own certificate only, so there are two ways: give that; or give the root that issued it
/// and say `acceptSelfSignedCertificates: true`, so that the chain is verified up to it. Any other certificate never
/// matches, and the server is refused.
///
/// On Apple's platforms App Transport Security must also accept the server. For a root of your own, which is not installed
/// on the device, the domain needs `NSExceptionAllowsInsecureHTTPLoads` in the application's `Info.plist`.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    /// What is compared with.
    public let certificates: [Certificate]
    /// What the engine must have verified.
    public let verification: ServerTrustVerification

    private let validatesHost: Bool

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - certificates: What is compared with, byte by byte; by default what the main bundle has. Without any it refuses
    ///     every server.
    ///   - acceptSelfSignedCertificates: Whether the certificates are themselves the roots that a chain must lead to,
    ///     instead of the system's. A self-signed certificate, or one from a root of your own, passes only so.
    ///   - performDefaultValidation: Whether the chain must be valid and lead to a root. Without it only the server's own
    ///     certificate counts, and it may have expired.
    ///   - validateHost: Whether the certificate must be for the host.
    public init(
        certificates: [Certificate] = Certificate.certificates(in: .main),
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.certificates = certificates
        validatesHost = validateHost
        verification =
            switch (performDefaultValidation, acceptSelfSignedCertificates) {
            case (false, _): .nothing
            case (true, true): .anchors(certificates, validatesHost: validateHost)
            case (true, false): .systemRoots(validatesHost: validateHost)
            }
    }

    /// Compares.
    ///
    /// - Throws: ``ServerTrustError``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !certificates.isEmpty else { throw ServerTrustError(host: host, reason: .nothingToCompareWith) }
        guard !trust.certificates.isEmpty else { throw ServerTrustError(host: host, reason: .noCertificate) }
        try trust.check(verification)
        if validatesHost { try trust.checkHost() }
        if case .anchors = verification {
            // The chain has been followed up to one of them.
            return
        }
        guard trust.proven.contains(where: certificates.contains) else {
            throw ServerTrustError(
                host: host,
                reason: .certificateNotPinned(presented: trust.certificates.map(\.publicKeyPin))
            )
        }
    }
}
