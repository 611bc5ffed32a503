import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What belongs to Alamofire's way of running a URLSession. Transports have their own, and could not honour it.

extension Session {
    /// There are no such options.
    @available(
        *,
        unavailable,
        message: "Leave out delegate, queues, requestSetup and cachedResponseHandler: a session has none."
    )
    @_disfavoredOverload
    public convenience init(
        configuration: URLSessionConfiguration = .withDefaultHeaders,
        delegate: SessionDelegate = SessionDelegate(),
        rootQueue: DispatchQueue = DispatchQueue(label: ""),
        startRequestsImmediately: Bool = true,
        requestSetup: RequestSetup = .lazy,
        requestQueue: DispatchQueue? = nil,
        serializationQueue: DispatchQueue? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil,
        eventMonitors: [any EventMonitor] = []
    ) {
        self.init(configuration: configuration)
    }

    /// There is no such thing: a transport has its own.
    @available(
        *,
        unavailable,
        message: "There is no URLSession: read sessionConfiguration; cancel the requests themselves."
    )
    public var session: URLSession { URLSession.shared }

    /// There is no such thing.
    @available(*, unavailable, message: "There is no delegate: an EventMonitor learns what happens.")
    public var delegate: SessionDelegate { SessionDelegate() }

    /// There is no such thing.
    @available(*, unavailable, message: "A session has no queues: give callbackQueue to the provider or its request.")
    public var rootQueue: DispatchQueue { .main }

    /// There is no such thing.
    @available(*, unavailable, message: "A session has no queues: give callbackQueue to the provider or its request.")
    public var requestQueue: DispatchQueue { .main }

    /// There is no such thing.
    @available(*, unavailable, message: "A session has no queues: give callbackQueue to the provider or its request.")
    public var serializationQueue: DispatchQueue { .main }

    /// There is no such thing.
    @available(
        *,
        unavailable,
        message: "What is cached is said by configuration.urlCache and requestCachePolicy, for URLSessionTransport."
    )
    public var cachedResponseHandler: (any CachedResponseHandler)? { nil }

    /// There are several.
    @available(*, unavailable, renamed: "eventMonitors")
    public var eventMonitor: [any EventMonitor] { [] }

    /// There is no list of them.
    @available(
        *,
        unavailable,
        message: "A session keeps no list of requests: keep the Request, or what the provider's request returns."
    )
    public func withAllRequests(perform: @escaping (Set<AnyHashable>) -> Void) {}

    /// There is no list of them.
    @available(
        *,
        unavailable,
        message: "A session keeps no list of requests: cancel the tasks or Cancellables that they run in."
    )
    public func cancelAllRequests(completingOnQueue queue: DispatchQueue = .main, completion: (() -> Void)? = nil) {}
}

/// What receives the callbacks of a URLSession in Alamofire.
@available(*, unavailable, message: "There is no delegate: an EventMonitor learns what happens.")
public final class SessionDelegate: Sendable {
    /// There is no such thing.
    public init() {}
}

/// When a URLSessionTask is made in Alamofire.
@available(*, unavailable, message: "Leave it out: there is no URLSessionTask to be set up.")
public enum RequestSetup: Sendable {
    /// There is no such thing.
    case lazy
    /// There is no such thing.
    case eager
}

/// What changes cached responses in Alamofire.
@available(
    *,
    unavailable,
    message: "What is cached is said by configuration.urlCache and requestCachePolicy, for URLSessionTransport."
)
public protocol CachedResponseHandler: Sendable {}

/// A ready-made handler of cached responses in Alamofire.
@available(
    *,
    unavailable,
    message: "What is cached is said by configuration.urlCache and requestCachePolicy, for URLSessionTransport."
)
public final class ResponseCacher: Sendable {}

/// What posts Alamofire's notifications.
@available(*, unavailable, message: "Nothing is posted: write an EventMonitor.")
public final class AlamofireNotifications: Sendable {}

/// A monitor made of closures in Alamofire.
@available(*, unavailable, message: "Write a type that conforms to EventMonitor: it has one method, record(_:).")
public final class ClosureEventMonitor: Sendable {}

// Options of requests that nothing here could honour.
extension Session {
    /// There is no such option.
    @available(*, unavailable, message: "Leave out fileManager: the file is read as it is sent.")
    public func upload(
        _ fileURL: URL,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager
    ) -> Request { self.request(request) }

    /// There is no such option.
    @available(
        *,
        unavailable,
        message: "Leave out usingThreshold and fileManager: forms are streamed, whatever their size."
    )
    @_disfavoredOverload
    public func upload(
        multipartFormData: RequestMultipartFormData,
        with request: any URLRequestConvertible,
        usingThreshold: UInt64 = RequestMultipartFormData.encodingMemoryThreshold,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> Request { self.request(request) }

    /// There is no such option.
    @available(*, unavailable, message: "Say where the file goes, with to: a destination.")
    public func download(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> Request { request(convertible) }
}
