import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Names from Moya 13 and Alamofire 4 and earlier, where a session was called a manager.

/// The name of ``Session`` in Moya.
@available(*, deprecated, renamed: "Session")
public typealias Manager = Session

/// The name of ``Session`` in Alamofire.
@available(*, deprecated, renamed: "Session")
public typealias SessionManager = Session

extension Session {
    /// The default headers of a session.
    @available(*, deprecated, message: "Write HTTPHeaders.default, and configuration.headers = .default.")
    public static var defaultHTTPHeaders: [String: String] { HTTPHeaders.default.dictionary }

    /// Removed: pass an interceptor to the initializer.
    @available(*, unavailable, message: "Write Session(interceptor: Interceptor(adapters: […])).")
    public var adapter: (any RequestAdapter)? {
        get { nil }
        set {}
    }

    /// Removed: pass an interceptor to the initializer.
    @available(*, unavailable, message: "Write Session(interceptor: Interceptor(retriers: […])).")
    public var retrier: (any RequestRetrier)? {
        get { nil }
        set {}
    }

    /// Removed: use a `ServerTrustManager`.
    @available(
        *,
        unavailable,
        message: "Write Session(configuration:serverTrustManager: ServerTrustManager(evaluators:))."
    )
    public convenience init(
        configuration: URLSessionConfiguration = .withDefaultHeaders,
        delegate: SessionDelegate = SessionDelegate(),
        serverTrustPolicyManager: ServerTrustPolicyManager?
    ) {
        self.init(configuration: configuration)
    }
}

extension HTTPHeaders {
    /// Removed: use `default`.
    @available(*, unavailable, renamed: "default")
    public static var defaultHTTPHeaders: HTTPHeaders { .default }
}
