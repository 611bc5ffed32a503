import Foundation

// Names of Alamofire for what belongs to server trust.

/// Apple's check for revoked certificates.
@available(*, unavailable, message: "Revocation is not checked: pin certificates or keys, which you can change.")
public struct RevocationTrustEvaluator: Sendable {}

/// The certificates in a bundle, under Alamofire's names.
public struct BundleCertificates: Sendable {
    /// The certificates.
    public let certificates: [Certificate]
    /// The hashes of their keys.
    public var publicKeys: Set<PublicKeyPin> { Set(certificates.map(\.publicKeyPin)) }
}

extension Bundle {
    /// The certificates in the bundle: `Bundle.main.af.certificates`.
    @available(*, deprecated, message: "Write Certificate.certificates(in: bundle).")
    public var af: BundleCertificates { BundleCertificates(certificates: Certificate.certificates(in: self)) }
}
