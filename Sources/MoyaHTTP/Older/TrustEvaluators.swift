import Foundation

// What only Apple's trust objects can do.

/// Apple's check for revoked certificates.
@available(*, unavailable, message: "Revocation is not checked: pin certificates or keys, which you can change.")
public struct RevocationTrustEvaluator: Sendable {}

extension Bundle {
    /// Alamofire's names in a bundle.
    @available(
        *,
        unavailable,
        message: "Write Certificate.certificates(in: bundle), which the evaluators do by themselves."
    )
    public var af: Void { () }
}
