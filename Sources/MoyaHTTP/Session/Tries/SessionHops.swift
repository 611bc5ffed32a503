import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The exchanges of one try: the request as it was prepared, and the ones that redirects and challenges lead to.
struct SessionHops: Sendable {
    private let session: Session
    private let call: SessionCall
    private let adaptation: SessionAdaptation
    private let events: EventReporter?
    private let started = ContinuousClock.now

    private let prepared: URLRequest
    /// That of the current hop.
    private var request: URLRequest
    private var body: HTTPBody?
    /// There is one once there was a redirect.
    private var redirects: RedirectState?
    private var cookieContext = CookieContext()

    init(
        _ request: URLRequest,
        _ call: SessionCall,
        of session: Session,
        adaptation: SessionAdaptation,
        events: EventReporter?
    ) {
        self.session = session
        self.call = call
        self.adaptation = adaptation
        self.events = events
        prepared = request
        self.request = request
        body = call.body
    }

    /// Goes from hop to hop. Returns the last answer.
    mutating func run() async throws -> SessionAnswer {
        call.options.record.prepared(request)
        var sent = try session.transportRequest(for: request, body: body, bufferLimit: call.bufferLimit)
        while true {
            let response = try await hop(sent)
            guard let next = try await target(of: response, to: sent) else {
                return SessionAnswer(request: prepared, sent: sent, response: response, hops: self)
            }
            sent = try await follow(next, from: sent)
        }
    }

    /// Sends what was sent last once more, with these headers over its own.
    func repeatLast(_ sent: TransportRequest, with headers: HTTPFields) async throws -> TransportResponse {
        var request = sent
        for field in headers { request.headers[field.name] = field.value }
        return try await hop(request)
    }

    /// One request, with its cookies, and the answers to its challenges.
    private func hop(_ request: TransportRequest) async throws -> TransportResponse {
        let isAway = redirects?.hasCrossedOrigin ?? false
        var challenges = SessionChallenges(
            request,
            credentials: session.credentials,
            own: isAway ? nil : call.options.record.credential
        )
        var request = request
        try await challenges.prepare(&request)
        while true {
            let response = try await exchange(request)
            guard let scheme = try await challenges.responded(response, to: &request) else { return response }
            events?.report(.authenticating(scheme: scheme))
        }
    }

    /// Has the transport do one exchange.
    private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.subject = call.options.record.subject
        request.totalTimeout -= .now - started
        if let meter = call.uploadMeter {
            request.body = request.body?.observed { meter.advanced(to: $0, of: $1) }
        }
        let handlesCookies = self.request.httpShouldHandleCookies
        if handlesCookies { session.policies.cookies.add(to: &request, context: cookieContext) }
        if let events {
            request.onConnect = { events.report(.connected) }
        }
        var resending = Resending(request)
        let response = try await resending.send(
            through: session.transport,
            clock: session.policies.clock,
            willSend: { events?.report(.sending(self.request)) },
            willResend: { events?.report(.resending(because: $0)) }
        )
        events?.report(.head(status: response.status, headers: response.headers))
        if handlesCookies {
            session.policies.cookies.keep(from: response, url: request.url, context: cookieContext)
        }
        return response
    }

    /// Where a response redirects to; `nil` if it is the answer.
    private mutating func target(
        of response: TransportResponse,
        to sent: TransportRequest
    ) async throws -> RedirectRequest? {
        guard (300..<400).contains(response.status) else { return nil }
        let handler = call.options.redirectHandler ?? session.redirectHandler
        var state =
            redirects
            ?? RedirectState(
                RedirectRequest(sent),
                isBodyRepeatable: sent.body?.isRepeatable ?? true,
                options: handler.options
            )
        guard let redirect = state.responded(status: response.status, headers: response.headers) else { return nil }
        let next = try state.decided(try await handler.redirect(redirect), on: redirect)
        redirects = state
        return next
    }

    /// Makes the request of the next hop. Within its origin it is adapted as a request of its own.
    private mutating func follow(
        _ next: RedirectRequest,
        from sent: TransportRequest
    ) async throws -> TransportRequest {
        guard var redirects else { return sent }
        events?.report(.redirecting(to: next.url))
        call.options.record.redirects()
        cookieContext = .redirect(
            from: sent.url,
            to: next.url,
            method: next.method,
            isSameSite: cookieContext.isSameSite
        )
        if !next.hasBody { body = nil }
        request = request.following(next)
        var following = sent.following(next)
        if !redirects.hasCrossedOrigin, adaptation.isNeeded {
            request = try await adaptation.adapt(request, redirectCount: redirects.count)
            following = try session.transportRequest(for: request, body: body, bufferLimit: call.bufferLimit)
        }
        try redirects.sends(following.method, following.url)
        self.redirects = redirects
        call.options.record.redirected(to: request)
        return following
    }
}

extension URLRequest {
    /// The request of the next hop, as interceptors and monitors see it.
    fileprivate func following(_ redirect: RedirectRequest) -> URLRequest {
        var request = self
        request.url = redirect.url
        request.httpMethod = redirect.method.rawValue
        for name in (allHTTPHeaderFields ?? [:]).keys where !redirect.headers.contains(name) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        for field in redirect.headers {
            request.setValue(redirect.headers[field.name], forHTTPHeaderField: field.name.rawName)
        }
        if !redirect.hasBody { (request.httpBody, request.httpBodyStream) = (nil, nil) }
        return request
    }
}

extension HTTPFields {
    fileprivate func contains(_ name: String) -> Bool { HTTPField.Name(name).map { contains($0) } ?? false }
}
