/// Trusts whom the system trusts: as if there were no rule for the host.
public struct DefaultTrustEvaluator: ServerTrustEvaluating {
    /// What the engine must have verified.
    public let verification: ServerTrustVerification

    /// Makes an evaluator.
    ///
    /// - Parameter validateHost: Whether the certificate must be for the host. Without it anyone with a certificate for a
    ///   host of their own can pass for this one.
    public init(validateHost: Bool = true) {
        verification = .systemRoots(validatesHost: validateHost)
    }

    /// Checks that the engine has verified the chain.
    ///
    /// - Throws: ``ServerTrustError``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !trust.certificates.isEmpty else { throw ServerTrustError(host: host, reason: .noCertificate) }
        try trust.check(verification)
    }
}
