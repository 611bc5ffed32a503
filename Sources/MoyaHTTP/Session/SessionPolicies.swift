import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The settings of a session, besides its transport.
struct SessionPolicies: Sendable {
    let configuration: URLSessionConfiguration
    let timeouts: SessionTimeouts
    /// The fields that are added to a request if it does not have them: those of the configuration and of URLSession.
    let addedFields: Result<HTTPFields, RequestValidationError>
    let startRequestsImmediately: Bool
    let interceptor: (any RequestInterceptor)?
    let serverTrustManager: ServerTrustManager?
    let redirectHandler: any RedirectHandler
    let cookies: SessionCookies
    /// The cache; `nil` if nothing is cached.
    let cache: HTTPCache?
    let eventMonitors: [any EventMonitor]
    let middleware: [any HTTPMiddleware]
    let exchangeMiddleware: [any HTTPMiddleware]
    let maximumBodySize: Int
    let decodingLimits: ContentDecodingLimits
    let refusesUnknownContentCodings: Bool
    let clock: any Clock<Duration>

    init(
        configuration: URLSessionConfiguration,
        startRequestsImmediately: Bool,
        interceptor: (any RequestInterceptor)?,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)?,
        cache: HTTPCache?,
        eventMonitors: [any EventMonitor],
        middleware: [any HTTPMiddleware],
        exchangeMiddleware: [any HTTPMiddleware],
        options: SessionOptions
    ) {
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        self.configuration = configuration
        timeouts = SessionTimeouts(configuration)
        self.startRequestsImmediately = startRequestsImmediately
        self.interceptor = interceptor
        self.serverTrustManager = serverTrustManager
        self.redirectHandler = redirectHandler ?? Redirector()
        cookies = SessionCookies(options.cookieStorage, configuration: configuration)
        self.cache = cache ?? HTTPCache(replacing: configuration.urlCache)
        self.eventMonitors = eventMonitors
        self.middleware = middleware
        self.exchangeMiddleware = exchangeMiddleware
        maximumBodySize = max(0, options.maximumBodySize)
        decodingLimits = options.decodingLimits
        refusesUnknownContentCodings = options.refusesUnknownContentCodings
        clock = options.clock
        addedFields = Result { () throws(RequestValidationError) in
            try HTTPFields(checking: configuration.headers.dictionary, and: .sentUnlessSet)
        }
    }
}

extension SessionPolicies {
    /// Returns the headers that are added to a request if it does not have them, by name: the headers of the configuration and of
    /// URLSession, and the cookies of the storage.
    func headers(addedTo request: URLRequest?) -> [String: String] {
        var added = (try? addedFields.get().map { ($0.name.rawName, $0.value) }) ?? []
        if let request, let url = request.url, request.httpShouldHandleCookies,
            let cookies = cookies.field(for: url, context: CookieContext())
        {
            added.append((cookies.name.rawName, cookies.value))
        }
        return Dictionary(added) { first, _ in first }
    }

    /// Checks a request and creates the form of it that a transport gets.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - headers: The fields that are added if the request has none of that name; `nil` for the session's.
    ///   - bufferLimit: The size, in bytes, up to which the transport waits for the whole body of the response.
    ///   - target: The value that the request was created from.
    /// - Returns: The request.
    /// - Throws: ``RequestValidationError``.
    func transportRequest(
        for request: OutgoingRequest,
        headers: HTTPFields? = nil,
        bufferLimit: Int,
        target: (any Sendable)? = nil
    ) throws -> TransportRequest {
        var message = try TransportRequest(
            checking: request.urlRequest,
            body: request.body,
            sessionHeaders: headers ?? addedFields.get(),
            timeouts: timeouts.replaced(by: request.urlRequest.timeoutInterval),
            responseBufferLimit: bufferLimit,
            decodingLimits: decodingLimits,
            target: target
        )
        message.refusesUnknownContentCodings = refusesUnknownContentCodings
        request.setLimits?(&message)
        return message
    }
}

/// The two timeouts of an exchange, from the request and the configuration.
struct SessionTimeouts: Equatable, Sendable {
    let idle: Duration
    let total: Duration

    /// Creates the timeouts of requests that do not set their own.
    init(_ configuration: URLSessionConfiguration) {
        self.init(
            request: Self.foundationDefault,
            idle: configuration.timeoutIntervalForRequest,
            total: configuration.timeoutIntervalForResource
        )
    }

    /// Creates timeouts from `URLRequest.timeoutInterval`, and a configuration's `timeoutIntervalForRequest` and
    /// `timeoutIntervalForResource`, in seconds.
    ///
    /// If the request has Foundation's default of 60 seconds, or a value that is not positive, the configuration's is used. A
    /// value of the configuration that is not positive means no limit.
    init(request: TimeInterval, idle: TimeInterval, total: TimeInterval) {
        self.idle = Self.limit(Self.isSet(request) ? request : idle)
        self.total = Self.limit(total)
    }

    private init(idle: Duration, total: Duration) {
        self.idle = idle
        self.total = total
    }

    /// Returns the timeouts for a request with a `timeoutInterval`.
    func replaced(by request: TimeInterval) -> SessionTimeouts {
        Self.isSet(request) ? SessionTimeouts(idle: Self.limit(request), total: total) : self
    }

    private static func isSet(_ request: TimeInterval) -> Bool { request > 0 && request != foundationDefault }

    private static let foundationDefault: TimeInterval = 60

    private static func limit(_ seconds: TimeInterval) -> Duration {
        Duration(clampingSeconds: seconds > 0 ? seconds : .infinity)
    }
}

/// Settings of a session that are seldom changed.
public struct SessionOptions: Sendable {
    /// The storage of cookies, in place of the configuration's `httpCookieStorage`.
    ///
    /// The configuration's `httpShouldSetCookies` and `httpCookieAcceptPolicy` apply to both storages.
    ///
    /// On Linux, all programs whose executables are in folders of the same name share the file of `HTTPCookieStorage.shared`. A
    /// session whose configuration has that storage, as by default, keeps its cookies in memory instead, in a new ``CookieJar``.
    /// Pass `FoundationCookieStorage(.shared)` to use the shared file.
    public var cookieStorage: (any CookieStorage)?
    /// The size, in bytes, up to which a response's body is read into memory.
    public var maximumBodySize: Int
    /// The limits for the decoding of bodies in gzip or deflate.
    public var decodingLimits: ContentDecodingLimits
    /// Whether a body is an error if its `Content-Encoding` has a name that is no content coding, such as `none`, `UTF-8`
    /// or `aws-chunked`.
    ///
    /// The default is false: such a name is ignored, and the body is delivered as it is. If it is true, the error is
    /// ``ContentDecodingError/unsupported(_:)``, as it is for a coding that is not supported. URLSession decides itself.
    public var refusesUnknownContentCodings: Bool
    /// The clock for the time between attempts.
    public var clock: any Clock<Duration>

    /// Creates options.
    public init(
        cookieStorage: (any CookieStorage)? = nil,
        maximumBodySize: Int = Session.defaultMaximumBodySize,
        decodingLimits: ContentDecodingLimits = ContentDecodingLimits(),
        refusesUnknownContentCodings: Bool = false,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.cookieStorage = cookieStorage
        self.maximumBodySize = maximumBodySize
        self.decodingLimits = decodingLimits
        self.refusesUnknownContentCodings = refusesUnknownContentCodings
        self.clock = clock
    }
}
