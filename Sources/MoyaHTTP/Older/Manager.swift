import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Names of the time when a session was a manager: until Moya 13, and in Alamofire 4 and older.

/// A session, as Moya called it.
@available(*, deprecated, renamed: "Session")
public typealias Manager = Session

/// A session, as Alamofire called it.
@available(*, deprecated, renamed: "Session")
public typealias SessionManager = Session

extension Session {
    /// The headers that a session adds unless it is told otherwise.
    @available(*, deprecated, message: "Write HTTPHeaders.default, and configuration.headers = .default.")
    public static var defaultHTTPHeaders: [String: String] { HTTPHeaders.default.dictionary }

    /// Gone: an interceptor is given when the session is made.
    @available(*, unavailable, message: "Write Session(interceptor: Interceptor(adapters: […])).")
    public var adapter: (any RequestAdapter)? {
        get { nil }
        set {}
    }

    /// Gone: an interceptor is given when the session is made.
    @available(*, unavailable, message: "Write Session(interceptor: Interceptor(retriers: […])).")
    public var retrier: (any RequestRetrier)? {
        get { nil }
        set {}
    }

    /// Gone: trust is said by host.
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
    /// Gone: headers of a session are its configuration's.
    @available(*, unavailable, renamed: "default")
    public static var defaultHTTPHeaders: HTTPHeaders { .default }
}
