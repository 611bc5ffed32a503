/// An evaluator that trusts the servers that the system trusts, as if there were no rule for the host.
public struct DefaultTrustEvaluator: ServerTrustEvaluating {
    /// The verification that the TLS engine must have performed.
    public let verification: ServerTrustVerification

    /// Creates an evaluator.
    ///
    /// - Parameter validateHost: Whether the certificate must be valid for the host. Otherwise, anyone with a
    ///   certificate for another host can impersonate this one.
    public init(validateHost: Bool = true) {
        verification = .systemRoots(validatesHost: validateHost)
    }

    /// Checks that the TLS engine has verified the chain.
    ///
    /// - Throws: ``ServerTrustError``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !trust.certificates.isEmpty else { throw ServerTrustError(host: host, reason: .noCertificate) }
        try trust.check(verification)
    }
}
