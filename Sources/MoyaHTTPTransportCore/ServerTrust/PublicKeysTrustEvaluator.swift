import Foundation

/// An evaluator that trusts a server if its public key, or one in its chain, is pinned (RFC 7469).
///
/// Pin at least two keys: the current one, and a backup key that is kept in a safe place. The key may be that of the
/// server or, if the chain is validated, of an issuer: an intermediate or the root. If a server presents other keys, which
/// are not in its validated chain, these keys do not count.
public struct PublicKeysTrustEvaluator: ServerTrustEvaluating, AnyRootsEvaluating {
    /// The pinned keys.
    public let keys: Set<PublicKeyPin>
    /// The verification that the TLS engine must have performed.
    public let verification: ServerTrustVerification

    private let validatesHost: Bool

    var acceptsAnyRoots: Bool { verification.validatesChain }

    /// Creates an evaluator from pins.
    ///
    /// - Parameters:
    ///   - keys: The pinned keys; by default those of the certificates in the main bundle. If there are none, every
    ///     server is rejected.
    ///   - performDefaultValidation: Whether the chain must be valid and lead to a root: of the system, or of another
    ///     evaluator in a ``CompositeTrustEvaluator``. Otherwise only the server's own key is compared, and its certificate
    ///     may have expired.
    ///   - validateHost: Whether the certificate must be valid for the host.
    public init(
        keys: Set<PublicKeyPin> = Set(Certificate.certificates(in: .main).map(\.publicKeyPin)),
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.keys = keys
        validatesHost = validateHost
        verification = performDefaultValidation ? .systemRoots(validatesHost: validateHost) : .nothing
    }

    /// Creates an evaluator from the keys of certificates.
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

    /// Creates an evaluator from pins as text: `sha256/…`, `pin-sha256="…"`, or Base64 only.
    ///
    /// - Throws: ``CertificateError/malformedPin(_:)`` for the first invalid pin.
    public init(
        hashes: [String],
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) throws(CertificateError) {
        var keys: Set<PublicKeyPin> = []
        for hash in hashes { keys.insert(try PublicKeyPin(hash)) }
        self.init(keys: keys, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }

    /// Checks that a key of the server is pinned.
    ///
    /// - Throws: ``ServerTrustError``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !keys.isEmpty else { throw ServerTrustError(host: host, reason: .nothingToCompareWith) }
        guard !trust.certificates.isEmpty else { throw ServerTrustError(host: host, reason: .noCertificate) }
        try trust.check(verification, anyRoots: acceptsAnyRoots)
        if validatesHost { try trust.checkHost() }
        guard trust.proven.contains(where: { keys.contains($0.publicKeyPin) }) else {
            throw ServerTrustError(
                host: host,
                reason: .publicKeyNotPinned(presented: trust.proven.map(\.publicKeyPin))
            )
        }
    }
}
