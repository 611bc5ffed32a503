/// The identity of a server after the TLS handshake, before the first byte of a request.
public struct ServerTrust: Sendable {
    /// The host that the request is for.
    public let host: String
    /// The certificates that the server presented, its own first.
    ///
    /// The certificates after the first prove nothing, because anyone can present the certificates of others. ``NIOTransport`` and
    /// ``URLSessionTransport`` leave them out.
    public let certificates: [Certificate]
    /// The chain that the TLS engine has validated, from the server's own certificate to the trusted root.
    ///
    /// It is empty with ``ServerTrustVerification/nothing``. The root may be one that the server did not present.
    public let validatedChain: [Certificate]
    /// The verification that the TLS engine has performed.
    public let verification: ServerTrustVerification

    /// Creates a value; transports call this.
    public init(
        host: String,
        certificates: [Certificate],
        validatedChain: [Certificate] = [],
        verification: ServerTrustVerification
    ) {
        self.host = host
        self.certificates = certificates
        self.validatedChain = validatedChain
        self.verification = verification
    }

    /// The certificates that may be compared with pins: the validated chain or, without one, the server's own certificate, whose key
    /// the server has.
    var proven: ArraySlice<Certificate> {
        verification.validatesChain && !validatedChain.isEmpty ? validatedChain[...] : certificates.prefix(1)
    }

    /// Checks that the server's own certificate is valid for the host, unless the TLS engine has done so.
    ///
    /// - Throws: ``ServerTrustError``.
    func checkHost() throws(ServerTrustError) {
        guard !verification.validatesHost else { return }
        guard let certificate = certificates.first else {
            throw ServerTrustError(host: host, reason: .noCertificate)
        }
        guard certificate.fields.names.matches(host: host) else {
            throw ServerTrustError(
                host: host,
                reason: .hostNotInCertificate(names: certificate.fields.names.texts),
                certificate: certificate
            )
        }
    }

    /// Checks the strength of the certificates below the trust anchor.
    ///
    /// The trust anchor is the first certificate that the verification names as trusted, or else the root. Without
    /// verification the application is responsible for the one certificate that it accepts.
    ///
    /// - Throws: ``ServerTrustError``.
    func checkStrength() throws(ServerTrustError) {
        guard verification.validatesChain else { return }
        let anchors = verification.anchors
        let issued = validatedChain.isEmpty ? certificates.prefix(1) : validatedChain.dropLast()
        for certificate in issued.prefix(while: { !anchors.contains($0) }) {
            guard let weakness = CertificateWeakness(certificate) else { continue }
            throw ServerTrustError(
                host: host,
                reason: .weakCertificate(weakness),
                certificate: certificates.first,
                rejectedCertificate: certificate
            )
        }
    }

    /// Checks that the TLS engine has performed the verification that an evaluator requires.
    ///
    /// If the TLS engine has not verified the host name, this function verifies it. With `anyRoots`, the chain may lead to other
    /// roots than the wanted ones.
    ///
    /// - Throws: ``ServerTrustError``.
    func check(_ wanted: ServerTrustVerification, anyRoots: Bool = false) throws(ServerTrustError) {
        guard
            verification.includes(wanted.validatingHost(false))
                || anyRoots && verification.validatesChain && wanted.validatesChain
        else {
            throw ServerTrustError(host: host, reason: .notVerified)
        }
        if wanted.validatesHost { try checkHost() }
    }
}

/// The verification of a server's certificate that a TLS engine performs before a ``ServerTrustEvaluating`` is
/// called.
public enum ServerTrustVerification: Equatable, Sendable {
    /// The chain must be valid now and lead to a system root; if `validatesHost` is true, the certificate must
    /// contain the host name.
    case systemRoots(validatesHost: Bool)
    /// The same, with these certificates as additional roots.
    ///
    /// The chain may end with any of them, even with the certificate of an intermediate authority or of the server.
    case systemRootsAndAnchors([Certificate], validatesHost: Bool)
    /// The same, with these certificates as the only roots.
    case anchors([Certificate], validatesHost: Bool)
    /// The server must only have the private key of its certificate.
    case nothing

    /// Returns whether this verification verifies everything that the wanted one verifies.
    ///
    /// The wanted verification must trust each root that this verification trusts.
    func includes(_ wanted: ServerTrustVerification) -> Bool {
        guard wanted.validatesChain else { return true }
        guard validatesChain, validatesHost || !wanted.validatesHost else { return false }
        return (wanted.trustsSystemRoots || !trustsSystemRoots) && Set(anchors).isSubset(of: wanted.anchors)
    }

    /// Whether the system's roots are trusted.
    package var trustsSystemRoots: Bool {
        switch self {
        case .systemRoots, .systemRootsAndAnchors: true
        case .anchors, .nothing: false
        }
    }

    /// The roots that are trusted besides the system's.
    package var anchors: [Certificate] {
        switch self {
        case .systemRootsAndAnchors(let anchors, _), .anchors(let anchors, _): anchors
        case .systemRoots, .nothing: []
        }
    }

    /// Whether the chain is verified.
    package var validatesChain: Bool { self != .nothing }

    /// Whether the host name is verified.
    package var validatesHost: Bool {
        switch self {
        case .systemRoots(let validatesHost), .systemRootsAndAnchors(_, let validatesHost),
            .anchors(_, let validatesHost):
            validatesHost
        case .nothing: false
        }
    }

    /// Returns the verification with or without the host name.
    package func validatingHost(_ validatesHost: Bool) -> ServerTrustVerification {
        switch self {
        case .systemRoots: .systemRoots(validatesHost: validatesHost)
        case .systemRootsAndAnchors(let anchors, _): .systemRootsAndAnchors(anchors, validatesHost: validatesHost)
        case .anchors(let anchors, _): .anchors(anchors, validatesHost: validatesHost)
        case .nothing: .nothing
        }
    }
}
