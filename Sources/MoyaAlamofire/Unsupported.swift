import Foundation
import Moya
import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// These types of Alamofire have no counterpart; they exist so that the compiler reports a diagnostic at their use. They are not in
// Moya, because the name of a type in an imported module hides typealiases and associated types of an application's protocols.

/// The receiver of URLSession callbacks.
@available(*, unavailable, message: "There is no delegate: an EventMonitor gets the events.")
public typealias SessionDelegate = AlamofireTypes.SessionDelegate

/// The time at which a URLSessionTask is created.
@available(*, unavailable, message: "Leave it out: there is no URLSessionTask to be set up.")
public typealias RequestSetup = AlamofireTypes.RequestSetup

/// A type that modifies cached responses.
@available(
    *,
    unavailable,
    message: "Pass an HTTPCache to Session(cache:); a target's cachePolicy controls its use."
)
public typealias CachedResponseHandler = AlamofireTypes.CachedResponseHandler

/// A standard handler of cached responses.
@available(
    *,
    unavailable,
    message: "Pass an HTTPCache to Session(cache:); a target's cachePolicy controls its use."
)
public final class ResponseCacher: Sendable {}

/// The sender of notifications.
@available(*, unavailable, message: "No notifications are posted: write an EventMonitor.")
public final class AlamofireNotifications: Sendable {}

/// An event monitor with closures.
@available(*, unavailable, message: "Write a type that conforms to EventMonitor: it has one method, record(_:).")
public final class ClosureEventMonitor: Sendable {}

#if canImport(Security)
/// An evaluator that uses Apple's check for revoked certificates.
@available(*, unavailable, message: "Write RevocationCheckTrustEvaluator(DefaultTrustEvaluator(), check: .any).")
public struct RevocationTrustEvaluator: Sendable {}
#else
/// An evaluator that uses Apple's check for revoked certificates.
@available(*, unavailable, message: "Revocation is not checked: pin certificates or keys, which you can change.")
public struct RevocationTrustEvaluator: Sendable {}
#endif

/// An observer of the network's state.
@available(
    *,
    unavailable,
    message:
        "Write NWPathMonitor of Apple's Network; or send the request, which fails with URLError.notConnectedToInternet."
)
open class NetworkReachabilityManager {
    /// Not supported.
    public static var `default`: NetworkReachabilityManager? { nil }
    /// Not supported.
    public enum NetworkReachabilityStatus: Equatable, Sendable {
        /// Not supported.
        case unknown, notReachable
        /// Not supported.
        case reachable(ConnectionType)

        /// Not supported.
        public enum ConnectionType: Sendable {
            /// Not supported.
            case ethernetOrWiFi, cellular
        }
    }

    /// Not supported.
    public init?() { nil }
    /// Not supported.
    public init?(host: String) { nil }
    /// Not supported.
    open var isReachable: Bool { true }
    /// Not supported.
    open var isReachableOnCellular: Bool { true }
    /// Not supported.
    open var isReachableOnEthernetOrWiFi: Bool { true }
    /// Not supported.
    open var status: NetworkReachabilityStatus { .unknown }
    /// Not supported.
    @discardableResult
    open func startListening(
        onQueue queue: DispatchQueue = .main,
        onUpdatePerforming listener: @escaping (NetworkReachabilityStatus) -> Void
    ) -> Bool { false }
    /// Not supported.
    open func stopListening() {}
}

/// The argument of a download's response handler.
@available(
    *,
    unavailable,
    message:
        "Write a target with the task .downloadDestination(_:), which names the file; its completion gets a Response."
)
public struct DownloadResponse<Success, Failure: Error> {
    /// Not supported.
    public var request: URLRequest?
    /// Not supported.
    public var response: HTTPURLResponse?
    /// Not supported.
    public var fileURL: URL?
    /// Not supported.
    public var resumeData: Data?
    /// Not supported.
    public var result: Result<Success, Failure>
    /// Not supported.
    public var value: Success?
    /// Not supported.
    public var error: Failure?
}

/// The argument of a download's response handler.
@available(
    *,
    unavailable,
    message:
        "Write a target with the task .downloadDestination(_:), which names the file; its completion gets a Response."
)
public typealias AFDownloadResponse<Success> = DownloadResponse<Success, AlamofireError>

// These names are from Alamofire 4, which Moya 13 and earlier used.

/// Replaced by types that conform to `ServerTrustEvaluating`.
@available(
    *,
    unavailable,
    message: "Write PinnedCertificatesTrustEvaluator() or PublicKeysTrustEvaluator() in a ServerTrustManager."
)
public typealias ServerTrustPolicy = AlamofireTypes.ServerTrustPolicy

/// Replaced by `ServerTrustManager`.
@available(
    *,
    unavailable,
    message: "Write ServerTrustManager(evaluators:), and give it to Session(serverTrustManager:)."
)
public typealias ServerTrustPolicyManager = AlamofireTypes.ServerTrustPolicyManager

/// The completion of a retrier.
@available(*, unavailable, message: "Write retry(_:for:dueTo:completion:), whose completion takes a RetryResult.")
public typealias RequestRetryCompletion = @Sendable (_ shouldRetry: Bool, _ timeDelay: Double) -> Void

/// The result of encoding a form.
@available(
    *,
    unavailable,
    message: "The request fails with the error of the form: MoyaError.underlying(MultipartError, nil)."
)
public enum MultipartFormDataEncodingResult {}
