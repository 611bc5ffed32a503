import Foundation

/// The parameter types of those functions of Alamofire that exist only for their diagnostics.
///
/// The module MoyaAlamofire declares Alamofire's names for these types. At the top level of this module, the names would hide
/// typealiases and associated types with the same names in an application's protocols.
public enum AlamofireTypes {
    /// The argument of a response handler.
    @available(*, unavailable, message: "Write SessionResponse, which `try await request.value` returns.")
    public struct DataResponse<Success, Failure: Error> {
        /// Not supported.
        public var request: URLRequest?
        /// Not supported.
        public var response: HTTPURLResponse?
        /// Not supported.
        public var data: Data?
        /// Not supported.
        public var result: Result<Success, Failure>
        /// Not supported.
        public var value: Success?
        /// Not supported.
        public var error: Failure?
    }

    /// The receiver of URLSession callbacks.
    @available(*, unavailable, message: "There is no delegate: an EventMonitor gets the events.")
    open class SessionDelegate: NSObject {
        /// Not supported.
        public override init() { super.init() }
    }

    /// The time at which a URLSessionTask is created.
    @available(*, unavailable, message: "Leave it out: there is no URLSessionTask to be set up.")
    public enum RequestSetup: Sendable {
        /// Not supported.
        case lazy
        /// Not supported.
        case eager
    }

    /// A type that modifies cached responses.
    @available(
        *,
        unavailable,
        message: "Pass an HTTPCache to Session(cache:); a target's cachePolicy controls its use."
    )
    public protocol CachedResponseHandler: Sendable {}

    /// The policies of Alamofire 4 for the trust of servers.
    @available(
        *,
        unavailable,
        message: "Write ServerTrustManager(evaluators:), and give it to Session(serverTrustManager:)."
    )
    public final class ServerTrustPolicyManager: Sendable {
        /// Replaced by ``ServerTrustManager/init(allHostsMustBeEvaluated:evaluators:)``.
        public init(policies: [String: ServerTrustPolicy]) {}
    }

    /// A policy of Alamofire 4 for the trust of a server.
    @available(
        *,
        unavailable,
        message: "Write PinnedCertificatesTrustEvaluator() or PublicKeysTrustEvaluator() in a ServerTrustManager."
    )
    public enum ServerTrustPolicy: Sendable {}
}
