import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The settings of a session, besides its transport.
struct SessionPolicies: Sendable {
    let configuration: URLSessionConfiguration
    let timeouts: SessionTimeouts
    let headers: Result<HTTPFields, RequestValidationError>
    let startRequestsImmediately: Bool
    let interceptor: (any RequestInterceptor)?
    let serverTrustManager: ServerTrustManager?
    let redirectHandler: any RedirectHandler
    let cookies: SessionCookies
    let eventMonitors: [any EventMonitor]
    let middleware: [any HTTPMiddleware]
    let exchangeMiddleware: [any HTTPMiddleware]
    let maximumBodySize: Int
    let decodingLimits: ContentDecodingLimits
    let clock: any Clock<Duration>

    init(
        configuration: URLSessionConfiguration,
        startRequestsImmediately: Bool,
        interceptor: (any RequestInterceptor)?,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)?,
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
        self.eventMonitors = eventMonitors
        self.middleware = middleware
        self.exchangeMiddleware = exchangeMiddleware
        maximumBodySize = max(0, options.maximumBodySize)
        decodingLimits = options.decodingLimits
        clock = options.clock
        headers = Result { () throws(RequestValidationError) in
            try HTTPFields(checking: configuration.headers.dictionary)
        }
    }
}

extension SessionPolicies {
    /// Checks a request and creates the form of it that a transport gets.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - headers: Added where the request has no field of that name; `nil` for the session's.
    ///   - bufferLimit: The size, in bytes, up to which the transport waits for the whole body of the response.
    func transportRequest(
        for request: OutgoingRequest,
        headers: HTTPFields? = nil,
        bufferLimit: Int
    ) throws -> TransportRequest {
        var message = try TransportRequest(
            checking: request.urlRequest,
            body: request.body,
            sessionHeaders: headers ?? self.headers.get(),
            timeouts: timeouts.replaced(by: request.urlRequest.timeoutInterval),
            responseBufferLimit: bufferLimit,
            decodingLimits: decodingLimits
        )
        if let limits = request.limits { message.takeLimits(of: limits) }
        return message
    }
}

extension TransportRequest {
    /// Takes all settings of another request that are not a part of its message.
    fileprivate mutating func takeLimits(of other: TransportRequest) {
        idleTimeout = other.idleTimeout
        totalTimeout = other.totalTimeout
        responseBufferLimit = other.responseBufferLimit
        decodingLimits = other.decodingLimits
        onConnect = other.onConnect
    }
}
