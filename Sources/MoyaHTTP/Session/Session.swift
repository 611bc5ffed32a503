import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests: the headers, time-outs and rules that they have in common, over one ``HTTPTransport``.
///
/// A provider has a session of its own unless you hand it one. Make one to choose headers, time-outs or the transport:
///
///     let configuration = URLSessionConfiguration.default
///     configuration.headers = .default
///     configuration.timeoutIntervalForRequest = 10
///     let session = Session(configuration: configuration, startRequestsImmediately: false)
///
/// A session that goes leaves its running requests to their end, and then gives back its connections.
// Unchecked because a class that can be inherited from cannot be checked: every property here is constant and Sendable,
// and a subclass answers for its own.
open class Session: @unchecked Sendable {
    /// A session with ``HTTPHeaders/default`` that all can share.
    public static let `default` = Session()

    /// 256 MiB: far more than any answer of an API, and less than what would bring a server down.
    public static let defaultMaximumBodySize = 256 * 1024 * 1024

    let policies: SessionPolicies
    let credentials: SessionCredentials
    private let givenTransport: (any HTTPTransport)?
    private let madeTransport = Locked<(any HTTPTransport)?>(nil)

    /// Makes a session on the platform's transport.
    ///
    /// The transport is `NIOTransport` on Linux (package trait `AsyncHTTPClient`). Where that is off, on Apple's
    /// platforms, and where the configuration asks for what only URLSession does (`protocolClasses` of your own), it is
    /// URLSession. The HTTP, HTTPS and SOCKS proxies of a `connectionProxyDictionary` are used by both. What else such a
    /// dictionary can say, such as a proxy script or a list of exceptions, fails each request over `NIOTransport` with
    /// ``TransportConfigurationError``.
    ///
    /// - Parameters:
    ///   - configuration: Copied. Read are `httpAdditionalHeaders`, `timeoutIntervalForRequest` (how long a request may
    ///     be idle), `timeoutIntervalForResource` (how long it may take in all) and `httpMaximumConnectionsPerHost`; the
    ///     URLSession transport also gets what belongs to URLSession alone.
    ///   - startRequestsImmediately: Whether a ``Request`` starts when its value is asked for.
    ///   - interceptor: Adapts each request, and is asked whether one that went wrong is repeated.
    ///   - serverTrustManager: Says which servers are trusted over `https`. Without one it is those that the system trusts.
    ///   - redirectHandler: Says whether redirects are followed. Without one they are, up to 20 in a row.
    ///   - eventMonitors: Learn what happens to each request.
    ///   - cookieStorage: Where cookies come from and go to. Without one it is the configuration's `httpCookieStorage`, if
    ///     that has one. The configuration's `httpShouldSetCookies` and `httpCookieAcceptPolicy` hold for both.
    ///   - connection: How connections are made: proxies, certificates, versions, times. With it the configuration's
    ///     `httpMaximumConnectionsPerHost` is not looked at. What the transport can't do fails each request with
    ///     ``TransportConfigurationError``.
    ///   - maximumBodySize: How many bytes a body may have that is collected in memory.
    ///   - decodingLimits: How far a body in gzip or deflate may grow when it is decoded.
    public init(
        configuration: URLSessionConfiguration = .withDefaultHeaders,
        startRequestsImmediately: Bool = true,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        eventMonitors: [any EventMonitor] = [],
        cookieStorage: (any CookieStorage)? = nil,
        connection: TransportConfiguration? = nil,
        maximumBodySize: Int = Session.defaultMaximumBodySize,
        decodingLimits: ContentDecodingLimits = ContentDecodingLimits()
    ) {
        givenTransport = nil
        policies = SessionPolicies(
            configuration: configuration,
            startRequestsImmediately: startRequestsImmediately,
            interceptor: interceptor,
            connection: Self.connection(connection, trusting: serverTrustManager),
            redirectHandler: redirectHandler,
            cookieStorage: cookieStorage,
            eventMonitors: eventMonitors,
            maximumBodySize: maximumBodySize,
            decodingLimits: decodingLimits,
            clock: ContinuousClock()
        )
        credentials = SessionCredentials(policies.configuration.urlCredentialStorage)
    }

    /// Makes a session on a transport of your choice.
    ///
    /// - Parameters:
    ///   - transport: Used and kept, not shut down.
    ///   - configuration: Copied. Read are `httpAdditionalHeaders`, `timeoutIntervalForRequest` and
    ///     `timeoutIntervalForResource`; what concerns the engine is said to the transport.
    ///   - startRequestsImmediately: Whether a ``Request`` starts when its value is asked for.
    ///   - interceptor: Adapts each request, and is asked whether one that went wrong is repeated.
    ///   - redirectHandler: Says whether redirects are followed. Without one they are, up to 20 in a row.
    ///   - eventMonitors: Learn what happens to each request.
    ///   - cookieStorage: Where cookies come from and go to. Without one it is the configuration's `httpCookieStorage`, if
    ///     that has one. The configuration's `httpShouldSetCookies` and `httpCookieAcceptPolicy` hold for both.
    ///   - maximumBodySize: How many bytes a body may have that is collected in memory.
    ///   - decodingLimits: How far a body in gzip or deflate may grow when it is decoded.
    ///   - clock: Counts the time between the tries of a request.
    public init(
        transport: any HTTPTransport,
        configuration: URLSessionConfiguration = .withDefaultHeaders,
        startRequestsImmediately: Bool = true,
        interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        eventMonitors: [any EventMonitor] = [],
        cookieStorage: (any CookieStorage)? = nil,
        maximumBodySize: Int = Session.defaultMaximumBodySize,
        decodingLimits: ContentDecodingLimits = ContentDecodingLimits(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        givenTransport = transport
        policies = SessionPolicies(
            configuration: configuration,
            startRequestsImmediately: startRequestsImmediately,
            interceptor: interceptor,
            redirectHandler: redirectHandler,
            cookieStorage: cookieStorage,
            eventMonitors: eventMonitors,
            maximumBodySize: maximumBodySize,
            decodingLimits: decodingLimits,
            clock: clock
        )
        credentials = SessionCredentials(policies.configuration.urlCredentialStorage)
    }

    /// How many bytes a body may have that is collected in memory; what has more fails with
    /// `URLError.dataLengthExceedsMaximum`, and is better downloaded or streamed.
    public var maximumBodySize: Int { policies.maximumBodySize }

    /// How far a response's body in gzip or deflate may grow when it is decoded.
    public var decodingLimits: ContentDecodingLimits { policies.decodingLimits }

    /// Whether a ``Request`` starts when its value is asked for, or stays until ``Request/resume()``.
    public var startRequestsImmediately: Bool { policies.startRequestsImmediately }

    /// Adapts each request, and is asked whether one that went wrong is repeated.
    public var interceptor: (any RequestInterceptor)? { policies.interceptor }

    /// Says which servers are trusted over `https`; `nil` if it is those that the system trusts, or a transport was given.
    public var serverTrustManager: ServerTrustManager? { policies.connection?.serverTrustManager }

    /// Says whether redirects are followed.
    public var redirectHandler: any RedirectHandler { policies.redirectHandler }

    /// Where cookies come from and go to; `nil` if the session has nothing to do with them.
    public var cookieStorage: (any CookieStorage)? { policies.cookies.storage }

    /// Learn what happens to each request.
    public var eventMonitors: [any EventMonitor] { policies.eventMonitors }

    /// A copy of the configuration that the session was made with.
    public var sessionConfiguration: URLSessionConfiguration {
        policies.configuration.copy() as? URLSessionConfiguration ?? policies.configuration
    }

    /// The transport, made when it is first needed: a session that only serves stubs opens nothing.
    public var transport: any HTTPTransport {
        if let givenTransport { return givenTransport }
        return madeTransport.withLock { transport in
            if let transport { return transport }
            let made = Self.makeTransport(policies.configuration, policies.connection)
            transport = made
            return made
        }
    }

    /// Prepares a request that can be started, cancelled and awaited from different places.
    open func request(_ convertible: any URLRequestConvertible) -> Request {
        Request(convertible, session: self)
    }

    /// The headers that the session adds to a request, by name.
    public var sessionHeaders: [String: String] { policies.configuration.headers.dictionary }

    private static func connection(
        _ connection: TransportConfiguration?,
        trusting manager: ServerTrustManager?
    ) -> TransportConfiguration? {
        guard let manager else { return connection }
        var connection = connection ?? TransportConfiguration()
        connection.serverTrustManager = manager
        return connection
    }

    private static func makeTransport(
        _ configuration: URLSessionConfiguration,
        _ connection: TransportConfiguration?
    ) -> any HTTPTransport {
        do throws(TransportConfigurationError) {
            #if AsyncHTTPClient && !canImport(Darwin)
                if !configuration.needsURLSession {
                    var plain = TransportConfiguration()
                    plain.maximumConnectionsPerHost = max(1, configuration.httpMaximumConnectionsPerHost)
                    var settings = connection ?? plain
                    try settings.takeProxies(from: configuration.connectionProxyDictionary ?? [:])
                    return try NIOTransport(configuration: settings)
                }
            #endif
            guard let connection else { return URLSessionTransport(configuration: configuration) }
            return try URLSessionTransport(configuration: configuration, settings: connection)
        } catch {
            return RefusingTransport(error: error)
        }
    }
}

extension URLSessionConfiguration {
    /// Foundation's default configuration with ``HTTPHeaders/default``.
    public static var withDefaultHeaders: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        return configuration
    }

    /// Asks for what only URLSession does.
    fileprivate var needsURLSession: Bool {
        let usual = (URLSessionConfiguration.default.protocolClasses ?? []).map { ObjectIdentifier($0) }
        let own = (protocolClasses ?? []).map { ObjectIdentifier($0) }
        return own != usual
    }
}
