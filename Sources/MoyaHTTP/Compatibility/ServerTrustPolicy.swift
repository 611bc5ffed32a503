import Foundation

// Alamofire's names for server trust.

/// An evaluator in Alamofire that uses Apple's check for revoked certificates.
@available(*, unavailable, message: "Revocation is not checked: pin certificates or keys, which you can change.")
public struct RevocationTrustEvaluator: Sendable {}

/// The certificates in a bundle, with Alamofire's property names.
public struct BundleCertificates: Sendable {
    /// The certificates.
    public let certificates: [Certificate]
    /// The pins of their keys.
    public var publicKeys: Set<PublicKeyPin> { Set(certificates.map(\.publicKeyPin)) }
}

extension Bundle {
    /// The certificates in the bundle, as `Bundle.main.af.certificates`.
    @available(*, deprecated, message: "Write Certificate.certificates(in: bundle).")
    public var af: BundleCertificates { BundleCertificates(certificates: Certificate.certificates(in: self)) }
}

// Names from Alamofire 4, which were used with Moya 13 and earlier.

/// Replaced by types that conform to ``ServerTrustEvaluating``.
@available(
    *,
    unavailable,
    message: "Write PinnedCertificatesTrustEvaluator() or PublicKeysTrustEvaluator() in a ServerTrustManager."
)
public enum ServerTrustPolicy: Sendable {}

/// Replaced by ``ServerTrustManager``.
@available(
    *,
    unavailable,
    message: "Write ServerTrustManager(evaluators:), and give it to Session(serverTrustManager:)."
)
public final class ServerTrustPolicyManager: Sendable {
    /// Replaced by ``ServerTrustManager/init(allHostsMustBeEvaluated:evaluators:)``.
    public init(policies: [String: ServerTrustPolicy]) {}
}
