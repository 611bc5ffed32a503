import Foundation

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
