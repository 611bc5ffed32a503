import Foundation

/// An evaluator that trusts a server if its certificate, or one in its chain, is pinned.
///
/// Transports provide only the server's own certificate, so there are two options: pin that certificate, or pin the
/// root that issued it and set `acceptSelfSignedCertificates: true`, so that the chain is verified up to that root.
/// Other certificates never match, and the server is rejected.
///
/// On Apple platforms, App Transport Security must accept the server, too. For a custom root that is not installed
/// on the device, the domain needs `NSExceptionAllowsInsecureHTTPLoads` in the application's `Info.plist`.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    /// The pinned certificates.
    public let certificates: [Certificate]
    /// The verification that the TLS engine must have performed.
    public let verification: ServerTrustVerification

    private let validatesHost: Bool

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - certificates: The pinned certificates, compared byte by byte; by default those in the main bundle. If
    ///     there are none, every server is rejected.
    ///   - acceptSelfSignedCertificates: Whether the pinned certificates replace the system's roots. A self-signed
    ///     certificate, or one of a custom root, is accepted only with this option.
    ///   - performDefaultValidation: Whether the chain must be valid and lead to a root. Otherwise only the
    ///     server's own certificate is compared, and it may have expired.
    ///   - validateHost: Whether the certificate must be valid for the host.
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

    /// Checks that a certificate of the server is pinned.
    ///
    /// - Throws: ``ServerTrustError``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !certificates.isEmpty else { throw ServerTrustError(host: host, reason: .nothingToCompareWith) }
        guard !trust.certificates.isEmpty else { throw ServerTrustError(host: host, reason: .noCertificate) }
        try trust.check(verification)
        if validatesHost { try trust.checkHost() }
        if case .anchors = verification {
            // The chain has been verified up to one of the pinned certificates.
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
