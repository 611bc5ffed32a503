/// The methods of the check for revoked certificates, with the values of Security's `kSecRevocation…` flags.
public struct RevocationCheck: OptionSet, Hashable, Sendable {
    /// The flags of Security.
    public let rawValue: UInt

    /// Creates a check from flags of Security.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The status of a certificate from its issuer (OCSP, RFC 6960).
    public static let ocsp = RevocationCheck(rawValue: 1 << 0)
    /// The lists of revoked certificates (CRL, RFC 5280, section 5).
    public static let crl = RevocationCheck(rawValue: 1 << 1)
    /// CRL is used before OCSP; without this flag, OCSP is used first.
    public static let prefersCRL = RevocationCheck(rawValue: 1 << 2)
    /// A certificate without a positive response is rejected; without this flag, only a revoked certificate is rejected.
    public static let requiresPositiveResponse = RevocationCheck(rawValue: 1 << 3)
    /// Only stored and stapled responses are used.
    public static let withoutNetwork = RevocationCheck(rawValue: 1 << 4)
    /// OCSP or CRL, depending on the methods that a certificate supports.
    public static let any: RevocationCheck = [.ocsp, .crl]

    /// Returns the strictest of several checks.
    ///
    /// The result uses the network if one of the checks does.
    static func strictest(of checks: [RevocationCheck]) -> RevocationCheck? {
        guard var all = checks.first else { return nil }
        for check in checks.dropFirst() {
            let isLocal = all.contains(.withoutNetwork) && check.contains(.withoutNetwork)
            all.formUnion(check)
            if !isLocal { all.remove(.withoutNetwork) }
        }
        return all
    }
}

/// An evaluator that may require a check for revoked certificates.
protocol RevocationChecking: ServerTrustEvaluating {
    /// The check; `nil` for none.
    var requiredCheck: RevocationCheck? { get }
}

extension ServerTrustEvaluating {
    /// The check for revoked certificates that the evaluator requires; `nil` for none.
    package var revocationCheck: RevocationCheck? { (self as? any RevocationChecking)?.requiredCheck }
}

extension CompositeTrustEvaluator: RevocationChecking {
    var requiredCheck: RevocationCheck? { .strictest(of: evaluators.compactMap(\.revocationCheck)) }
}

extension WeakCertificatesTrustEvaluator: RevocationChecking {
    var requiredCheck: RevocationCheck? { evaluator.revocationCheck }
}

#if canImport(Security)
/// An evaluator that trusts the servers that another evaluator trusts, unless a certificate in the server's chain is revoked.
///
///     let manager = ServerTrustManager(
///         allHostsMustBeEvaluated: false,
///         evaluators: ["bank.example.com": RevocationCheckTrustEvaluator()]
///     )
///
/// It exists on Apple's platforms, whose Security framework has the check. If the other evaluator requires no verification, as
/// ``DisabledTrustEvaluator`` does, no chain is verified, and every server is rejected.
public struct RevocationCheckTrustEvaluator: ServerTrustEvaluating, AnyRootsEvaluating, RevocationChecking {
    /// The other evaluator.
    public let evaluator: any ServerTrustEvaluating
    /// The check.
    public let check: RevocationCheck

    /// The verification of the other evaluator.
    public var verification: ServerTrustVerification { evaluator.verification }

    /// Whether the other evaluator accepts weak certificates.
    public var acceptsWeakCertificates: Bool { evaluator.acceptsWeakCertificates }

    var acceptsAnyRoots: Bool { evaluator.acceptsOtherRoots }

    var requiredCheck: RevocationCheck? {
        .strictest(of: [check] + [evaluator.revocationCheck].compactMap(\.self))
    }

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - evaluator: The other evaluator; by default an evaluator that trusts the servers that the system trusts.
    ///   - check: The check.
    public init(_ evaluator: any ServerTrustEvaluating = DefaultTrustEvaluator(), check: RevocationCheck = .any) {
        (self.evaluator, self.check) = (evaluator, check)
    }

    /// Calls the other evaluator; Security has checked the chain before.
    ///
    /// - Throws: ``ServerTrustError`` if no chain was verified; the error of the other evaluator.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard trust.verification.validatesChain else { throw ServerTrustError(host: host, reason: .notVerified) }
        try evaluator.evaluate(trust, forHost: host)
    }
}
#endif
