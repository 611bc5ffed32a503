import Foundation
import HTTPTypes

/// A client that sends requests with common headers, timeouts and policies over one ``HTTPTransport``.
///
/// A provider creates a session unless you pass one. Create one to set headers, timeouts or the transport:
///
///     let configuration = URLSessionConfiguration.default
///     configuration.headers = .default
///     configuration.timeoutIntervalForRequest = 10
///     let session = Session(configuration: configuration, startRequestsImmediately: false)
///
/// When a session is released, its running requests continue to their end, and then its connections are closed.
// The conformance is unchecked because the compiler can't check an open class: every property here is constant and Sendable,
// and a subclass is responsible for its properties.
open class Session: @unchecked Sendable {
    /// The shared session, with ``HTTPHeaders/default``.
    public static let `default` = Session()

    /// The default maximum size of a body in memory: 256 MiB, which is more than API responses have.
    public static let defaultMaximumBodySize = 256 * 1024 * 1024

    let settings: SessionSettings
    private let sessionTransport: SessionTransport
    /// The requests that are running, and the bodies that are being read.
    let runningRequests = RunningRequests()
    /// The stages that each request passes through.
    let pipeline: Pipeline

    /// Creates a session on the platform's transport.
    ///
    /// The transport is `NIOTransport` on Linux (package trait `NIO`). Where that is off, on Apple's
    /// platforms, and where the configuration needs URLSession (custom `protocolClasses`), it is URLSession. The
    /// HTTP, HTTPS and SOCKS proxies of a `connectionProxyDictionary`, and its exceptions, are used by both; without one,
    /// the system's proxies are: see ``TransportConfiguration/usesSystemProxies``. Other entries of such a dictionary, such
    /// as a proxy script, fail each request over `NIOTransport` with ``TransportConfigurationError``.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, which the session copies. The session uses `httpAdditionalHeaders`,
    ///     `timeoutIntervalForRequest` (the time for which a request may be idle), `timeoutIntervalForResource` (the time that
    ///     an attempt may take, with its redirects), `httpMaximumConnectionsPerHost`, `urlCache` and `requestCachePolicy`; the
    ///     URLSession transport also uses settings that only URLSession has.
    ///     Where neither the request nor the configuration has `Accept`, `Accept-Encoding`, `Accept-Language` or
    ///     `User-Agent`, default values are sent, as URLSession does.
    ///   - startRequestsImmediately: Whether a ``Request`` starts when its value is read.
    ///   - interceptor: Adapts each request, and decides whether it is retried.
    ///   - serverTrustManager: Decides which servers are trusted over `https`; `nil` for those that the system trusts.
    ///   - redirectHandler: Decides whether redirects are followed; `nil` to follow up to 20 in a row.
    ///   - cache: Stores responses for later requests; `nil` for a cache in memory as the configuration's `urlCache` says: see
    ///     ``HTTPCache/init(replacing:)``.
    ///   - eventMonitors: The monitors, which get the events of each request.
    ///   - middleware: The middleware around each whole request, the first one outermost.
    ///   - exchangeMiddleware: The middleware around each exchange with a server, the first one outermost.
    ///   - resilience: Limits of the requests, hedges of slow ones, and the keys with which they can be repeated.
    ///   - options: Settings that are seldom changed.
    public init(
        configuration: URLSessionConfiguration = .withDefaultHeaders,
        startRequestsImmediately: Bool = true,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cache: HTTPCache? = nil,
        eventMonitors: [any EventMonitor] = [],
        middleware: [any HTTPMiddleware] = [],
        exchangeMiddleware: [any HTTPMiddleware] = [],
        resilience: Resilience = Resilience(),
        options: SessionOptions = SessionOptions()
    ) {
        let settings = SessionSettings(
            configuration: configuration,
            startRequestsImmediately: startRequestsImmediately,
            interceptor: interceptor,
            serverTrustManager: serverTrustManager,
            redirectHandler: redirectHandler,
            cache: cache,
            eventMonitors: eventMonitors,
            middleware: middleware,
            exchangeMiddleware: exchangeMiddleware,
            resilience: resilience,
            options: options
        )
        self.settings = settings
        let connection = serverTrustManager.map { TransportConfiguration(serverTrustManager: $0) }
        sessionTransport = SessionTransport(
            observedBy: settings.connectionObservers,
            creating: {
                do throws(TransportConfigurationError) {
                    return try Self.makeTransport(connection: connection, configuration: settings.configuration)
                } catch {
                    return RefusingTransport(error: error)
                }
            }
        )
        pipeline = Pipeline(settings, transport: sessionTransport)
    }

    /// Creates a session on a given transport; the other parameters are those of a session on the platform's transport.
    ///
    /// - Parameters:
    ///   - transport: The transport, which the session keeps and does not shut down.
    ///   - configuration: The settings of the session; the transport has those of connections.
    ///   - startRequestsImmediately: Whether a ``Request`` starts when its value is read.
    ///   - interceptor: Adapts and retries requests.
    ///   - redirectHandler: Follows redirects.
    ///   - cache: Stores responses.
    ///   - eventMonitors: Get the events of each request.
    ///   - middleware: Handles whole requests.
    ///   - exchangeMiddleware: Handles exchanges.
    ///   - resilience: Limits requests.
    ///   - options: Settings that are seldom changed.
    public init(
        transport: any HTTPTransport,
        configuration: URLSessionConfiguration = .withDefaultHeaders,
        startRequestsImmediately: Bool = true,
        interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cache: HTTPCache? = nil,
        eventMonitors: [any EventMonitor] = [],
        middleware: [any HTTPMiddleware] = [],
        exchangeMiddleware: [any HTTPMiddleware] = [],
        resilience: Resilience = Resilience(),
        options: SessionOptions = SessionOptions()
    ) {
        settings = SessionSettings(
            configuration: configuration,
            startRequestsImmediately: startRequestsImmediately,
            interceptor: interceptor,
            redirectHandler: redirectHandler,
            cache: cache,
            eventMonitors: eventMonitors,
            middleware: middleware,
            exchangeMiddleware: exchangeMiddleware,
            resilience: resilience,
            options: options
        )
        sessionTransport = SessionTransport(transport, observedBy: settings.connectionObservers)
        pipeline = Pipeline(settings, transport: sessionTransport)
    }

    /// The size, in bytes, up to which a response's body is read into memory.
    ///
    /// A larger one fails with `URLError.dataLengthExceedsMaximum`: download it, or read it as a stream.
    public var maximumBodySize: Int { settings.maximumBodySize }

    /// The limits for the decoding of bodies in gzip or deflate.
    public var decodingLimits: ContentDecodingLimits { settings.decodingLimits }

    /// Whether a ``Request`` starts when its value is read, or with ``Request/resume()`` only.
    public var startRequestsImmediately: Bool { settings.startRequestsImmediately }

    /// Adapts each request, and decides whether it is retried.
    public var interceptor: (any RequestInterceptor)? { settings.interceptor }

    /// Decides which servers are trusted over `https`; `nil` if the system decides, or if a transport was given.
    public var serverTrustManager: ServerTrustManager? { settings.serverTrustManager }

    /// Decides whether redirects are followed.
    public var redirectHandler: any RedirectHandler { settings.redirectHandler }

    /// The storage of cookies; `nil` if the session does not handle cookies.
    public var cookieStorage: (any CookieStorage)? { settings.cookies.storage }

    /// The cache; `nil` if none was given, and the configuration's `urlCache` is `nil` or has no capacity in memory.
    public var cache: HTTPCache? { settings.cache }

    /// The monitors that get the events of each request.
    public var eventMonitors: [any EventMonitor] { settings.eventMonitors }

    /// A copy of the configuration that the session was created with.
    public var sessionConfiguration: URLSessionConfiguration {
        settings.configuration.copy() as? URLSessionConfiguration ?? settings.configuration
    }

    /// The transport, created when it is first needed: a session that only serves stubs opens nothing.
    public var transport: any HTTPTransport { sessionTransport.value }

    /// The state of the transport, if it has been created and knows its state.
    var transportStatus: TransportStatus? { sessionTransport.current?.status }

    /// The headers of the configuration, which the session adds to a request that does not have them, by name.
    ///
    /// Besides them, a session adds the headers of URLSession, `User-Agent`, `Accept`, `Accept-Language` and `Accept-Encoding`, and
    /// the cookies of its storage.
    public var sessionHeaders: [String: String] { settings.configuration.headers.dictionary }

    /// Returns all headers that the session adds to a request if it does not have them, by name.
    package func headers(addedTo request: URLRequest?) -> [String: String] { settings.headers(addedTo: request) }

    /// Opens connections to the server of a URL, so that the next requests to it need not wait for the DNS lookup and the
    /// TLS handshake.
    ///
    ///     try await session.preconnect(to: baseURL)
    ///
    /// The function returns when the connections are open. It does nothing if that many connections already exist, busy or idle.
    /// A connection that no request uses is closed after some time, as after a request. Over URLSession and AsyncHTTPClient,
    /// which cannot preconnect, the function does nothing.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL; only its scheme, host and port matter.
    ///   - connections: The number of connections, up to the transport's maximum for a host. Over HTTP/2 there is one.
    /// - Throws: `URLError` if the server cannot be reached.
    public func preconnect(to url: URL, connections: Int = 1) async throws {
        guard !runningRequests.isClosed else { throw URLError.refusedAfterShutdown(url: url) }
        try await sessionTransport.value.preconnect(to: settings.secured(url), connections: connections)
    }

    /// The executors of the event loops that own the session's connections; empty if the transport has none.
    ///
    /// A request of a task on one of them wakes no other thread, where a task elsewhere wakes two for each request. A server runs
    /// the work of a request on one of them, and a program with many tasks distributes them:
    ///
    ///     try await withTaskExecutorPreference(session.taskExecutors.randomElement()) {
    ///         let profile = try await provider.request(.profile).map(Profile.self)
    ///         …
    ///     }
    ///
    /// Without executors, `randomElement()` is `nil`, and the task runs where it would run otherwise.
    ///
    /// - Warning: A task that blocks its thread, or computes for a long time, stalls all connections of the event loop; so does a
    ///   loop of `Task.yield()`. Run such work with `withTaskExecutorPreference(globalConcurrentExecutor)`.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public var taskExecutors: [any TaskExecutor] { sessionTransport.value.taskExecutors }

    /// Refuses new requests, waits for the end of running ones, and then shuts down the session's transport.
    ///
    ///     let result = await session.shutdown(grace: .seconds(10))
    ///
    /// Redirects, retries and bodies that are being read belong to a running request. Requests that are still running at
    /// the end of the grace period are cancelled; it also ends if the task of the caller is cancelled. Later requests fail
    /// with a `URLError` for which `isShutdown` is true. Other sessions cannot use the transport any more; until the end of
    /// the period, their running requests may finish, too.
    ///
    /// - Parameter grace: The maximum time to wait.
    /// - Returns: The number of requests that have ended by themselves, and the number of cancelled requests.
    @discardableResult
    public func shutdown(grace: Duration) async -> ShutdownResult {
        let clock = ContinuousClock()
        let started = clock.now
        let result = await runningRequests.drain(atMost: grace)
        await sessionTransport.current?.shutdown(grace: max(.zero, grace - started.duration(to: clock.now)))
        return result
    }

    /// Creates the platform's transport with given settings.
    ///
    ///     var connection = TransportConfiguration()
    ///     connection.maximumConnectionsPerHost = 20
    ///     let session = Session(transport: try Session.makeTransport(connection: connection))
    ///
    /// - Parameters:
    ///   - connection: The settings of connections: proxies, certificates, versions, times. A
    ///     ``TransportConfiguration/maximumConnectionsPerHost`` that is set replaces the configuration's
    ///     `httpMaximumConnectionsPerHost`.
    ///   - configuration: The configuration that the session gets.
    /// - Returns: The transport.
    /// - Throws: ``TransportConfigurationError`` for a setting that is invalid, or that the transport does not have.
    public static func makeTransport(
        connection: TransportConfiguration?,
        configuration: URLSessionConfiguration = .default
    ) throws(TransportConfigurationError) -> any HTTPTransport {
        #if NIO && !canImport(Darwin)
        if !configuration.needsURLSession {
            var settings = connection ?? TransportConfiguration()
            settings.takeConnectionLimit(from: configuration)
            try settings.takeProxies(from: configuration.connectionProxyDictionary)
            settings.credentialStorage = configuration.urlCredentialStorage
            return try NIOTransport(connection: settings)
        }
        #endif
        guard let connection else { return URLSessionTransport(configuration: configuration) }
        return try URLSessionTransport(configuration: configuration, connection: connection)
    }

    // MARK: Functions that cannot be overridden

    // Applications override these functions in Alamofire's session. They exist for the diagnostic at the override, and are in the
    // class because members of an extension cannot be overridden at all. Session+Requests.swift has the functions that are called.

    /// Cannot be overridden, as providers do not call it.
    @available(
        *,
        unavailable,
        message: "Providers do not call it: change requests in a RequestInterceptor, or send them in an HTTPMiddleware."
    )
    open func request(_ convertible: any URLRequestConvertible) -> Request {
        Request(convertible, session: self)
    }

    /// Cannot be overridden, as providers do not call it.
    @available(
        *,
        unavailable,
        message: "Providers do not call it: change requests in a RequestInterceptor, or send them in an HTTPMiddleware."
    )
    open func request(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?
    ) -> Request {
        Request(convertible, session: self, interceptor: interceptor)
    }

    /// Cannot be overridden, as providers do not call it.
    @available(
        *,
        unavailable,
        message: "Providers do not call it: change requests in a RequestInterceptor, or send them in an HTTPMiddleware."
    )
    open func request(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?
    ) -> Request {
        Request(convertible, session: self, interceptor: interceptor, startsWhenRead: shouldAutomaticallyResume)
    }

    /// Cannot be overridden, as providers do not call it.
    @available(
        *,
        unavailable,
        message: "Providers do not call it: change requests in a RequestInterceptor, or send them in an HTTPMiddleware."
    )
    open func upload(
        multipartFormData: RequestMultipartFormData,
        with request: any URLRequestConvertible,
        usingThreshold: UInt64,
        interceptor: (any RequestInterceptor)?,
        fileManager: FileManager
    ) -> Request { self.request(request) }

    /// Cannot be overridden, as providers do not call it.
    @available(
        *,
        unavailable,
        message: "Providers do not call it: change requests in a RequestInterceptor, or send them in an HTTPMiddleware."
    )
    open func upload(
        multipartFormData: @escaping (RequestMultipartFormData) -> Void,
        with request: any URLRequestConvertible,
        usingThreshold: UInt64,
        interceptor: (any RequestInterceptor)?,
        fileManager: FileManager
    ) -> Request { self.request(request) }

    /// Cannot be overridden, as providers do not call it.
    @available(
        *,
        unavailable,
        message: "Providers do not call it: change requests in a RequestInterceptor, or send them in an HTTPMiddleware."
    )
    open func upload(
        _ fileURL: URL,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?,
        fileManager: FileManager
    ) -> Request { self.request(request) }

    /// Cannot be overridden, as providers do not call it.
    @available(
        *,
        unavailable,
        message: "Providers do not call it: change requests in a RequestInterceptor, or send them in an HTTPMiddleware."
    )
    open func download(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?,
        to destination: DownloadRequest.Destination?
    ) -> DownloadRequest {
        // Nothing can call the function, and the type has no values.
        while true {}
    }
}

extension URLSessionConfiguration {
    /// Foundation's default configuration with ``HTTPHeaders/default``.
    public static var withDefaultHeaders: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        return configuration
    }

    /// Whether the configuration has settings that only URLSession supports.
    fileprivate var needsURLSession: Bool {
        let usual = (URLSessionConfiguration.default.protocolClasses ?? []).map { ObjectIdentifier($0) }
        let own = (protocolClasses ?? []).map { ObjectIdentifier($0) }
        return own != usual
    }
}
