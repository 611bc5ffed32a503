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

    /// Whether the validated chain may have weak certificates: see ``WeakCertificatesTrustEvaluator``.
    ///
    /// The default is false.
    var acceptsWeakCertificates: Bool { get }

    /// Checks whether the server is trusted, and throws if it is not; the transport then closes the connection.
    ///
    /// - Throws: ``ServerTrustError``, or another error, which becomes the ``ServerTrustError/underlyingError``.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension ServerTrustEvaluating {
    /// Verification of the chain up to a system root, and of the host name.
    public var verification: ServerTrustVerification { .systemRoots(validatesHost: true) }

    /// Weak certificates are rejected.
    public var acceptsWeakCertificates: Bool { false }
}

/// An evaluator that requires a verified chain, and lets the other evaluators in a ``CompositeTrustEvaluator`` select the roots.
protocol AnyRootsEvaluating: ServerTrustEvaluating {
    /// Whether the evaluator accepts any roots.
    var acceptsAnyRoots: Bool { get }
}

/// An evaluator that trusts a server if each of several evaluators trusts it.
///
/// Without evaluators it rejects every server.
///
/// The evaluators must agree on the root certificates, since the TLS engine verifies a chain once. Evaluators that compare pins,
/// ``PublicKeysTrustEvaluator`` and ``PinnedCertificatesTrustEvaluator``, accept the roots of the other evaluators. So a pin can be
/// combined with a private root, in any order:
///
///     CompositeTrustEvaluator(evaluators: [
///         RootCertificatesTrustEvaluator(certificates: roots, includesSystemRoots: false),
///         try PublicKeysTrustEvaluator(hashes: ["sha256/…", "sha256/…"]),
///     ])
///
/// If the other evaluators require different roots, the server is rejected (``ServerTrustError/Reason/notVerified``).
public struct CompositeTrustEvaluator: ServerTrustEvaluating, AnyRootsEvaluating {
    /// The evaluators, in the order in which they are called.
    public let evaluators: [any ServerTrustEvaluating]

    /// The strictest verification of the evaluators that require a verified chain, including the host name if any
    /// evaluator requires it.
    ///
    /// If no verification is the strictest, it is that of the first evaluator.
    public let verification: ServerTrustVerification

    /// Whether an evaluator accepts weak certificates.
    public var acceptsWeakCertificates: Bool { evaluators.contains(where: \.acceptsWeakCertificates) }

    var acceptsAnyRoots: Bool {
        evaluators.allSatisfy { !$0.verification.validatesChain || $0.acceptsOtherRoots }
    }

    /// Creates an evaluator from several.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
        let all = evaluators.map(\.verification)
        let verified = evaluators.filter(\.verification.validatesChain)
        let wanted = verified.filter { !$0.acceptsOtherRoots }.map { $0.verification.validatingHost(false) }
        let strictest = wanted.first { one in wanted.allSatisfy(one.includes) }
        verification = (strictest ?? wanted.first ?? verified.first?.verification ?? .nothing)
            .validatingHost(all.contains(where: \.validatesHost))
    }

    /// Calls the evaluators in order.
    ///
    /// - Throws: The error of the first evaluator that rejects the server; ``ServerTrustError`` if there are no
    ///   evaluators.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else { throw ServerTrustError(host: host, reason: .nothingToCompareWith) }
        for evaluator in evaluators {
            try trust.check(evaluator.verification, anyRoots: evaluator.acceptsOtherRoots)
            try evaluator.evaluate(trust, forHost: host)
        }
    }
}

extension ServerTrustEvaluating {
    /// Whether the evaluator accepts the roots of other evaluators.
    var acceptsOtherRoots: Bool { (self as? any AnyRootsEvaluating)?.acceptsAnyRoots ?? false }
}

/// An evaluator that trusts the servers that another evaluator trusts, and accepts weak certificates in their chains.
///
/// Without it, a transport rejects a server if a certificate of the validated chain has an RSA key of fewer than 2,048 bits,
/// a key on an elliptic curve of fewer than 224 bits, or a signature with SHA-1 or MD5. Such certificates can be forged.
/// Accept them only for hosts whose certificates cannot be renewed:
///
///     let manager = ServerTrustManager(
///         allHostsMustBeEvaluated: false,
///         evaluators: ["printer.example.com": WeakCertificatesTrustEvaluator()]
///     )
///
/// The trust anchor is not checked, because no signature proves it. It is the root, or the certificate of a server or an issuer
/// that an evaluator names as trusted; then the application is responsible for its strength. Evaluators without
/// verification check no chain: those with `performDefaultValidation: false`, and ``DisabledTrustEvaluator``.
///
/// Signatures with MD5 are not accepted, since TLS engines do not support them. `NIOTransport` also accepts handshakes that
/// a server signs with SHA-1. On Apple platforms, Security and App Transport Security have further rules, which an evaluator does
/// not change.
public struct WeakCertificatesTrustEvaluator: ServerTrustEvaluating, AnyRootsEvaluating {
    /// The other evaluator.
    public let evaluator: any ServerTrustEvaluating

    /// The verification of the other evaluator.
    public var verification: ServerTrustVerification { evaluator.verification }

    /// Always true.
    public var acceptsWeakCertificates: Bool { true }

    var acceptsAnyRoots: Bool { evaluator.acceptsOtherRoots }

    /// Creates an evaluator.
    ///
    /// - Parameter evaluator: The other evaluator; by default an evaluator that trusts the servers that the system trusts.
    public init(_ evaluator: any ServerTrustEvaluating = DefaultTrustEvaluator()) { self.evaluator = evaluator }

    /// Calls the other evaluator.
    ///
    /// - Throws: The error of the other evaluator.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluator.evaluate(trust, forHost: host)
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
/// ``ServerTrustManager/init(trustedRoots:includesSystemRoots:acceptsWeakCertificates:evaluators:)`` uses it for all hosts.
///
/// On Apple platforms, App Transport Security must accept the server, too: see ``PinnedCertificatesTrustEvaluator``.
public struct RootCertificatesTrustEvaluator: ServerTrustEvaluating {
    /// The root certificates.
    public let certificates: [Certificate]
    /// Whether the system's roots are trusted as well.
    public let includesSystemRoots: Bool
    /// Whether weak certificates below a root are accepted: see ``WeakCertificatesTrustEvaluator``.
    public let acceptsWeakCertificates: Bool

    /// The verification of the chain up to one of the roots, and of the host name.
    public var verification: ServerTrustVerification {
        includesSystemRoots
            ? .systemRootsAndAnchors(certificates, validatesHost: true)
            : .anchors(certificates, validatesHost: true)
    }

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - certificates: The root certificates. Without any, and without the system's, every server is rejected. The
    ///     certificate of an intermediate authority, or of a server, is a root, too: it needs no issuer.
    ///   - includesSystemRoots: Whether the system's roots are trusted as well.
    ///   - acceptsWeakCertificates: Whether weak certificates below a root are accepted.
    public init(
        certificates: [Certificate],
        includesSystemRoots: Bool = true,
        acceptsWeakCertificates: Bool = false
    ) {
        self.certificates = certificates
        self.includesSystemRoots = includesSystemRoots
        self.acceptsWeakCertificates = acceptsWeakCertificates
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
/// If a server presents other certificates, which are not in its validated chain, these certificates do not count.
///
/// On Apple platforms, App Transport Security must accept the server, too. For a custom root that is not installed
/// on the device, the domain needs `NSExceptionAllowsInsecureHTTPLoads` in the application's `Info.plist`.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluating, AnyRootsEvaluating {
    /// The pinned certificates.
    public let certificates: [Certificate]
    /// The verification that the TLS engine must have performed.
    public let verification: ServerTrustVerification

    private let validatesHost: Bool

    var acceptsAnyRoots: Bool {
        if case .systemRoots = verification { true } else { false }
    }

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - certificates: The pinned certificates, compared byte by byte; by default those in the main bundle. If
    ///     there are none, every server is rejected.
    ///   - acceptSelfSignedCertificates: Whether the pinned certificates replace the system's roots. A self-signed
    ///     certificate, or one of a custom root, is accepted only with this option. A pinned certificate of a server, or
    ///     of an intermediate authority, needs no issuer.
    ///   - performDefaultValidation: Whether the chain must be valid and lead to a root: of the system, or of another
    ///     evaluator in a ``CompositeTrustEvaluator``. Otherwise only the server's own certificate is compared, and it may
    ///     have expired.
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
        try trust.check(verification, anyRoots: acceptsAnyRoots)
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
