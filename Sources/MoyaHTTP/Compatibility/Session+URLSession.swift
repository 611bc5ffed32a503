import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Declarations that are specific to Alamofire's use of URLSession and are not supported here.

extension Session {
    /// Not supported: a session has none of these options.
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

    /// Not supported: the transport has its own URLSession, if any.
    @available(
        *,
        unavailable,
        message: "There is no URLSession: read sessionConfiguration; cancel the requests themselves."
    )
    public var session: URLSession { URLSession.shared }

    /// Not supported: use an `EventMonitor`.
    @available(*, unavailable, message: "There is no delegate: an EventMonitor learns what happens.")
    public var delegate: SessionDelegate { SessionDelegate() }

    /// Not supported: a session has no queues.
    @available(*, unavailable, message: "A session has no queues: give callbackQueue to the provider or its request.")
    public var rootQueue: DispatchQueue { .main }

    /// Not supported: a session has no queues.
    @available(*, unavailable, message: "A session has no queues: give callbackQueue to the provider or its request.")
    public var requestQueue: DispatchQueue { .main }

    /// Not supported: a session has no queues.
    @available(*, unavailable, message: "A session has no queues: give callbackQueue to the provider or its request.")
    public var serializationQueue: DispatchQueue { .main }

    /// Not supported: configure the cache of the `URLSessionConfiguration`.
    @available(
        *,
        unavailable,
        message: "Pass an HTTPCache to Session(cache:); a target's cachePolicy says how it is used."
    )
    public var cachedResponseHandler: (any CachedResponseHandler)? { nil }

    /// Replaced by `eventMonitors`.
    @available(*, unavailable, renamed: "eventMonitors")
    public var eventMonitor: [any EventMonitor] { [] }

    /// Not supported: a session keeps no list of requests.
    @available(
        *,
        unavailable,
        message: "A session keeps no list of requests: keep the Request, or what the provider's request returns."
    )
    public func withAllRequests(perform: @escaping (Set<AnyHashable>) -> Void) {}

    /// Not supported: a session keeps no list of requests.
    @available(
        *,
        unavailable,
        message: "A session keeps no list of requests: cancel the tasks or Cancellables that they run in."
    )
    public func cancelAllRequests(completingOnQueue queue: DispatchQueue = .main, completion: (() -> Void)? = nil) {}
}

/// The receiver of URLSession callbacks in Alamofire.
@available(*, unavailable, message: "There is no delegate: an EventMonitor learns what happens.")
open class SessionDelegate: NSObject {
    /// Not supported.
    public override init() { super.init() }
}

/// The time at which Alamofire creates a URLSessionTask.
@available(*, unavailable, message: "Leave it out: there is no URLSessionTask to be set up.")
public enum RequestSetup: Sendable {
    /// Not supported.
    case lazy
    /// Not supported.
    case eager
}

/// A type that modifies cached responses in Alamofire.
@available(
    *,
    unavailable,
    message: "Pass an HTTPCache to Session(cache:); a target's cachePolicy says how it is used."
)
public protocol CachedResponseHandler: Sendable {}

/// A standard handler of cached responses in Alamofire.
@available(
    *,
    unavailable,
    message: "Pass an HTTPCache to Session(cache:); a target's cachePolicy says how it is used."
)
public final class ResponseCacher: Sendable {}

/// The sender of Alamofire's notifications.
@available(*, unavailable, message: "Nothing is posted: write an EventMonitor.")
public final class AlamofireNotifications: Sendable {}

/// An event monitor with closures in Alamofire.
@available(*, unavailable, message: "Write a type that conforms to EventMonitor: it has one method, record(_:).")
public final class ClosureEventMonitor: Sendable {}

// Options of requests that are not supported here.
extension Session {
    /// Not supported: the file is read when it is sent.
    @available(*, unavailable, message: "Leave out fileManager: the file is read as it is sent.")
    public func upload(
        _ fileURL: URL,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager
    ) -> Request { self.request(request) }

    /// Not supported: forms are always streamed.
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

    /// Not supported: specify a destination.
    @available(*, unavailable, message: "Say where the file goes, with to: a destination.")
    public func download(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> Request { request(convertible) }
}
