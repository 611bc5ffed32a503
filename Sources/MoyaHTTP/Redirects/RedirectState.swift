import Foundation
import HTTPTypes

/// The state machine of a request that follows redirects.
///
/// The owner reports each response, passes a redirect to a ``RedirectHandler``, reports its decision, and lets the state check the
/// request that is sent then.
struct RedirectState: Sendable {
    /// The last request, with the method and the URL that adapters have set, and the headers of ``RedirectRequest/headers``.
    private(set) var request: RedirectRequest
    /// The number of redirects followed.
    private(set) var count = 0
    /// Whether the redirects have left the original origin.
    ///
    /// It stays true after a redirect back to that origin: a request that another origin has influenced must not
    /// get credentials.
    private(set) var hasCrossedOrigin = false

    private let isBodyRepeatable: Bool
    private let options: RedirectOptions
    /// Returns the URL that replaces the target of a redirect.
    private let secured: @Sendable (URL) -> URL
    private var sentRequests: Set<RedirectRequest> = []

    /// Creates the state of a request.
    ///
    /// - Parameters:
    ///   - request: The original request.
    ///   - isBodyRepeatable: Whether its body can be sent again.
    ///   - options: The limits.
    ///   - secured: Returns the URL that replaces the target of a redirect, with `https` if its host requires TLS.
    init(
        _ request: RedirectRequest,
        isBodyRepeatable: Bool = true,
        options: RedirectOptions = RedirectOptions(),
        secured: @escaping @Sendable (URL) -> URL = { $0 }
    ) {
        self.request = request
        self.isBodyRepeatable = isBodyRepeatable
        self.options = options
        self.secured = secured
        sentRequests = [Self.key(request)]
    }

    /// Handles a response; returns nil if it is not a redirect to follow.
    mutating func handleResponse(status: Int, headers: HTTPFields) -> Redirect? {
        guard var next = RedirectRules.next(after: request, status: status, headers: headers) else { return nil }
        next.url = secured(next.url)
        // A page that sets a cookie and redirects back is not a loop; only the maximum count applies then.
        if headers.contains(.setCookie) { sentRequests = [] }
        let isCrossOrigin = isCrossOrigin(to: next.url)
        if isCrossOrigin {
            next.removeSecrets(and: options.sensitiveNames)
            // `handleDecision` keeps such headers: a handler may add one on purpose, and its name alone does not prove a secret.
            next.headers.removeAll { SecretMask.standard.isSecret($0.name.rawName, in: .header) }
        }
        return Redirect(
            status: status,
            headers: headers,
            source: request,
            request: next,
            isCrossOrigin: isCrossOrigin,
            count: count + 1
        )
    }

    /// Handles a handler's decision; returns the request to send, or nil to return the redirect response.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - redirect: The redirect that it is about.
    /// - Returns: The request to send, if any.
    /// - Throws: `URLError` with a ``RedirectError`` as its underlying error if the request must not be sent;
    ///   ``RequestValidationError`` if the handler's request is invalid.
    mutating func handleDecision(_ decision: RedirectDecision, on redirect: Redirect) throws -> RedirectRequest? {
        var next: RedirectRequest
        switch decision {
        case .stop: return nil
        case .follow: next = redirect.request
        case .change(let changed): next = try Self.checked(changed, source: redirect.source)
        }
        next.url = secured(next.url)
        try check(next)

        if isCrossOrigin(to: next.url) {
            hasCrossedOrigin = true
            next.removeSecrets(and: options.sensitiveNames)
        }
        // A handler that changes the request may send it again on purpose.
        if decision != .follow { sentRequests = [] }
        count += 1
        request = next
        return next
    }

    /// Throws if the redirected request, with the method and the URL that adapters have set, was sent before.
    ///
    /// The next `Location` is relative to this URL.
    ///
    /// - Throws: `URLError` with ``RedirectError/loop``.
    mutating func checkForLoop(sending method: HTTPMethod, to url: URL) throws(URLError) {
        request.method = method
        request.url = url
        guard sentRequests.insert(Self.key(request)).inserted else { throw .redirect(.loop, url: url) }
    }

    private func isCrossOrigin(to url: URL) -> Bool { hasCrossedOrigin || Origin(url) != Origin(request.url) }

    private func check(_ next: RedirectRequest) throws(URLError) {
        guard let origin = Origin(next.url) else {
            throw .redirect(.unsupportedScheme(next.url.scheme?.lowercased() ?? ""), url: next.url)
        }
        guard origin.scheme == "https" || Origin(request.url)?.scheme != "https" || options.allowsInsecure else {
            throw .redirect(.insecure, url: next.url)
        }
        guard count < options.maximumCount else {
            throw .redirect(.tooMany(maximum: max(0, options.maximumCount)), url: next.url)
        }
        guard !next.hasBody || isBodyRepeatable else { throw .redirect(.bodyNotRepeatable, url: next.url) }
    }

    /// Returns a handler's request without the parts that cannot be sent.
    private static func checked(
        _ request: RedirectRequest,
        source: RedirectRequest
    ) throws(RequestValidationError) -> RedirectRequest {
        var request = request
        try request.method.validate()
        request.url = request.url.absoluteURL.withoutCredentials
        let isHTTP = ["http", "https"].contains(request.url.scheme?.lowercased())
        guard request.url.scheme != nil, !isHTTP || Origin(request.url) != nil && request.url.hasValidPort else {
            throw .invalidURL(request.url.absoluteString)
        }
        if source.hasBody, !request.hasBody { request.removeBody() }
        request.hasBody = request.hasBody && source.hasBody
        return request
    }

    /// Returns a key that is equal for requests that a stateless server cannot distinguish.
    ///
    /// Headers are not included, since interceptors may add a timestamp or a counter.
    private static func key(_ request: RedirectRequest) -> RedirectRequest {
        var url = URLReference(request.url.absoluteString)
        url.fragment = nil
        return RedirectRequest(
            method: request.method,
            url: URL(string: url.text) ?? request.url,
            hasBody: request.hasBody
        )
    }
}
