import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// All that a session was told when it was made, besides its transport.
struct SessionPolicies: Sendable {
    let configuration: URLSessionConfiguration
    let timeouts: SessionTimeouts
    let headers: Result<HTTPFields, RequestValidationError>
    let startRequestsImmediately: Bool
    let interceptor: (any RequestInterceptor)?
    let connection: TransportConfiguration?
    let redirectHandler: any RedirectHandler
    let cookies: SessionCookies
    let eventMonitors: [any EventMonitor]
    let maximumBodySize: Int
    let decodingLimits: ContentDecodingLimits
    let clock: any Clock<Duration>

    init(
        configuration: URLSessionConfiguration,
        startRequestsImmediately: Bool,
        interceptor: (any RequestInterceptor)?,
        connection: TransportConfiguration? = nil,
        redirectHandler: (any RedirectHandler)?,
        cookieStorage: (any CookieStorage)?,
        eventMonitors: [any EventMonitor],
        maximumBodySize: Int,
        decodingLimits: ContentDecodingLimits,
        clock: any Clock<Duration>
    ) {
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        self.configuration = configuration
        timeouts = SessionTimeouts(configuration)
        self.startRequestsImmediately = startRequestsImmediately
        self.interceptor = interceptor
        self.connection = connection
        self.redirectHandler = redirectHandler ?? Redirector()
        cookies = SessionCookies(cookieStorage, configuration: configuration)
        self.eventMonitors = eventMonitors
        self.maximumBodySize = max(0, maximumBodySize)
        self.decodingLimits = decodingLimits
        self.clock = clock
        headers = Result { () throws(RequestValidationError) in
            try HTTPFields(checking: configuration.headers.dictionary)
        }
    }
}
