import Foundation

/// Trusts a server whose public key, or one in its chain, is among given ones, as RFC 7469 has it.
///
/// Give two keys at least: the one in use, and one kept in a safe place for the day when that must be replaced. Transports
/// show the server's own certificate only, so the key of an issuer never matches, and the server is refused.
public struct PublicKeysTrustEvaluator: ServerTrustEvaluating {
    /// What is compared with.
    public let keys: Set<PublicKeyPin>
    /// What the engine must have verified.
    public let verification: ServerTrustVerification

    private let validatesHost: Bool

    /// Makes an evaluator from pins.
    ///
    /// - Parameters:
    ///   - keys: What is compared with; by default the keys of the certificates in the main bundle. Without any it
    ///     refuses every server.
    ///   - performDefaultValidation: Whether the chain must be valid and lead to a root of the system's. Without it only
    ///     the server's own key counts, and its certificate may have expired.
    ///   - validateHost: Whether the certificate must be for the host.
    public init(
        keys: Set<PublicKeyPin> = Set(Certificate.certificates(in: .main).map(\.publicKeyPin)),
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.keys = keys
        validatesHost = validateHost
        verification = performDefaultValidation ? .systemRoots(validatesHost: validateHost) : .nothing
    }

    /// Makes an evaluator from the keys of certificates.
    public init(
        certificates: [Certificate],
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.init(
            keys: Set(certificates.map(\.publicKeyPin)),
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost
        )
    }

    /// Makes an evaluator from hashes as they are written: `sha256/…`, `pin-sha256="…"`, or the Base64 alone.
    ///
    /// - Throws: ``CertificateError/malformedPin(_:)`` with the first one that is none.
    public init(
        hashes: [String],
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) throws(CertificateError) {
        var keys: Set<PublicKeyPin> = []
        for hash in hashes { keys.insert(try PublicKeyPin(hash)) }
        self.init(keys: keys, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }

    /// Compares.
    ///
    /// - Throws: ``ServerTrustError``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !keys.isEmpty else { throw ServerTrustError(host: host, reason: .nothingToCompareWith) }
        guard !trust.certificates.isEmpty else { throw ServerTrustError(host: host, reason: .noCertificate) }
        try trust.check(verification)
        if validatesHost { try trust.checkHost() }
        guard trust.proven.contains(where: { keys.contains($0.publicKeyPin) }) else {
            throw ServerTrustError(
                host: host,
                reason: .publicKeyNotPinned(presented: trust.certificates.map(\.publicKeyPin))
            )
        }
    }
}
