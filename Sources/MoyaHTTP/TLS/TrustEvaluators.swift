import Foundation

/// A rule that decides whether a server is trusted.
///
/// An evaluator is called once for each connection, after the TLS handshake and before the first byte of a request.
/// It runs on a thread of the transport, so it must not block.
///
///     struct KnownServers: ServerTrustEvaluating {
///         let pins: Set<PublicKeyPin>
///
///         var verification: ServerTrustVerification { .systemRoots(validatesHost: true) }
///
///         func evaluate(_ trust: ServerTrust, forHost host: String) throws {
///             guard let key = trust.certificates.first?.publicKeyPin, pins.contains(key) else { throw Unknown() }
///         }
///     }
public protocol ServerTrustEvaluating: Sendable {
    /// The verification that the TLS engine must perform before the evaluator is called.
    ///
    /// The default is the chain up to a system root, and the host name.
    var verification: ServerTrustVerification { get }

    /// Throws if the server is not trusted, in which case the connection is closed.
    ///
    /// - Throws: ``ServerTrustError``, or another error, which becomes the ``ServerTrustError/underlyingError``.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension ServerTrustEvaluating {
    /// Verification of the chain up to a system root, and of the host name.
    public var verification: ServerTrustVerification { .systemRoots(validatesHost: true) }
}

/// An evaluator that trusts a server if all of its evaluators do.
///
/// Without evaluators it rejects every server.
/// The evaluators must agree on the root certificates, since the TLS engine verifies a chain once. If they require
/// different roots, those of the later evaluators are not verified, and the server is rejected.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
    /// The evaluators, in the order in which they are called.
    public let evaluators: [any ServerTrustEvaluating]

    /// The verification of the first evaluator that requires a verified chain, including the host name if any
    /// evaluator requires it.
    public let verification: ServerTrustVerification

    /// Creates an evaluator from several.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
        let wanted = evaluators.map(\.verification)
        verification = (wanted.first(where: \.validatesChain) ?? .nothing)
            .validatingHost(wanted.contains(where: \.validatesHost))
    }

    /// Calls the evaluators in order.
    ///
    /// - Throws: The error of the first evaluator that rejects the server; ``ServerTrustError`` if there are no
    ///   evaluators.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else { throw ServerTrustError(host: host, reason: .nothingToCompareWith) }
        for evaluator in evaluators {
            try trust.check(evaluator.verification)
            try evaluator.evaluate(trust, forHost: host)
        }
    }
}

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

/// An evaluator that trusts servers with certificates of the given roots, such as those of a private authority.
///
/// ``ServerTrustManager/init(trustedRoots:includesSystemRoots:evaluators:)`` uses it for all hosts.
///
/// On Apple platforms, App Transport Security must accept the server, too: see ``PinnedCertificatesTrustEvaluator``.
public struct RootCertificatesTrustEvaluator: ServerTrustEvaluating {
    /// The root certificates.
    public let certificates: [Certificate]
    /// Whether the system's roots are trusted as well.
    public let includesSystemRoots: Bool

    /// The chain to one of the roots, and the host name.
    public var verification: ServerTrustVerification {
        includesSystemRoots
            ? .systemRootsAndAnchors(certificates, validatesHost: true)
            : .anchors(certificates, validatesHost: true)
    }

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - certificates: The root certificates. Without any, and without the system's, every server is rejected.
    ///   - includesSystemRoots: Whether the system's roots are trusted as well.
    public init(certificates: [Certificate], includesSystemRoots: Bool = true) {
        self.certificates = certificates
        self.includesSystemRoots = includesSystemRoots
    }

    /// Checks that the TLS engine has verified the chain.
    ///
    /// - Throws: ``ServerTrustError``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard includesSystemRoots || !certificates.isEmpty else {
            throw ServerTrustError(host: host, reason: .nothingToCompareWith)
        }
        guard !trust.certificates.isEmpty else { throw ServerTrustError(host: host, reason: .noCertificate) }
        try trust.check(verification)
    }
}

/// An evaluator that trusts every server, for development only.
///
/// A man in the middle can read and change everything.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
    /// No verification.
    public var verification: ServerTrustVerification { .nothing }

    /// Creates an evaluator.
    public init() {}

    /// Accepts every server.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}

/// An evaluator that trusts a server if its certificate, or one in its chain, is pinned.
///
/// The certificate may be the server's own or, if the chain is validated, that of an issuer: an intermediate or the root.
/// A certificate that a server presents without being a part of its validated chain does not count.
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
                reason: .certificateNotPinned(presented: trust.proven.map(\.publicKeyPin))
            )
        }
    }
}
