import Foundation

// Names of Alamofire 4 and older, which code for Moya 13 and older reached.

/// Now types that conform to ``ServerTrustEvaluating``.
@available(
    *,
    unavailable,
    message: "Write PinnedCertificatesTrustEvaluator() or PublicKeysTrustEvaluator() in a ServerTrustManager."
)
public enum ServerTrustPolicy: Sendable {}

/// Now ``ServerTrustManager``.
@available(
    *,
    unavailable,
    message: "Write ServerTrustManager(evaluators:), and give it to Session(serverTrustManager:)."
)
public final class ServerTrustPolicyManager: Sendable {
    /// Now ``ServerTrustManager/init(allHostsMustBeEvaluated:evaluators:)``.
    public init(policies: [String: ServerTrustPolicy]) {}
}
