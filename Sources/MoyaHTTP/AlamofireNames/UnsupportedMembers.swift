import Foundation

// These declarations are specific to Alamofire's use of URLSession, and are not supported here.

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
        delegate: AlamofireTypes.SessionDelegate = AlamofireTypes.SessionDelegate(),
        rootQueue: DispatchQueue = DispatchQueue(label: ""),
        startRequestsImmediately: Bool = true,
        requestSetup: AlamofireTypes.RequestSetup = .lazy,
        requestQueue: DispatchQueue? = nil,
        serializationQueue: DispatchQueue? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any AlamofireTypes.CachedResponseHandler)? = nil,
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
    @available(*, unavailable, message: "There is no delegate: an EventMonitor gets the events.")
    public var delegate: AlamofireTypes.SessionDelegate { AlamofireTypes.SessionDelegate() }

    /// Not supported: a session has no queues.
    @available(*, unavailable, message: "A session has no queues: give callbackQueue to the provider or its request.")
    public var rootQueue: DispatchQueue { .main }

    /// Not supported: a session has no queues.
    @available(*, unavailable, message: "A session has no queues: give callbackQueue to the provider or its request.")
    public var requestQueue: DispatchQueue { .main }

    /// Not supported: a session has no queues.
    @available(*, unavailable, message: "A session has no queues: give callbackQueue to the provider or its request.")
    public var serializationQueue: DispatchQueue { .main }

    /// Not supported: pass an `HTTPCache` to the initializer.
    @available(
        *,
        unavailable,
        message: "Pass an HTTPCache to Session(cache:); a target's cachePolicy controls its use."
    )
    public var cachedResponseHandler: (any AlamofireTypes.CachedResponseHandler)? { nil }

    /// Replaced by `eventMonitors`.
    @available(*, unavailable, renamed: "eventMonitors")
    public var eventMonitor: [any EventMonitor] { [] }

    /// Not supported: a session keeps no list of requests.
    @available(
        *,
        unavailable,
        message: "A session keeps no list of requests: keep the Request, or the Cancellable of the provider's request."
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

// These options of requests are not supported here.
extension Session {
    /// Not supported: the transport reads the file while it sends it.
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
    @available(*, unavailable, message: "Pass a destination as the parameter to:.")
    public func download(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> Request { request(convertible) }

    /// Not supported: the data of an interrupted download is beside its destination.
    @available(
        *,
        unavailable,
        message: "Download the same URL again, to a destination with the option .resumesWhenInterrupted."
    )
    public func download(
        resumingWith data: Data,
        interceptor: (any RequestInterceptor)? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> Request { request(URLRequest(url: URL(fileURLWithPath: ""))) }

    /// Not supported: the body of a response is an asynchronous sequence.
    @available(
        *,
        unavailable,
        message: "Write `let (response, body) = try await session.stream(for: request)`, or provider.stream(_:)."
    )
    public func streamRequest(
        _ convertible: any URLRequestConvertible,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil
    ) -> Request { request(convertible) }
}

extension Request {
    /// Not supported: the data of an interrupted download is beside its destination.
    @available(
        *,
        unavailable,
        message: "Give the destination the option .resumesWhenInterrupted, and write cancel()."
    )
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Request { self }

    /// Not supported: the data of an interrupted download is beside its destination.
    @available(
        *,
        unavailable,
        message: "Give the destination the option .resumesWhenInterrupted, and write cancel()."
    )
    @discardableResult
    public func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) -> Request { self }

    /// Not supported: the data of an interrupted download is beside its destination.
    @available(*, unavailable, message: "Give the destination the option .resumesWhenInterrupted.")
    public var resumeData: Data? { nil }
}

extension DownloadRequest {
    /// Not supported: a download is a ``Request``.
    @available(*, unavailable, message: "Write Request, which Session.download(_:to:) returns.")
    public func cancel() {}

    /// Not supported: only a provider reports the progress of a request.
    @available(
        *,
        unavailable,
        message: "Write a target: MoyaProvider.request(_:progress:completion:) reports the progress."
    )
    public func downloadProgress(queue: DispatchQueue = .main, closure: @escaping (Progress) -> Void) {}
}
