import Foundation

// Alamofire's names for server trust.

/// The certificates in a bundle, with Alamofire's property names.
public struct BundleCertificates: Sendable {
    /// The certificates.
    public let certificates: [Certificate]
    /// The pins of the certificates' keys.
    public var publicKeys: Set<PublicKeyPin> { Set(certificates.map(\.publicKeyPin)) }
}

extension Bundle {
    /// The certificates in the bundle, as `Bundle.main.af.certificates`.
    @available(*, deprecated, message: "Write Certificate.certificates(in: bundle).")
    public var af: BundleCertificates { BundleCertificates(certificates: Certificate.certificates(in: self)) }
}
