import Foundation

// Names from Moya 13 and Alamofire 4 and earlier, where a session was called a manager.

/// The old name of ``Session``.
@available(*, deprecated, renamed: "Session")
public typealias Manager = Session

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
        delegate: AlamofireTypes.SessionDelegate = AlamofireTypes.SessionDelegate(),
        serverTrustPolicyManager: AlamofireTypes.ServerTrustPolicyManager?
    ) {
        self.init(configuration: configuration)
    }
}

extension HTTPHeaders {
    /// Removed: use `default`.
    @available(*, unavailable, renamed: "default")
    public static var defaultHTTPHeaders: HTTPHeaders { .default }
}

// Names from Alamofire 4, which were used with Moya 13 and earlier.
extension DownloadRequest {
    /// The old name of ``Options``.
    @available(*, deprecated, renamed: "Options")
    public typealias DownloadOptions = Options

    /// The old name of ``Destination``.
    @available(*, deprecated, renamed: "Destination")
    public typealias DownloadFileDestination = Destination

    /// Returns a destination; the old form of ``suggestedDownloadDestination(for:in:options:)``.
    @available(*, deprecated, renamed: "suggestedDownloadDestination(for:in:)")
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        with domain: FileManager.SearchPathDomainMask
    ) -> Destination {
        suggestedDownloadDestination(for: directory, in: domain)
    }
}

extension URLEncoding {
    /// The old name of ``default``.
    @available(*, deprecated, renamed: "default")
    public static var methodDependent: URLEncoding { .default }
}
