import Foundation
import HTTPTypes

/// The settings of a session, besides its transport.
struct SessionSettings: Sendable {
    let configuration: URLSessionConfiguration
    let timeouts: SessionTimeouts
    /// ``Resilience/timeouts``; `nil` if none is set.
    let requestTimeouts: RequestTimeouts?
    /// The fields of requests, with those that are added to a request if it does not have them: the fields of the configuration and
    /// of URLSession.
    let requestFields: RequestFields
    let startRequestsImmediately: Bool
    let interceptor: (any RequestInterceptor)?
    /// The ``interceptor``, and the retrier of the ``resilience`` after it.
    let retryingInterceptor: (any RequestInterceptor)?
    let serverTrustManager: ServerTrustManager?
    let redirectHandler: any RedirectHandler
    let cookies: SessionCookies
    /// The hosts that require TLS; `nil` if URLs are used unchanged.
    let strictTransportSecurity: StrictTransportSecurityStore?
    /// The cache; `nil` if nothing is cached.
    let cache: HTTPCache?
    let eventMonitors: [any EventMonitor]
    let middleware: [any HTTPMiddleware]
    let exchangeMiddleware: [any HTTPMiddleware]
    let resilience: Resilience
    let maximumBodySize: Int
    let decodingLimits: ContentDecodingLimits
    let refusesUnknownContentCodings: Bool
    let clock: any Clock<Duration>
    /// The time since the creation of the session on its ``clock``; `nil` for `ContinuousClock`, which needs no closure to be read.
    let ownTime: LimiterClock?

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
        resilience: Resilience = Resilience(),
        options: SessionOptions
    ) {
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        self.configuration = configuration
        timeouts = SessionTimeouts(configuration)
        requestTimeouts = resilience.timeouts.unlessInherited
        self.startRequestsImmediately = startRequestsImmediately
        self.interceptor = interceptor
        retryingInterceptor =
            resilience.retrier.map { retrier in
                Interceptor(
                    adapters: interceptor.map { [$0] } ?? [],
                    retriers: (interceptor.map { [$0] } ?? []) + [retrier]
                )
            } ?? interceptor
        self.serverTrustManager = serverTrustManager
        self.redirectHandler = redirectHandler ?? Redirector()
        cookies = SessionCookies(options.cookieStorage, configuration: configuration)
        strictTransportSecurity = options.strictTransportSecurity
        self.cache = cache ?? HTTPCache(replacing: configuration.urlCache)
        self.eventMonitors = eventMonitors
        self.middleware = middleware
        self.exchangeMiddleware = exchangeMiddleware
        self.resilience = resilience
        maximumBodySize = max(0, options.maximumBodySize)
        decodingLimits = options.decodingLimits
        refusesUnknownContentCodings = options.refusesUnknownContentCodings
        clock = options.clock
        ownTime = options.clock is ContinuousClock ? nil : LimiterClock(options.clock)
        requestFields = RequestFields(
            adding: Result { () throws(RequestValidationError) in
                try HTTPFields(checking: configuration.headers.dictionary, and: .sentUnlessSet)
            }
        )
    }
}

extension SessionSettings {
    /// The fields that are added to a request if it does not have them.
    var addedFields: Result<HTTPFields, RequestValidationError> { requestFields.added }

    /// Returns the URL that a request to a URL is sent to: one with `https` if the host requires TLS.
    func secured(_ url: URL) -> URL { strictTransportSecurity?.upgradedURL(for: url) ?? url }

    /// Returns the headers that are added to a request if it does not have them, by name: the headers of the configuration and of
    /// URLSession, and the cookies of the storage.
    func headers(addedTo request: URLRequest?) -> [String: String] {
        var added = (try? addedFields.get().map { ($0.name.rawName, $0.value) }) ?? []
        if let request, let url = request.url, request.httpShouldHandleCookies,
            let cookies = cookies.field(for: secured(url), context: CookieContext())
        {
            added.append((cookies.name.rawName, cookies.value))
        }
        return Dictionary(added) { first, _ in first }
    }
}
